internal import Sectile
internal import SectileInspecting

/// Reads the sections and rows of a request from one state of the file.
///
/// The heads of the sections are kept, the rows are not.
struct SectionedReader {
  let query: SectionedQuery
  let connection: InspectionConnection

  /// Reads everything and hands it to a writer.
  ///
  /// - Parameters:
  ///   - rowLimit: How many rows of a section to write; nil for all.
  ///   - writer: What writes.
  /// - Throws: ``StoreError``, and what the writer throws.
  func read(rowLimit: Int?, into writer: any SectionWriting) throws {
    try connection.prepare("BEGIN").run()
    // Nothing was written that a rollback could lose.
    defer { try? connection.prepare("ROLLBACK").run() }
    var heads: [SectionHead] = []
    let sections = try connection.prepare(query.sections.sql)
    sections.keepsInvalidText = true
    try sections.run(query.sections.values) {
      heads.append(SectionHead($0, invalidText: sections.invalidTextColumns))
    }
    let totals = try totals(of: heads)
    try writer.begin()
    if rowLimit == 0 {
      for head in heads {
        try writer.begin(head)
        try writer.endSection(leftOut: head.count)
      }
    } else {
      var walk = Walk(heads: heads, rowLimit: rowLimit ?? .max, writer: writer)
      let rows = try connection.prepare(query.rows.sql)
      rows.keepsInvalidText = true
      try rows.run(query.rows.values) {
        try walk.take($0, invalidText: rows.invalidTextColumns)
      }
      try walk.finish()
    }
    try writer.finish(totals)
  }

  /// Reads what is known of all rows, which their sections alone do not tell: an average of
  /// averages is none.
  private func totals(of heads: [SectionHead]) throws -> SectionTotals {
    let count = heads.reduce(0) { $0 + $1.count }
    if query.aggregates.isEmpty { return SectionTotals(count: count, aggregates: .success([])) }
    var total: SectionHead?
    do {
      let statement = try connection.prepare(query.totals.sql)
      statement.keepsInvalidText = true
      try statement.run(query.totals.values) {
        total = SectionHead($0, invalidText: statement.invalidTextColumns)
      }
    } catch let error as StoreError where error.code == .statementFailed || error.code == .tooBig {
      // The sum of all sections may be too large where that of each is not, and so may the text
      // that is made of them.
      let refusal = SectionTotals.Refusal(reason: error.plainText)
      return SectionTotals(count: count, aggregates: .failure(refusal))
    }
    return SectionTotals(count: count, aggregates: .success(total?.aggregates ?? []))
  }

  /// The way through the sections, row by row.
  private struct Walk {
    let heads: [SectionHead]
    let rowLimit: Int
    let writer: any SectionWriting
    var next = 0
    var taken = 0

    /// Takes the next row, and begins its section with the first.
    ///
    /// Rows that no section counted, which only an expression with an answer of its own for each
    /// reading makes, are dropped.
    mutating func take(_ row: [StoredValue], invalidText: [Int]) throws {
      while next < heads.count {
        if taken == 0 { try writer.begin(heads[next]) }
        if taken < heads[next].count { break }
        try end()
      }
      guard next < heads.count else { return }
      if taken < rowLimit { try writer.write(row, invalidText: invalidText) }
      taken += 1
      if taken == heads[next].count { try end() }
    }

    mutating func finish() throws {
      while next < heads.count {
        if taken == 0 { try writer.begin(heads[next]) }
        try end()
      }
    }

    private mutating func end() throws {
      try writer.endSection(leftOut: max(0, heads[next].count - min(taken, rowLimit)))
      next += 1
      taken = 0
    }
  }
}
