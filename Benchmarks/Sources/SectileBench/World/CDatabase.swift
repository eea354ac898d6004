internal import CBaseline
internal import Glibc

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

  /// Steps through ids, section boundaries and the bytes of every column.
  func readListAndRows(order: String, section: String) throws -> CList {
    var list = baseline_list()
    var digest: UInt64 = 0
    let sql = """
      SELECT id, \(section), title, artist, genre, rating, duration, added_at FROM track
      ORDER BY \(order)
      """
    try Self.check(baseline_read_list_and_rows(base, sql, &list, &digest))
    return CList(list)
  }

  /// Decodes every row; calls `body` with the rows before they are freed.
  func decode(_ body: (UnsafeBufferPointer<baseline_track>) throws -> Void) throws {
    var tracks: UnsafeMutablePointer<baseline_track>?
    var count: Int64 = 0
    try Self.check(baseline_decode(base, &tracks, &count))
    defer { baseline_free_tracks(tracks, count) }
    try body(UnsafeBufferPointer(start: tracks, count: Int(count)))
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

/// Ids in order and the offsets at which sections begin.
final class CList {
  private var list: baseline_list

  init(_ list: baseline_list) { self.list = list }

  deinit { baseline_free_list(&list) }

  var ids: UnsafeBufferPointer<Int64> {
    UnsafeBufferPointer(start: list.ids, count: Int(list.count))
  }

  var starts: UnsafeBufferPointer<Int32> {
    UnsafeBufferPointer(start: list.starts, count: Int(list.section_count))
  }
}

/// Tracks as C structures, which own their texts.
final class CTracks {
  let rows: [baseline_track]

  init(_ tracks: [Track]) {
    rows = tracks.map { track in
      baseline_track(
        id: track.id, title: strdup(track.title), artist: strdup(track.artist),
        genre: strdup(track.genre), title_count: Int32(track.title.utf8.count),
        artist_count: Int32(track.artist.utf8.count), genre_count: Int32(track.genre.utf8.count),
        rating: Int32(track.rating), duration: track.duration, added_at: track.addedAt)
    }
  }

  deinit {
    for row in rows {
      free(UnsafeMutableRawPointer(mutating: row.title))
      free(UnsafeMutableRawPointer(mutating: row.artist))
      free(UnsafeMutableRawPointer(mutating: row.genre))
    }
  }
}
