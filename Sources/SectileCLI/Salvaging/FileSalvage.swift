internal import Sectile
internal import SectileInspecting

/// Saves what can be read of a damaged file into a new one.
struct FileSalvage {
  private let source: InspectionConnection
  private let target: InspectionConnection
  private let checkpoint: (_ table: String, _ rows: Int) throws -> Void

  /// Creates the work.
  ///
  /// - Parameters:
  ///   - source: The damaged file.
  ///   - target: The new file, which is empty.
  ///   - checkpoint: Is called for each row; what it throws ends the work.
  init(
    from source: InspectionConnection, into target: InspectionConnection,
    checkpoint: @escaping (_ table: String, _ rows: Int) throws -> Void
  ) {
    self.source = source
    self.target = target
    self.checkpoint = checkpoint
  }

  /// Saves what can be read.
  ///
  /// - Parameter tables: The tables to save, in lower case; none for all.
  /// - Returns: What was saved, and what was lost.
  /// - Throws: ``StoreError`` where the schema cannot be read, or the copy cannot be written.
  func run(tables: Set<String>) throws -> SalvageReport {
    var report = SalvageReport()
    let all = try entries(of: tables)
    try copySettings()
    // Rows were valid when they were written; what breaks a rule now is better kept than lost.
    try target.run("PRAGMA ignore_check_constraints = ON; BEGIN") { _ in }
    var saved = 0
    for entry in all where entry.kind == .table {
      // Its contents are in other tables, and it comes when they are there.
      if entry.isVirtual { continue }
      guard try make(entry, &report) else { continue }
      let table = try save(entry.name, from: source) { rows in
        try checkpoint(entry.name, saved + rows)
      }
      saved += table.savedCount
      report.tables.append(table)
    }
    try saveStrays(&report, saved)
    copySequences()
    try enter(all.filter(\.isVirtual))
    for kind in [SchemaEntry.Kind.index, .view, .trigger] {
      for entry in all where entry.kind == kind { _ = try make(entry, &report) }
    }
    for entry in all where entry.isVirtual { check(entry, &report) }
    try target.run("COMMIT; PRAGMA ignore_check_constraints = OFF") { _ in }
    return report
  }

  /// The entries of the schema that are meant, in the order of their names; a virtual table with
  /// the tables in which it keeps its contents.
  private func entries(of tables: Set<String>) throws -> [SchemaEntry] {
    let all = try SchemaEntry.all(in: source, withShadows: true).sorted { $0.name < $1.name }
    if tables.isEmpty { return all }
    let named = all.filter { tables.contains($0.name.lowercased()) }
    return all.filter { entry in
      tables.contains(entry.name.lowercased()) || named.contains { entry.isShadow(of: $0) }
    }
  }

  /// Enters virtual tables into the schema as they stood there: making them would make the tables,
  /// too, in which they keep their contents.
  private func enter(_ entries: [SchemaEntry]) throws {
    if entries.isEmpty { return }
    try target.writingSchema {
      let insertion = try target.prepare(
        "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('table', ?1, ?1, 0, ?2)"
      )
      for entry in entries { try insertion.run([.text(entry.name), .text(entry.sql)]) }
    }
  }

  /// Looks whether the contents of a virtual table still belong together, and makes the index of
  /// text anew where they do not.
  private func check(_ entry: SchemaEntry, _ report: inout SalvageReport) {
    let words = SQLPiece.essence(of: entry.sql)
    let name = SQLName.quote(entry.name)
    if words.contains(where: { $0.hasPrefix("FTS") }) {
      // An index of another table's text is right where that table is whole.
      let isOfOthers = entry.keepsNoRows && !entry.isContentless
      let command = "INSERT INTO main.\(name)(\(name)) VALUES"
      if !(isOfOthers && !report.isWhole), succeeds("\(command)('integrity-check')") { return }
      if !entry.isContentless, succeeds("\(command)('rebuild')") { return }
      report.losses.append("some of the virtual table \(entry.name): its contents are damaged")
    } else if words.contains(where: { $0.hasPrefix("RTREE") }) {
      let answer = try? target.firstValue(
        "SELECT rtreecheck('main', \(SQLLiterals.quoted(entry.name)))")
      if answer == .text("ok") { return }
      report.losses.append("some of the virtual table \(entry.name): its contents are damaged")
    }
  }

