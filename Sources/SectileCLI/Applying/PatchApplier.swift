internal import Sectile

/// Carries out the lines of a patch: those of `sectile diff` in one transaction, those of
/// `sectile watch` in one for each change.
///
/// Triggers do not run, but for those of a change log: the patch has what they did. For a patch of
/// `sectile diff` foreign keys do not act either, and are checked at the end.
final class PatchApplier {
  /// What is asked for.
  struct Options {
    /// What to do about conflicts.
    var policy = ConflictPolicy.error
    /// Whether all is undone at the end.
    var isDryRun = false
    /// Whether rows may refer to what is not there.
    var allowsOrphans = false
    /// The table to change, if its name differs from the one in the patch.
    var table: String?
  }

  /// What the lines are of.
  private enum Source {
    case diff
    case watch
  }

  /// What was done, in all transactions.
  private(set) var summary = ApplySummary()
  /// Whether the lines are those of a watch, which have no end of their own.
  var isStream: Bool { source == .watch }

  private let connection: InspectionConnection
  private let options: Options
  private let tell: (_ conflict: String) throws -> Void
  private let silence: TriggerSilence
  private var source: Source?
  private var rows: RowPatcher?
  private var stream: StreamPatcher?
  private var patchTable: String?
  /// Whether the changes that follow are of a table that is not there.
  private var isSkippingTable = false
  private var isOpen = false
  private var isWholeFile = false
  /// How many rows referred to what is not there before; nil where SQLite cannot tell.
  private var orphanCount: Int?
  /// How many more do in the file that the patch makes.
  private var newOrphanCount = 0

  /// Creates an applier.
  ///
  /// - Parameters:
  ///   - connection: A connection that may write.
  ///   - options: What is asked for.
  ///   - tell: Hears of each conflict.
  init(
    on connection: InspectionConnection, options: Options,
    tell: @escaping (_ conflict: String) throws -> Void
  ) {
    self.connection = connection
    self.options = options
    self.tell = tell
    summary.isDryRun = options.isDryRun
    silence = TriggerSilence(on: connection)
  }

  /// Carries out a line.
  ///
  /// - Throws: ``CommandFailure`` for a line that has no place here, or does not fit the file;
  ///   ``StoreError``. Nothing of the open transaction is written then.
  func apply(_ line: PatchLine) throws {
    switch line {
    case .start, .willLoad, .partial, .finished, .note: try become(.watch)
    default: try become(.diff)
    }
    switch line {
    case .file: isWholeFile = true
    case .schema(let action, let entry):
      try refuseTable("a change of the schema")
      try addSchema(
        SchemaPatcher(connection: connection, policy: options.policy, conflict: tell)
          .apply(action, entry))
    case .table(let name, let key): try beginTable(name, key)
    case .delete, .insert, .update: if !isSkippingTable { try applyToRow(line) }
    case .summary(let deletes, let inserts, let updates):
      try endTable((deletes, inserts, updates))
    case .rebuild(let table): try rebuild(table)
    case .sequence(let table, let number): try setSequence(table, number)
    case .setting(let name, let before, let after): try set(name, before, after)
    case .end(let newOrphans):
      isWholeFile = false
      newOrphanCount = newOrphans
    case .start, .willLoad, .partial, .finished, .note: try applyToStream(line)
    }
  }

  /// Ends the patch, after its last line.
  ///
  /// - Throws: ``CommandFailure`` where it is not complete, or breaks foreign keys.
  func finish() throws {
    guard source == .diff else {
      // The batch that did not come to its end is of no use.
      return rollBack()
    }
    guard rows == nil, !isSkippingTable, !isWholeFile else {
      throw CommandFailure(
        .data, "the patch ends in the middle; nothing was written",
        hint: "Make it again: sectile diff writes a summary after the rows of each table.")
    }
    let isRefused = options.policy == .error && summary.conflictCount > 0
    if !isRefused { try checkForeignKeys() }
    summary.isRefused = isRefused
    try close(commits: !isRefused)
  }

  /// Undoes the transaction that is open.
  func rollBack() {
    if connection.isInTransaction { _ = try? connection.run("ROLLBACK") { _ in } }
    silence.forget()
    isOpen = false
  }

  // MARK: - Transactions

  private func become(_ source: Source) throws {
    if self.source == source { return }
    guard self.source == nil else {
      throw CommandFailure(.data, "lines of sectile diff and of sectile watch are mixed")
    }
    self.source = source
    try connection.run("PRAGMA foreign_keys = \(source == .watch ? "ON" : "OFF")") { _ in }
    if source == .diff { try open() }
  }

  private func open() throws {
    try connection.prepare("BEGIN IMMEDIATE").run()
    isOpen = true
    if source == .watch {
      // Foreign keys act, and may reach other tables.
      try silence.begin()
      return try connection.prepare("PRAGMA defer_foreign_keys = ON").run()
    }
    orphanCount = try connection.orphanCount()
  }

  private func close(commits: Bool) throws {
    let isCommitted = commits && !options.isDryRun
    if isCommitted { try silence.end() }
    try connection.prepare(isCommitted ? "COMMIT" : "ROLLBACK").run()
    silence.forget()
    isOpen = false
    if isCommitted { summary.batchCount += 1 }
  }

  private func checkForeignKeys() throws {
    guard !options.allowsOrphans, let before = orphanCount,
      let after = try connection.orphanCount()
    else { return }
    let count = after - before - max(newOrphanCount, 0)
    guard count > 0 else { return }
    throw CommandFailure(
      .data,
      "\(CountText.text(count, "row")) more would refer to what is not there than the patch says; "
        + "nothing was written",
      hint: "This file has other rows than the one that the patch is for. "
        + "--allow-orphans applies it all the same.")
  }

