import GRDB
import SectileCore

/// What one transaction did to the rows of a full-text table.
struct FullTextChanges: Sendable {
  /// The full-text table.
  let index: FullTextIndex
  /// What became of the rows in the table that tells of the full-text table's rows.
  ///
  /// Where the texts are in another table, also those that are the same as before: other texts may
  /// be of the same size.
  let rows: TableChanges

  /// Has the rows forgotten that the transaction left, while their texts are still there.
  ///
  /// - Throws: What SQLite refuses.
  func takeAway(in db: Database) throws {
    let statement = try RawStatement.prepare(index.deletion, on: db)
    for change in rows.changes where change.after != nil {
      try statement.bind(change.key, from: 1)
      try statement.run()
    }
  }

  /// Takes in the rows that there were before, when their texts are back.
  ///
  /// - Throws: What SQLite refuses.
  func putBack(in db: Database) throws {
    let statement = try RawStatement.prepare(index.insertion, on: db)
    for change in rows.changes {
      guard let before = change.before else { continue }
      guard index.texts == .own else {
        try statement.bind(change.key, from: 1)
        try statement.run()
        continue
      }
      // The row id, and one text for each column.
      try rows.withColumns(of: before) { columns in
        defer { statement.finish() }
        for (position, column) in columns.enumerated() {
          try statement.bindColumn(column, at: position + 1, isCopied: false)
        }
        while try statement.step() {}
      }
    }
  }
}

/// How many rows a full-text table says to have, and how many words in each column.
///
/// It counts along with what it is told, and the size of each row stands beside it. Told to forget
/// something else than it took in, or to take in a row twice, it counts what no rows have.
struct FullTextSums: Equatable {
  /// Rows, then words by column; without zeros at the end.
  private var numbers: [Int64]

  /// Reads the sums; what is still in memory must have been written.
  init(of index: FullTextIndex, in db: Database) throws {
    let statement = try RawStatement.prepare(
      "SELECT block FROM \(SQLName.table(index.name + "_data")) WHERE id = 1", on: db)
    defer { statement.finish() }
    numbers = try statement.step() ? Self.numbers(in: RawColumn(statement.handle, 0)) : []
    trim()
  }

  /// Adds what rows have come to be.
  mutating func add(_ changes: TableChanges) {
    for change in changes.changes {
      if let before = change.before { add(-1, changes, before) }
      if let after = change.after { add(1, changes, after) }
    }
    trim()
  }

  private mutating func add(_ factor: Int64, _ changes: TableChanges, _ row: Range<Int>) {
    let sizes = changes.withColumns(of: row) { $0.count > 1 ? Self.numbers(in: $0[1]) : [] }
    for (position, number) in ([1] + sizes).enumerated() {
      if position == numbers.count { numbers.append(0) }
      numbers[position] &+= factor &* number
    }
  }

  private mutating func trim() {
    while numbers.last == 0 { numbers.removeLast() }
  }

  /// Reads SQLite's numbers of one to nine bytes.
  private static func numbers(in column: RawColumn) -> [Int64] {
    guard case .blob(let bytes) = column else { return [] }
    var numbers: [Int64] = []
    var number: UInt64 = 0
    var length = 0
    for byte in bytes {
      length += 1
      let isLast = length == 9 || byte < 0x80
      number = length == 9 ? number << 8 | UInt64(byte) : number << 7 | UInt64(byte & 0x7F)
      if isLast {
        numbers.append(Int64(bitPattern: number))
        (number, length) = (0, 0)
      }
    }
    return numbers
  }
}