  private func succeeds(_ sql: String) -> Bool {
    do {
      try target.run("SAVEPOINT sectile_check") { _ in }
      try target.run(sql) { _ in }
      try target.run("RELEASE sectile_check") { _ in }
      return true
    } catch {
      _ = try? target.run("ROLLBACK TO sectile_check; RELEASE sectile_check") { _ in }
      return false
    }
  }

  /// Copies what must be settled before the first table is made.
  private func copySettings() throws {
    for name in ["page_size", "encoding", "user_version", "application_id"] {
      try source.run("PRAGMA \(name)") { row in
        guard let value = row.first else { return }
        try target.run("PRAGMA \(name) = \(value.description)") { _ in }
      }
    }
  }

  /// Makes an entry of the schema; false, with a note, where that fails.
  private func make(_ entry: SchemaEntry, _ report: inout SalvageReport) throws -> Bool {
    do {
      try target.run(entry.sql) { _ in }
      return true
    } catch let error as StoreError where error.code != .diskFull && error.code != .ioError {
      report.losses.append("the \(entry.kind.rawValue) \(entry.name): \(error.plainText)")
      return false
    }
  }

  /// Saves the rows of tables that lack some from pages that no readable page leads to.
  private func saveStrays(
    _ report: inout SalvageReport, _ saved: Int
  ) throws {
    var tables: [StrayRows.Table] = []
    for table in report.tables where !table.gaps.isEmpty {
      guard let schema = try TableSchema(of: table.name, in: target),
        let rowID = schema.rowIDColumn ?? schema.rowIDNames.first,
        case .integer(let root)? = try source.schemaRows(
          "SELECT rootpage FROM main.sqlite_schema WHERE type = 'table' AND name = ?1",
          [.text(table.name)]
        ).first?[0], root > 1
      else { continue }
      tables.append(
        StrayRows.Table(schema: schema, rowID: rowID, root: Int(root), gaps: table.gaps))
    }
    if tables.isEmpty { return }
    let strays: StrayRows
    do {
      strays = try StrayRows(in: source)
    } catch {
      let reason = CommandFailure(error)?.message ?? "\(error)"
      report.losses.append("rows on pages that nothing leads to were not looked for: \(reason)")
      return
    }
    let rows = saved
    let found = try strays.save(tables) { table, copy in
      let name = table.schema.name
      return try save(name, from: copy) { count in try checkpoint(name, rows + count) }
    }
    for place in report.tables.indices {
      guard let part = found[report.tables[place].name] else { continue }
      report.tables[place].savedCount += part.savedCount
      report.tables[place].strayCount = part.savedCount
      report.tables[place].refusedCount += part.refusedCount
      report.tables[place].gaps = part.gaps
    }
  }

  private func save(
    _ name: String, from source: InspectionConnection,
    checkpoint: @escaping (_ rows: Int) throws -> Void
  ) throws -> SalvageReport.Table {
    guard let schema = try TableSchema(of: name, in: target) else {
      return SalvageReport.Table(name: name)
    }
    let rowID = schema.rowIDColumn ?? schema.rowIDNames.first
    let key = rowID.map { [$0] } ?? (schema.listing.isWithoutRowID ? schema.keyColumns : [])
    let others = schema.columns.filter { $0.origin == .written && !key.contains($0.name) }
    var count = 0
    let saver = try RowSaver(
      table: name, key: key, columns: others.map(\.name), from: source, into: target,
      checkpoint: {
        count += 1
        try checkpoint(count)
      })
    if let rowID {
      try RowIDSalvage(saver, rowID: rowID).run()
    } else {
      try KeySalvage(saver, key: key).run()
    }
    return saver.report
  }

  /// Copies how far AUTOINCREMENT has counted; where that cannot be read, the rows say it.
  private func copySequences() {
    _ = try? source.run("SELECT name, seq FROM sqlite_sequence") { row in
      try? target.prepare("UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1 AND seq < ?2")
        .run(row)
    }
  }
}
