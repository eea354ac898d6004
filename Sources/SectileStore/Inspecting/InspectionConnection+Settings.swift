internal import CSQLite
internal import Foundation
internal import GRDBSQLite
internal import SectileCore

extension InspectionConnection {
  /// The name of the collation that ``addByteOrder()`` adds.
  package static let byteOrder = "sectile_bytes"

  /// Adds a collation that compares text by its bytes in UTF-8, as `BINARY` does in files that hold
  /// UTF-8; in others it compares theirs.
  ///
  /// - Throws: ``StoreError``.
  package func addByteOrder() throws(StoreError) {
    let code = sqlite3_create_collation_v2(
      connection, Self.byteOrder, SQLITE_UTF8, nil,
      { _, leftCount, left, rightCount, right in
        let shared = Int(min(leftCount, rightCount))
        if shared > 0, let left, let right {
          let order = memcmp(left, right, shared)
          if order != 0 { return order }
        }
        return leftCount - rightCount
      }, nil)
    guard code == SQLITE_OK else { throw failure(sql: nil) }
  }

  /// Runs a closure that may write the schema's own table, as for virtual tables whose contents are
  /// there already; the schema is read again afterwards.
  ///
  /// - Parameter body: Writes rows of `sqlite_schema`. Only a file that is being made is used this
  ///   way.
  /// - Throws: ``StoreError``; what the closure throws.
  package func writingSchema(_ body: () throws -> Void) throws {
    sectile_unset_defensive(connection)
    defer { sectile_set_defensive(connection) }
    try run("PRAGMA writable_schema = ON") { _ in }
    defer { _ = try? run("PRAGMA writable_schema = RESET") { _ in } }
    try body()
  }

  /// Lets triggers run, or not: whoever brings rows to a known state wants no help.
  package func setTriggers(_ areOn: Bool) {
    sectile_set_triggers(connection, areOn ? 1 : 0)
  }
}
