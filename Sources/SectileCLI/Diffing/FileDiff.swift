internal import Sectile
internal import SectileInspecting

/// Compares two files: their schemas, and the rows of all tables.
///
/// Left out are the rows of views, what SQLite keeps for itself (statistics, indexes of
/// constraints), a change log with its triggers, and the tables in which virtual tables keep their
/// contents, unless tables are asked for.
final class FileDiff {
  /// What to compare.
  struct Options {
    /// The tables; none for all.
    var tables: [String] = []
    /// The tables to leave out.
    var skipped: [String] = []
    /// Whether tables are meant in which virtual tables keep their contents.
    var withShadows = false
  }

  /// The numbers in the head of a file that belong to its contents.
  static let settings = ["user_version", "application_id"]

  private let before: DiffFile
  private let after: DiffFile
  private let options: Options
  private let old: [SchemaEntry]
  private let new: [SchemaEntry]
  private var summary = FileDiffSummary()
  private var rowCount = 0
  // Names of tables, in lower case.
  private var compared: Set<String> = []
  private var different: Set<String> = []
  /// Those whose rows would come and go.
  private var touched: Set<String> = []
  /// The indexes of text that other tables hold.
  private var indexes: [String] = []
  /// The indexes of text that nobody holds and that differ: no patch can bring them to the other
  /// file's state.
  private(set) var unpatchable: [String] = []

  /// Reads both schemas.
  ///
  /// - Parameters:
  ///   - before: The first file.
  ///   - after: The second file.
  ///   - options: What to compare.
  /// - Throws: ``CommandFailure`` for a table that neither file has; ``StoreError``.
  init(_ before: DiffFile, _ after: DiffFile, options: Options) throws {
    self.before = before
    self.after = after
    self.options = options
    let old = try SchemaEntry.all(in: before.connection, withShadows: options.withShadows)
    let new = try SchemaEntry.all(in: after.connection, withShadows: options.withShadows)
    let known = Set((old + new).map { $0.table.lowercased() })
    for name in options.tables + options.skipped where !known.contains(name.lowercased()) {
      throw CommandFailure(
        .data, "there is no table '\(name)' in \(before.path) or in \(after.path)",
        hint: Spelling.closest(to: name, in: (old + new).map(\.table))
          .map { "Did you mean \($0)?" } ?? "sectile sqlite \(before.path) lists the tables.")
    }
    let wanted = Set(options.tables.map { $0.lowercased() })
    let left = Set(options.skipped.map { $0.lowercased() })
    func isMeant(_ entry: SchemaEntry) -> Bool {
      let name = entry.table.lowercased()
      // A log tells what happened in its own file, and a patch is logged by the triggers that are
      // there.
      if entry.isOfChangeLog { return LogTables.isOwn(name) && wanted.contains(name) }
      return (wanted.isEmpty || wanted.contains(name)) && !left.contains(name)
    }
    self.old = old.filter(isMeant)
    self.new = new.filter(isMeant)
  }

  /// The triggers that both files have, on tables that stay what they are.
  var keptTriggers: [SchemaEntry] {
    new.filter { entry in
      entry.kind == .trigger && !isReplaced(entry)
        && old.contains { $0.isSame(as: entry) }
    }
  }

