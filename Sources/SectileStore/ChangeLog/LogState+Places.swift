internal import GRDB
internal import SectileCore

extension LogState {
  /// Tells why the log does not lead on from a place; nil where it does.
  ///
  /// - Parameters:
  ///   - place: The place, from anywhere.
  ///   - db: The connection, inside the transaction in which the state was read.
  /// - Returns: The reason.
  /// - Throws: What reading throws.
  /// - Complexity: O(log *n*) for *n* rows of the log.
  func reasonAgainst(_ place: LogPlace, in db: Database) throws -> ResetReason? {
    guard place.store == store else { return .otherStore }
    guard place.epoch == UInt64(bitPattern: epoch) else { return .otherEpoch }
    let head = try LogTail(of: db).head().sequence
    guard let sequence = Int64(exactly: place.sequence), sequence <= head else { return .ahead }
    let salt = Int64(bitPattern: place.salt)
    guard sequence > pruned.sequence else {
      guard sequence == pruned.sequence else { return .pruned }
      return salt == pruned.salt ? nil : .rewritten
    }
    let statement = try RawStatement.cached(
      "SELECT salt FROM main.sectile_log WHERE seq = ?", on: db)
    defer { statement.finish() }
    try statement.bind(.integer(sequence), at: 1)
    return try statement.step() && statement.castInteger(at: 0) == salt ? nil : .rewritten
  }

  /// The place of a row of the log.
  func place(of point: LogPoint) -> LogPlace {
    LogPlace(
      store: store, epoch: UInt64(bitPattern: epoch),
      sequence: UInt64(bitPattern: point.sequence), salt: UInt64(bitPattern: point.salt))
  }
}
