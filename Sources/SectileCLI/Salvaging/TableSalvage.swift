internal import Sectile

/// Saves the rows of one table.
///
/// Where its tree is whole, SQLite reads the rows. Otherwise, and where SQLite stops, they are read
/// page by page: SQLite's way through a damaged tree may end too early, or lead elsewhere.
final class TableSalvage {
  /// What became of the table.
  private(set) var report: SalvageReport.Table

  private let schema: TableSchema
  private let source: InspectionConnection
  private let target: InspectionConnection
  private let checkpoint: () throws -> Void

  /// What was read last, and whether something between it and the next row is missing.
  private var last: [StoredValue]?
  private var isAfterGap = false

  /// Creates the work.
  ///
  /// - Parameters:
  ///   - schema: The table, as the copy has it.
  ///   - source: The damaged file.
  ///   - target: The copy.
  ///   - checkpoint: Is called for each row; what it throws ends the work.
  init(
    _ schema: TableSchema, from source: InspectionConnection, into target: InspectionConnection,
    checkpoint: @escaping () throws -> Void
  ) {
    report = SalvageReport.Table(name: schema.name)
    self.schema = schema
    self.source = source
    self.target = target
    self.checkpoint = checkpoint
  }

  /// Saves what can be read.
  ///
  /// - Parameters:
  ///   - tree: The table's tree.
  ///   - parts: What is left of it.
  ///   - file: The file's pages.
  /// - Throws: What writing throws, and the checkpoint.
  func run(_ tree: StoredTree, _ parts: StoredParts, of file: PageFile) throws {
    if parts.isWhole, try readThrough() { return }
    // All rows are read again, so that each is written once.
    try target.run("DELETE FROM main.\(SQLName.quote(schema.name))") { _ in }
    report = SalvageReport.Table(name: schema.name)
    guard let shape = tree.shape else { return noteGap(before: nil) }
    let rows = PageRows(
      file: file, shape: shape, writer: RecordWriter(schema, shape, into: target))
    if tree.hasRowIDs {
      try readLeaves(parts, rows)
    } else {
      try readParts(parts, rows)
    }
    if isAfterGap { noteGap(before: nil) }
    report.joinGaps()
  }

  // MARK: - As SQLite reads

  /// Reads all rows; false where that fails.
  private func readThrough() throws -> Bool {
    let rowID = schema.rowIDColumn ?? schema.rowIDNames.first
    let others = schema.columns.filter { $0.origin == .written && $0.name != rowID }.map(\.name)
    let columns = ((rowID.map { [$0] } ?? []) + others).map(SQLName.quote)
    let names = columns.joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let table = SQLName.quote(schema.name)
    let insertion = try target.prepare(
      "INSERT OR ABORT INTO main.\(table)(\(names)) VALUES (\(marks))")
    do {
      let query = try source.prepare("SELECT \(names) FROM main.\(table) NOT INDEXED")
      query.keepsInvalidText = true
      defer { query.reset() }
      try query.start()
      while let row = try query.next() {
        try checkpoint()
        try insert { try insertion.run(row, invalidText: query.invalidTextColumns) }
      }
      return true
    } catch let error as CopyError {
      throw error.cause
    } catch let error as StoreError where Self.isDamage(error) {
      return false
    }
  }

  /// An error of the copy, not of the damaged file.
  private struct CopyError: Error {
    let cause: any Error
  }

  /// Writes a row, and counts it.
  private func insert(_ write: () throws -> Void) throws {
    do {
      try write()
      report.savedCount += 1
    } catch let error as StoreError where Self.isRefusal(error) {
      report.refusedCount += 1
    } catch {
      throw CopyError(cause: error)
    }
  }

  private static func isRefusal(_ error: StoreError) -> Bool {
    error.isConstraint || [.statementFailed, .tooBig, .outOfMemory].contains(error.code)
  }

  private static func isDamage(_ error: StoreError) -> Bool {
    switch error.code {
    // A read that fails is of a bad block, or of a file that was cut.
    case .corrupt, .notADatabase, .ioError, .tooBig, .outOfMemory, .statementFailed: true
    default: false
    }
  }

  // MARK: - Page by page

  private func readLeaves(_ parts: StoredParts, _ rows: PageRows) throws {
    let (leaves, endsWithHole) = parts.leavesByRowID
    for leaf in leaves {
      if leaf.isStray || leaf.followsHole { isAfterGap = true }
      try read(leaf, rows)
      if leaf.isStray { isAfterGap = true }
    }
    if endsWithHole { isAfterGap = true }
  }

  private func readParts(_ parts: StoredParts, _ rows: PageRows) throws {
    // Rows of pages that nothing leads to come last, and say nothing of what is between them.
    var strays: [StoredLeaf] = []
    for part in parts.parts {
      switch part {
      case .leaf(let leaf) where leaf.isStray: strays.append(leaf)
      case .leaf(let leaf): try read(leaf, rows)
      case .row(let page, let position): try read(rows.row(page, position), rows)
      case .hole: isAfterGap = true
      }
    }
    if isAfterGap { noteGap(before: nil) }
    for leaf in strays { try read(leaf, rows) }
    isAfterGap = false
  }

  private func read(_ leaf: StoredLeaf, _ rows: PageRows) throws {
    let saved = report.savedCount
    if leaf.isDamaged { isAfterGap = true }
    try rows.read(leaf) { try read($0, rows) }
    if leaf.isDamaged { isAfterGap = true }
    if leaf.isStray { report.strayCount += report.savedCount - saved }
  }

  private func read(_ row: PageRows.Row?, _ rows: PageRows) throws {
    guard let row else {
      isAfterGap = true
      return
    }
    try checkpoint()
    let key = row.id.map { [StoredValue.integer($0)] } ?? rows.key(of: row.record, schema)
    if isAfterGap { noteGap(before: key) }
    last = key
    do {
      try insert { try rows.writer.write(row.record, id: row.id) }
    } catch let error as CopyError {
      throw error.cause
    }
  }

  // MARK: - Gaps

  /// Notes that rows between the last one and another are missing, unless there can be none.
  private func noteGap(before key: [StoredValue]?) {
    isAfterGap = false
    if case .integer(let id)? = key?.first, schema.keyIsRowID {
      if id == .min { return }
      if case .integer(let before)? = last?.first, before >= id - 1 { return }
    }
    report.gaps.append(
      SalvageReport.Gap(after: last.map(Self.text), before: key.map(Self.text)))
  }

  private static func text(_ key: [StoredValue]) -> String {
    key.map(\.description).joined(separator: ", ")
  }
}

extension TableSchema {
  /// Whether rows are found by their row ids.
  fileprivate var keyIsRowID: Bool { !listing.isWithoutRowID }
}
