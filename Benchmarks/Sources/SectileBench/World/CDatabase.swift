internal import CBaseline

/// A database of the C baseline.
final class CDatabase {
  private let base: OpaquePointer

  struct Failure: Error { let code: Int32 }

  init(path: String?) throws {
    var base: OpaquePointer?
    try Self.check(baseline_open(path, &base))
    guard let base else { throw Failure(code: 1) }
    self.base = base
  }

  deinit { baseline_close(base) }

  func execute(_ sql: String) throws { try Self.check(baseline_execute(base, sql)) }

  /// Replaces everything by the pages of a file.
  func copyPages(of path: String) throws { try Self.check(baseline_copy(base, path)) }

  /// Copies the log into the file.
  func checkpoint() throws { try execute("PRAGMA wal_checkpoint(PASSIVE)") }

  func insert(_ tracks: CTracks) throws {
    try tracks.rows.withUnsafeBufferPointer { rows in
      try Self.check(baseline_insert(base, rows.baseAddress, Int64(rows.count)))
    }
  }

  /// Steps through ids and section boundaries.
  func readList(order: String, section: String) throws -> CList {
    var list = baseline_list()
    try Self.check(
      baseline_read_list(base, "SELECT id, \(section) FROM track ORDER BY \(order)", &list))
    return CList(list)
  }

  /// Decodes every row and returns the time that took; `body` looks at the rows, which are freed
  /// afterwards, off the clock.
  func decode(
    _ body: (UnsafeBufferPointer<baseline_track>) throws -> Void
  ) throws -> Sample {
    var tracks: UnsafeMutablePointer<baseline_track>?
    var count: Int64 = 0
    let (time, _) = try Stopwatch.time { try Self.check(baseline_decode(base, &tracks, &count)) }
    defer { baseline_free_tracks(tracks, count) }
    try body(UnsafeBufferPointer(start: tracks, count: Int(count)))
    return time
  }

  func update(_ tracks: CTracks, at position: Int) throws {
    try tracks.rows.withUnsafeBufferPointer { rows in
      try Self.check(baseline_update(base, rows.baseAddress.map { $0 + position }))
    }
  }

  private static func check(_ code: Int32) throws {
    guard code == 0 else { throw Failure(code: code) }
  }
}
