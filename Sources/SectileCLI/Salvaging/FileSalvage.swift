internal import Sectile

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
    let all = try SchemaEntry.all(in: source, withShadows: true)
      .filter { tables.isEmpty || tables.contains($0.name.lowercased()) }
      .sorted { $0.name < $1.name }
    try copySettings()
    // Rows were valid when they were written; what breaks a rule now is better kept than lost.
    try target.run("PRAGMA ignore_check_constraints = ON; BEGIN") { _ in }
    var saved = 0
    for entry in all where entry.kind == .table {
      guard !entry.isVirtual else {
        report.losses.append(
          "the virtual table \(entry.name): make it anew; what it keeps in tables is saved")
        continue
      }
      guard try make(entry, &report) else { continue }
      let table = try save(entry.name) { rows in
        try checkpoint(entry.name, saved + rows)
      }
      saved += table.savedCount
      report.tables.append(table)
    }
    copySequences()
    for kind in [SchemaEntry.Kind.index, .view, .trigger] {
      for entry in all where entry.kind == kind { _ = try make(entry, &report) }
    }
    try target.run("COMMIT; PRAGMA ignore_check_constraints = OFF") { _ in }
    return report
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
    _ name: String, checkpoint: @escaping (_ rows: Int) throws -> Void
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
