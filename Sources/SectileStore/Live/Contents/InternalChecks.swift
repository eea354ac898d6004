import Foundation
import GRDB
import SectileCore

/// Checks of Sectile's own structures that cost more than the work they check, for tests of
/// Sectile.
///
/// `SECTILE_INTERNAL_CHECKS=1` in the environment of the process turns them on: blocks of four
/// rows, so that short lists have many; every commit worked out both ways and compared; invariants
/// checked after each change. What is wrong stops the process.
enum InternalChecks {
  static let isOn = ProcessInfo.processInfo.environment["SECTILE_INTERNAL_CHECKS"] == "1"

  /// How many handles a block of an index holds.
  static let blockCapacity = isOn ? 4 : SectionedIndex.defaultBlockCapacity

  /// Below this many touched rows a commit is worked out row by row, whatever it costs.
  static let alwaysIncremental = 400

  /// Stops where several statements would each read another state of the file, if others commit in
  /// between.
  static func checkIsOneState(_ db: Database) {
    guard isOn else { return }
    precondition(db.isInsideTransaction, "several statements read outside of a transaction")
  }

  /// Stops where rows that were sorted here do not stand as SQLite sorts them.
  ///
  /// - Parameters:
  ///   - order: The positions of the rows, sorted.
  ///   - keys: The rows as they were read.
  ///   - sorted: The rows as SQLite sorts them.
  static func check(
    _ order: some Sequence<Int32>, of keys: borrowing RowKeyMapBuilder,
    by sorted: borrowing RowKeyMapBuilder
  ) {
    // A key that two rows have stands for one of them; whoever reads the rows refuses it.
    guard keys.duplicate == nil, sorted.duplicate == nil else { return }
    var (read, expected): ([RowKey], [RowKey]) = ([], [])
    keys.forEach { read.append($0) }
    sorted.forEach { expected.append($0) }
    let rows = order.map { read[Int($0)] }
    precondition(rows == expected, "sorted:\n\(rows)\nby SQLite:\n\(expected)")
  }
}