  /// Compares.
  ///
  /// - Parameters:
  ///   - writer: Hears each difference, in the order in which they would be carried out.
  ///   - advance: Hears now and then how many rows were compared.
  /// - Returns: How many there are.
  /// - Throws: ``CommandFailure`` for a table that cannot be compared; ``StoreError``; what the
  ///   writer throws.
  func run(
    _ writer: any FileDiffWriting, advance: (_ rows: Int) throws -> Void = { _ in }
  ) throws -> FileDiffSummary {
    summary = FileDiffSummary()
    try writer.begin()
    for kind in [SchemaEntry.Kind.trigger, .view, .index] {
      for entry in old where entry.kind == kind { try drop(entry, writer) }
    }
    for entry in old where entry.kind == .table { try compareOldTable(entry, writer, advance) }
    for entry in new where entry.kind == .table && namesake(of: entry, in: old) == nil {
      summary.schemaCount += 1
      try writer.create(entry, original: nil)
      try compare(nil, entry, role: .added, writer, advance)
    }
    for kind in [SchemaEntry.Kind.index, .view, .trigger] {
      for entry in new where entry.kind == kind { try create(entry, writer) }
    }
    if writer.isPatch && !touched.isEmpty {
      for name in indexes { try writer.rebuild(name) }
    }
    try compareSequences(writer)
    if options.tables.isEmpty { try compareSettings(writer) }
    summary.tableCount = compared.count
    summary.differentTableCount = different.count
    if writer.isPatch, !summary.isEqual, let new = try after.connection.orphanCount(), new > 0,
      let old = try before.connection.orphanCount()
    {
      summary.newOrphanCount = new - old
    }
    try writer.finish(summary)
    return summary
  }

  // MARK: - The schema

  private func namesake(of entry: SchemaEntry, in entries: [SchemaEntry]) -> SchemaEntry? {
    entries.first { $0.isNamesake(of: entry) }
  }

  /// Whether the table or view that an entry belongs to is not the same in both files.
  private func isReplaced(_ entry: SchemaEntry) -> Bool {
    func owner(in entries: [SchemaEntry]) -> SchemaEntry? {
      entries.first {
        ($0.kind == .table || $0.kind == .view)
          && $0.name.lowercased() == entry.table.lowercased()
      }
    }
    guard let old = owner(in: old), let new = owner(in: new) else { return true }
    return !old.isSame(as: new)
  }

  private func drop(_ entry: SchemaEntry, _ writer: any FileDiffWriting) throws {
    let other = namesake(of: entry, in: new)
    let isSame = other.map { $0.isSame(as: entry) } ?? false
    if isSame && (entry.kind == .view || !isReplaced(entry)) { return }
    // What goes and comes back with its table is no difference of its own.
    if isSame && !writer.isPatch { return }
    if !isSame { summary.schemaCount += 1 }
    try writer.drop(entry, replacement: other)
  }

  private func create(_ entry: SchemaEntry, _ writer: any FileDiffWriting) throws {
    let other = namesake(of: entry, in: old)
    let isSame = other.map { $0.isSame(as: entry) } ?? false
    if isSame && (entry.kind == .view || !isReplaced(entry) || !writer.isPatch) { return }
    if other == nil { summary.schemaCount += 1 }
    try writer.create(entry, original: other)
  }

  // MARK: - Rows

  private func compareOldTable(
    _ entry: SchemaEntry, _ writer: any FileDiffWriting, _ advance: (Int) throws -> Void
  ) throws {
    guard let other = namesake(of: entry, in: new) else {
      summary.schemaCount += 1
      try compare(entry, nil, role: .removed, writer, advance)
      return try writer.drop(entry, replacement: nil)
    }
    if other.isSame(as: entry) { return try compare(entry, other, role: .kept, writer, advance) }
    summary.schemaCount += 1
    guard writer.isPatch else {
      try writer.drop(entry, replacement: other)
      return try compare(entry, other, role: .kept, writer, advance)
    }
    if let added = try AddedColumns(from: entry, to: other) {
      for sql in added.statements { try writer.alter(entry, by: sql) }
      return try compare(entry, other, role: .kept, added: added, writer, advance)
    }
    try compare(entry, nil, role: .removed, writer, advance)
    try writer.drop(entry, replacement: other)
    try writer.create(other, original: entry)
    try compare(nil, other, role: .added, writer, advance)
  }