  // MARK: - Lines of sectile diff

  private static func misplaced(_ what: String) -> CommandFailure {
    CommandFailure(.data, "\(what) has no place here in the patch")
  }

  private func refuseTable(_ what: String) throws {
    guard rows == nil, !isSkippingTable else { throw Self.misplaced(what) }
    if options.table != nil {
      throw CommandFailure(.usage, "--table is for a patch of one table, and this has \(what)")
    }
  }

  private func target(_ name: String, _ key: [String]) throws -> TargetTable {
    if options.table != nil, let patchTable, patchTable != name {
      throw CommandFailure(
        .usage, "--table is for a patch of one table, and this has \(patchTable) and \(name)")
    }
    patchTable = name
    return try TargetTable(options.table ?? name, key: key, on: connection)
  }

  private func beginTable(_ name: String, _ key: [String]) throws {
    guard rows == nil, !isSkippingTable else { throw Self.misplaced("a table") }
    if options.table == nil, try TableListing(of: name, in: connection) == nil {
      isSkippingTable = true
      summary.conflictCount += 1
      return try tell("table \(name) is not there")
    }
    let target = try target(name, key)
    try silence.begin(for: target.name)
    rows = RowPatcher(target, policy: options.policy, on: connection, conflict: tell)
  }

  private func applyToRow(_ line: PatchLine) throws {
    let rows = try rowPatcher()
    switch line {
    case .delete(let id, let row): try rows.delete(id, row)
    case .insert(let id, let row): try rows.insert(id, row)
    case .update(let id, let before, let after): try rows.update(id, before, after)
    default: break
    }
  }

  private func rowPatcher() throws -> RowPatcher {
    guard let rows else { throw Self.misplaced("a row without its table") }
    return rows
  }

  private func endTable(_ counts: (deletes: Int, inserts: Int, updates: Int)) throws {
    if isSkippingTable { return isSkippingTable = false }
    let rows = try rowPatcher()
    guard rows.lineCounts == counts else {
      throw CommandFailure(
        .data, "the patch does not have all changes of \(rows.table.name); nothing was written")
    }
    try rows.finish()
    try silence.end()
    summary.add(rows.summary)
    self.rows = nil
  }

  private func rebuild(_ table: String) throws {
    let entry = try SchemaEntry.all(in: connection).first {
      $0.kind == .table && $0.name.lowercased() == table.lowercased()
    }
    // Older patches ask for it where there is nothing to make the index of.
    if entry?.isContentless == true { return }
    let name = SQLName.quote(table)
    try connection.prepare("INSERT INTO main.\(name)(\(name)) VALUES('rebuild')").run()
  }

  private func addSchema(_ isFine: Bool) {
    if isFine { summary.schemaCount += 1 } else { summary.conflictCount += 1 }
  }

  private func setSequence(_ table: String, _ number: Int64?) throws {
    try refuseTable("a sequence")
    let name = StoredValue.text(table)
    try connection.prepare("DELETE FROM main.sqlite_sequence WHERE name = ?").run([name])
    if let number {
      try connection.prepare("INSERT INTO main.sqlite_sequence(name, seq) VALUES (?, ?)")
        .run([name, .integer(number)])
    }
    summary.schemaCount += 1
  }

  private func set(_ name: String, _ before: Int64, _ after: Int64) throws {
    try refuseTable("a setting")
    guard FileDiff.settings.contains(name) else {
      throw CommandFailure(.data, "the patch has a setting '\(name)', which is not known")
    }
    let current = try connection.firstValue("PRAGMA \(name)") ?? .null
    guard current == .integer(before) || options.policy == .force else {
      addSchema(false)
      return try tell("\(name) is \(current), not \(before)")
    }
    try connection.run("PRAGMA \(name) = \(after)") { _ in }
    addSchema(true)
  }

  // MARK: - Lines of sectile watch

  private func applyToStream(_ line: PatchLine) throws {
    if case .start(let name, let key, let columns) = line {
      rollBack()
      let table = try target(name, key)
      _ = try table.writable(PatchRow(names: columns, values: columns.map { _ in .null }))
      stream = StreamPatcher(
        table, policy: options.policy, on: connection, conflict: tell)
      return
    }
    guard let stream else {
      throw CommandFailure(
        .data, "the lines begin in the middle of a watch",
        hint: "Keep its first line, which says what the table and its key are.")
    }
    switch line {
    case .willLoad: if !isOpen { try openBatch(stream) }
    case .partial(let deletes, let rows, let isComplete):
      if !isOpen { try openBatch(stream) }
      try stream.apply(deletes: deletes, rows: rows, isComplete: isComplete)
    case .finished(let rowCount):
      if !isOpen { try openBatch(stream) }
      try stream.finish(rowCount: rowCount)
      try closeBatch(stream)
    default: break
    }
  }

  private func openBatch(_ stream: StreamPatcher) throws {
    try open()
    try stream.begin()
  }

  private func closeBatch(_ stream: StreamPatcher) throws {
    summary.add(stream.summary)
    guard options.policy != .error || stream.summary.conflictCount == 0 else {
      summary.isRefused = true
      rollBack()
      throw CommandFailure(
        .failed, "a row does not fit the copy; the last change was not written",
        hint: "--on-conflict skip leaves such rows out.")
    }
    do {
      try close(commits: true)
    } catch let error as StoreError where error.code == .foreignKeyConstraint {
      rollBack()
      throw CommandFailure(
        .failed, "a row refers to what the copy does not have; the last change was not written",
        hint: "Keep a copy of the other table first, or drop the foreign key in the copy.")
    }
  }
}
