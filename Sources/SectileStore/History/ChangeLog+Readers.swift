internal import GRDB
public import SectileCore

extension Store.ChangeLog {
  /// How long an entry stays as it is where the reader has hardly moved, in milliseconds.
  private static let renewal: Int64 = 60_000
  /// How many rows a reader moves on before its entry is written again.
  private static let step: Int64 = 1_000

  /// Says how far somebody has read the log: what comes behind is kept, up to the bounds of
  /// ``StoreConfiguration/ChangeLogRetention``.
  ///
  /// Call it as often as you like: the file is written at most once a minute, or after a thousand
  /// rows.
  ///
  /// - Parameters:
  ///   - name: The reader's name; the same each time.
  ///   - token: The place after the last row that was read.
  /// - Returns: Why the log does not lead on from the token, in which case nothing is registered;
  ///   nil where it does.
  /// - Throws: A ``StoreError``: `noChangeLog`, `changeLogNewer`; what `Store.write(_:)` throws.
  @discardableResult
  public func register(_ name: String, at token: ChangeToken) throws -> ResetReason? {
    var isKnown = false
    let reason = try store.read { transaction -> ResetReason? in
      let reason = try self.reason(against: token, in: transaction.db)
      isKnown = try self.isKnown(name, at: token, in: transaction.db)
      return reason
    }
    if reason != nil || isKnown { return reason }
    return try store.write { transaction -> ResetReason? in
      if let reason = try self.reason(against: token, in: transaction.db) { return reason }
      try LogReaders(of: transaction.db).note(
        name, at: Int64(bitPattern: token.place.sequence))
      return nil
    }
  }

  /// Forgets a reader, for whom nothing is kept from then on.
  ///
  /// - Parameter name: The reader's name.
  /// - Returns: Whether there was one.
  /// - Throws: A ``StoreError``: `noChangeLog`, `changeLogNewer`; what `Store.write(_:)` throws.
  @discardableResult
  public func unregister(_ name: String) throws -> Bool {
    try store.write { transaction in
      try requireLog(in: transaction.db)
      return try LogReaders(of: transaction.db).remove(name)
    }
  }

  private func reason(against token: ChangeToken, in db: Database) throws -> ResetReason? {
    try LogState.refuseNewer(in: db)
    guard let state = try LogState(in: db, tables: { _ in [] }) else {
      throw StoreError.noChangeLog(file: store.path)
    }
    return try state.reasonAgainst(token.place, in: db)
  }

  /// Whether the entry of a reader is as good as a new one.
  private func isKnown(_ name: String, at token: ChangeToken, in db: Database) throws -> Bool {
    guard let entry = try LogReaders(of: db).entry(named: name), let seenAt = entry.seenAt else {
      return false
    }
    let now = LogBookkeeping.milliseconds()
    let moved = Int64(bitPattern: token.place.sequence) - entry.sequence
    return (0..<Self.renewal).contains(now - seenAt) && (0...Self.step).contains(moved)
  }
}
