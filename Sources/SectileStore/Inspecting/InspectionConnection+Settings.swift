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

  /// Lets triggers run, or not: whoever brings rows to a known state wants no help.
  package func setTriggers(_ areOn: Bool) {
    sectile_set_triggers(connection, areOn ? 1 : 0)
  }
}
