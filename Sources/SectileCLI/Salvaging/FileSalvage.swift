internal import Sectile
internal import SectileInspecting

/// Saves what can be read of a damaged file into a new one.
struct FileSalvage {
  private let source: InspectionConnection
  private let target: InspectionConnection
  private let checkpoint: (_ table: String, _ rows: Int) throws -> Void
  private let isStopped: () -> Bool
  private let file: PageFile

  /// Creates the work.
  ///
  /// - Parameters:
  ///   - source: The damaged file.
  ///   - target: The new file, which is empty.
  ///   - checkpoint: Is called for each row, and before the first; what it throws ends the work.
  ///   - isStopped: Whether the next checkpoint throws: pages are not looked at any more.
  /// - Throws: ``CommandFailure`` where the file's head makes no sense.
  init(
    from source: InspectionConnection, into target: InspectionConnection,
    checkpoint: @escaping (_ table: String, _ rows: Int) throws -> Void,
    isStopped: @escaping () -> Bool = { false }
  ) throws(CommandFailure) {
    file = try PageFile(source.path)
    self.source = source
    self.target = target
    self.checkpoint = checkpoint
    self.isStopped = isStopped
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
    let trees = try StoredTree.all(in: source)
    let search = TreeSearch(file, trees: trees, isStopped: isStopped)
    // It ends the work where the search was stopped.
    try checkpoint("", 0)
    var saved = 0
    for entry in all where entry.kind == .table {
      // Its contents are in other tables, and it comes when they are there.
      if entry.isVirtual { continue }
      guard try make(entry, &report) else { continue }
      let table = try save(entry.name, search) { rows in
        try checkpoint(entry.name, saved + rows)
      }
      saved += table.savedCount
      report.tables.append(table)
    }
    if tables.isEmpty { try saveUnowned(search.unowned, all, &report, saved) }
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

  private func save(
    _ name: String, _ search: TreeSearch, checkpoint: @escaping (_ rows: Int) throws -> Void
  ) throws -> SalvageReport.Table {
    guard let schema = try TableSchema(of: name, in: target) else {
      return SalvageReport.Table(name: name)
    }
    guard let (tree, parts) = search.parts(of: name) else {
      return SalvageReport.Table(
        name: name, gaps: [SalvageReport.Gap(after: nil, before: nil)])
    }
    var count = 0
    let salvage = TableSalvage(schema, from: source, into: target) {
      count += 1
      try checkpoint(count)
    }
    try salvage.run(tree, parts, of: file)
    return salvage.report
  }

  /// Saves rows that belong to no table, or to one that nobody can tell.
  private func saveUnowned(
    _ pages: [Int], _ entries: [SchemaEntry], _ report: inout SalvageReport, _ saved: Int
  ) throws {
    let rows = try UnownedRows(of: file, into: target).save(
      pages, taken: Set(entries.map { $0.name.lowercased() })
    ) { rows in try checkpoint("", saved + rows) }
    guard let rows, rows.count > 0 else { return }
    report.losses.append(
      "which tables \(CountText.text(rows.count, "row")) belonged to; \(rows.table) has them")
  }

  /// Copies how far AUTOINCREMENT has counted; where that cannot be read, the rows say it.
  private func copySequences() {
    _ = try? source.run("SELECT name, seq FROM sqlite_sequence") { row in
      guard row.count == 2, case .text = row[0], case .integer = row[1] else { return }
      // A table that has lost all its rows, or has none any more, has no number yet.
      for sql in [
        "UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1 AND seq < ?2",
        """
        INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2
        WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)
          AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
        """,
      ] { try? target.prepare(sql).run(row) }
    }
  }
}
