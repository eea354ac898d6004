internal import Synchronization

/// Tells whether rows are a state that a ``ReloadedFile`` had.
final class FileStates: Sendable {
  private struct Known {
    var state = ReloadedFile.State()
    /// For each number of commits a fingerprint of all rows, and of the first ones.
    var fingerprints: [(all: UInt64, window: UInt64)] = []
  }

  // MARK: - Mutable state
  //
  // - `known`: guarded by its mutex.
  private let known = Mutex(Known())

  /// Returns what is wrong with rows in order; nil where the file had them.
  func problem(_ rows: [ReloadedRow]) -> String? {
    guard let mark = rows.first, mark.id == 0 else { return "the row that counts is not the first" }
    for (row, next) in zip(rows, rows.dropFirst()) where !row.comes(before: next) {
      return "\(next) stands behind \(row)"
    }
    let found = Self.fingerprint(rows)
    let wanted = fingerprints(after: mark.number)
    if found == wanted.all { return nil }
    if rows.count == ReloadedFile.windowSize, found == wanted.window { return nil }
    return "\(rows.count) rows are not what the file held after \(mark.number) commits"
  }

  private func fingerprints(after number: Int64) -> (all: UInt64, window: UInt64) {
    known.withLock { known in
      while known.fingerprints.count <= number {
        if !known.fingerprints.isEmpty { known.state.advance() }
        let rows = known.state.rows
        known.fingerprints.append(
          (Self.fingerprint(rows), Self.fingerprint(rows.prefix(ReloadedFile.windowSize))))
      }
      return known.fingerprints[Int(number)]
    }
  }

  private static func fingerprint(_ rows: some Sequence<ReloadedRow>) -> UInt64 {
    rows.reduce(0) { $0 ^ $1.fingerprint }
  }
}