  private func compare(
    _ entry: SchemaEntry?, _ other: SchemaEntry?, role: DiffPart.Role,
    added: AddedColumns? = nil, _ writer: any FileDiffWriting, _ advance: (Int) throws -> Void
  ) throws {
    guard let shown = entry ?? other else { return }
    let name = shown.name.lowercased()
    compared.insert(name)
    if role != .kept { touched.insert(name) }
    if shown.keepsNoRows {
      if shown.isContentless {
        guard try role == .removed || hasSameShadows(entry, shown) else {
          unpatchable.append(shown.name)
          different.insert(name)
          return
        }
      } else if role != .removed {
        indexes.append(shown.name)
      }
      return
    }
    let parts = try DiffKeys(before, after).parts(
      shown.name, isOld: entry != nil, isNew: other != nil, role: role,
      isPatch: writer.isPatch, added: added)
    do {
      for part in parts where try compare(part, writer, advance) {
        different.insert(name)
        touched.insert(name)
      }
    } catch let error as StoreError where error.code == .statementFailed {
      throw DiffKeys.failure(of: error, in: shown.name)
    }
  }

  /// Returns whether the tables in which a full-text index keeps itself have the same rows.
  ///
  /// - Parameters:
  ///   - entry: The index in the first file; nil where there is none, which has no words.
  ///   - index: The index in the second file.
  /// - Returns: Whether they have; true where they are compared like other tables.
  /// - Throws: ``CommandFailure``, ``StoreError``.
  private func hasSameShadows(_ entry: SchemaEntry?, _ index: SchemaEntry) throws -> Bool {
    if options.withShadows { return true }
    let shadows = try SchemaEntry.all(in: after.connection, withShadows: true)
      .filter { $0.isShadow(of: index) }.map(\.name)
    // An index without words has no sizes of documents.
    let sizes = shadows.first { $0.lowercased().hasSuffix("_docsize") }
    guard entry != nil else {
      guard let sizes else { return false }
      return try after.integer("SELECT EXISTS (SELECT 1 FROM \(SQLName.table(sizes)))") == 0
    }
    struct Found: Error {}
    do {
      for name in shadows {
        let parts = try DiffKeys(before, after).parts(
          name, isOld: true, isNew: true, role: .kept, isPatch: false)
        for part in parts { _ = try part.diff.run { _ in throw Found() } }
      }
    } catch is Found {
      return false
    }
    return true
  }

  /// Compares the rows of a table, and returns whether they differ.
  private func compare(
    _ part: DiffPart, _ writer: any FileDiffWriting, _ advance: (Int) throws -> Void
  ) throws -> Bool {
    let rows = try writer.makeRowWriter(for: part)
    var hasBegun = false
    var counts = DiffSummary()
    for pass in 0..<rows.passCount {
      var isFirst = true
      let before = rowCount
      counts = try part.diff.run(
        advance: { rows in
          rowCount = before + rows
          try advance(rowCount)
        }
      ) { difference in
        if !hasBegun { try rows.begin() }
        hasBegun = true
        if isFirst { try rows.beginPass(pass) }
        isFirst = false
        try rows.write(difference)
      }
    }
    if hasBegun { try rows.finish(counts) }
    return hasBegun
  }

  // MARK: - Numbers

  private func compareSequences(_ writer: any FileDiffWriting) throws {
    let (old, new) = (try before.sequences(), try after.sequences())
    for name in Set(old.keys).union(new.keys).sorted() {
      let isThere = self.new.contains { $0.kind == .table && $0.name == name }
      guard isThere else { continue }
      let isSame = old[name] == new[name]
      // Rows that come in leave their traces.
      if isSame && !(writer.isPatch && touched.contains(name.lowercased())) { continue }
      if !isSame { summary.settingCount += 1 }
      try writer.sequence(of: name, before: old[name], after: new[name])
    }
  }

  private func compareSettings(_ writer: any FileDiffWriting) throws {
    for name in Self.settings {
      let (old, new) = (
        try before.integer("PRAGMA \(name)"), try after.integer("PRAGMA \(name)")
      )
      guard old != new else { continue }
      summary.settingCount += 1
      try writer.setting(name, before: old, after: new)
    }
  }
}
