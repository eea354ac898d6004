internal import Sectile
internal import SectileInspecting

/// Finds out how the rows of two tables are told apart: by the primary key, else by a unique index
/// without NULL, else by row id.
struct DiffKeys {
  private let before: DiffFile
  private let after: DiffFile

  /// Looks at two files.
  init(_ before: DiffFile, _ after: DiffFile) {
    self.before = before
    self.after = after
  }

  /// Returns what to compare of a table.
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - isOld: Whether the first file's rows are meant.
  ///   - isNew: Whether the second file's rows are meant.
  ///   - role: What becomes of the table.
  ///   - isPatch: Whether the differences are to be carried out.
  ///   - added: The columns that the first file's rows are to get before.
  /// - Returns: One comparison; or two, of each table with one without rows, where nothing tells
  ///   their rows apart in the same way.
  /// - Throws: ``CommandFailure`` for a table that cannot be read; ``StoreError``.
  func parts(
    _ name: String, isOld: Bool, isNew: Bool, role: DiffPart.Role, isPatch: Bool,
    added: AddedColumns? = nil
  ) throws -> [DiffPart] {
    let old = isOld ? try side(name, before) : nil
    let new = isNew ? try side(name, after) : nil
    guard let old, let new else {
      guard let only = old ?? new else { return [] }
      let key = try key(of: only) ?? Self.refuse(only)
      let diff = TableDiff(
        old?.side, new?.side, key: key, columns: only.writtenColumns)
      return [DiffPart(name: only.schema.name, role: role, diff: diff, schema: only.schema)]
    }
    guard let key = try commonKey(old, new) else {
      if isPatch { _ = try Self.refuse(old) }
      return try parts(name, isOld: true, isNew: false, role: .removed, isPatch: isPatch)
        + parts(name, isOld: false, isNew: true, role: .added, isPatch: isPatch)
    }
    let names = Set(old.writtenColumns.map { $0.lowercased() })
    let columns = new.writtenColumns.filter { name in
      names.contains(name.lowercased()) || added?.defaults[name.lowercased()] != nil
    }
    if let added { old.side.defaults = try added.literals(for: before) }
    let diff = TableDiff(old.side, new.side, key: key, columns: columns)
    return [DiffPart(name: old.schema.name, role: role, diff: diff, schema: old.schema)]
  }

  /// A table of one file.
  private struct Side {
    let side: DiffSide
    let schema: TableSchema

    /// The columns that somebody writes; the others follow from them.
    var writtenColumns: [String] { schema.columns.filter { $0.origin == .written }.map(\.name) }
  }

  private func side(_ name: String, _ file: DiffFile) throws -> Side {
    do {
      guard let schema = try TableSchema(of: name, in: file.connection) else {
        throw CommandFailure(.data, "there is no table '\(name)' in \(file.path)")
      }
      return Side(side: try DiffSide(file, table: name), schema: schema)
    } catch let error as StoreError where error.code == .statementFailed {
      throw Self.failure(of: error, in: name)
    }
  }

  /// What it is called where SQLite cannot read the rows of a table.
  static func failure(of error: StoreError, in table: String) -> CommandFailure {
    CommandFailure(
      .data, "\(table) cannot be read: \(error.message)", hint: "--skip \(table) leaves it out.")
  }

  private static func refuse(_ side: Side) throws -> [String] {
    throw CommandFailure(
      .data, "nothing tells the rows of \(side.schema.name) apart, not even a row id",
      hint: "--skip \(side.schema.name) leaves it out; --table and --key compare it alone.")
  }

  /// The key of one table; nil where it has none.
  private func key(of side: Side) throws -> [String]? {
    let declared = side.side.shape.keyColumns
    if !declared.isEmpty, try !holdsNull(declared, side) { return declared }
    return side.schema.rowIDNames.first.map { [$0] }
  }

  private func commonKey(_ old: Side, _ new: Side) throws -> [String]? {
    let (first, second) = (old.side.shape.keyColumns, new.side.shape.keyColumns)
    let isSame = first.map { $0.lowercased() } == second.map { $0.lowercased() }
    if isSame, !first.isEmpty, try !holdsNull(first, old), try !holdsNull(second, new) {
      return first
    }
    let names = old.schema.rowIDNames.filter(new.schema.rowIDNames.contains)
    // Row ids that have a name of their own in one table mean something there.
    let isAlias = old.schema.rowIDColumn != nil || new.schema.rowIDColumn != nil
    if let name = names.first, !isAlias { return [name] }
    return names.isEmpty && first.isEmpty && second.isEmpty ? try Self.refuse(old) : nil
  }

  /// Whether a key has NULL in it, which SQLite allows in keys of most tables, several times.
  private func holdsNull(_ key: [String], _ side: Side) throws -> Bool {
    let nullable = key.filter { name in
      side.schema.columns.contains {
        $0.name == name && !$0.isNotNull && $0.name != side.schema.rowIDColumn
      }
    }
    if nullable.isEmpty || side.schema.listing.isWithoutRowID { return false }
    let condition = nullable.map { "\(SQLName.quote($0)) IS NULL" }.joined(separator: " OR ")
    return try side.side.file.integer(
      "SELECT EXISTS (SELECT 1 FROM \(SQLName.table(side.schema.name)) WHERE \(condition))") > 0
  }
}
