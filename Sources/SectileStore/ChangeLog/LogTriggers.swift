internal import SectileCore

/// The triggers by which a table writes to the change log: a function of the schema alone.
///
/// ```
/// after insert   the new key        after update   the key afterwards
/// after delete   the old key        key            the key before, where that is another one
/// guards         the rows that REPLACE would remove: see ``LogGuard``
/// ```
///
/// Every writer of the file runs them, whatever program it is. Therefore a trigger uses nothing
/// that a connection may lack or forbid: plain columns and `random()`. It names the key columns,
/// and what unique indexes are of, but no other column: SQLite drops no column that a trigger
/// names. Where values are kept, they name all columns, and use `julianday` as well.
package enum LogTriggers {
  /// Returns the triggers of a table.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - id: The number by which the log names it.
  ///   - keepsValues: Whether they keep old values, too; see ``LogValues``.
  ///   - source: The connection that the table is in.
  /// - Returns: The triggers, or the reason why there are none.
  /// - Throws: ``StoreError`` where the schema cannot be read.
  /// - Complexity: O(*n*) in the columns and unique indexes of the table. Where an index is of an
  ///   expression, the triggers are tried on a copy of the table.
  package static func of(
    _ table: TableSchema, id: Int64, keepsValues: Bool = false, in source: some SchemaSource
  ) throws(StoreError) -> LogTrackability {
    if let reason = reasonAgainst(table) { return .untracked(reason) }
    if let reason = try reasonAgainstReferences(
      to: table, amongAll: keepsValues, in: source)
    {
      return .untracked(reason)
    }
    let keys = table.keyColumns
    let entry = LogEntry(
      table: id, keys: keys, values: keepsValues ? LogValues(of: table) : nil)
    let indexes = try UniqueIndex.all(of: table, in: source)
    let creation = try TableSchema.creation(ofTable: table.name, in: source)
    let guards: [LogGuard]
    do throws(LogGuard.Obstacle) {
      guards = try self.guards(of: indexes, on: table, creation, keepsValues: keepsValues)
    } catch {
      return .untracked(error.reason)
    }
    let triggers = keyTriggers(of: table, entry) + guardTriggers(of: table, entry, guards)
    if guards.contains(where: \.hasExpressions),
      let refusal = LogTriggerTrial(table: table, creation: creation, indexes: indexes)
        .refusal(of: triggers)
    {
      return .untracked(refusal)
    }
    return .tracked(keys: keys, triggers: triggers)
  }

  private static func guards(
    of indexes: [UniqueIndex], on table: TableSchema, _ creation: String?, keepsValues: Bool
  ) throws(LogGuard.Obstacle) -> [LogGuard] {
    let generated = GeneratedColumns(of: table, creation: creation)
    var guards = [LogGuard(ofRowIDsOf: table, keepsValues: keepsValues)].compactMap { $0 }
    for index in indexes {
      if let found = try LogGuard(of: index, on: table, generated, keepsValues: keepsValues) {
        guards.append(found)
      }
    }
    // In FROM, these names would hide the row of the trigger.
    guard guards.isEmpty || !["new", "old"].contains(table.name.lowercased()) else {
      throw LogGuard.Obstacle(
        reason: "\(table.name) has a unique index, and its name means another row in a trigger.")
    }
    return guards
  }

  /// Why no trigger can follow a table, whatever its indexes are.
  private static func reasonAgainst(_ table: TableSchema) -> String? {
    let name = table.name
    switch table.kind {
    case .view: return "\(name) is a view, and has no rows of its own."
    case .virtual: return "\(name) is a virtual table, and SQLite allows no triggers on it."
    case .shadow: return "\(name) is the inside of a virtual table."
    case .table: break
    }
    guard !LogTables.isOwn(name) else { return "\(name) belongs to Sectile itself." }
    let keys = table.keyColumns
    guard !keys.isEmpty else {
      return "\(name) declares no primary key, so that nothing tells its rows apart for good."
    }
    guard keys.count <= LogTables.keyColumns.count else {
      return """
        The primary key of \(name) has \(keys.count) columns, and the change log has room for \
        \(LogTables.keyColumns.count).
        """
    }
    return nil
  }

  /// Why a trigger would not see keys as they are stored.
  ///
  /// Before AFTER triggers run, SQLite looks for the rows that refer to a key, and converts the key
  /// in the place where triggers find it: to a number, for a column of numbers with an index.
  ///
  /// With `isAmongAll` all columns are asked about, and not those of the key alone.
  private static func reasonAgainstReferences(
    to table: TableSchema, amongAll isAmongAll: Bool, in source: some SchemaSource
  ) throws(StoreError) -> String? {
    // A row id is a number already.
    guard table.rowIDColumn == nil || isAmongAll else { return nil }
    let reference = try ForeignKeyReference.all(to: table, in: source).first { reference in
      reference.target.name != table.rowIDColumn
        && (reference.target.keyPosition > 0 || isAmongAll)
        && table.affinity(of: reference.target)
          .isConverted(to: reference.table.affinity(of: reference.column))
    }
    return reference.map {
      """
      \($0.table.name).\($0.column.name) refers to \(table.name).\($0.target.name) and has another type, \
      so that SQLite hands its values to triggers in another form than they are stored in.
      """
    }
  }

  private static func keyTriggers(of table: TableSchema, _ entry: LogEntry) -> [LogTrigger] {
    let name = SQLName.quote(table.name)
    return [
      LogTrigger(
        entry.name("insert"), "AFTER INSERT ON \(name)", entry.insertions(.insert, of: "NEW")),
      LogTrigger(
        entry.name("update"), "AFTER UPDATE ON \(name)", entry.insertions(.update, of: "NEW")),
      // A trigger of its own with a condition costs less than a second statement in the one above.
      LogTrigger(
        entry.name("key"), "AFTER UPDATE\(keyUpdate(of: table)) ON \(name)",
        when: keyChange(of: table), entry.insertions(.delete, of: "OLD")),
      LogTrigger(
        entry.name("delete"), "AFTER DELETE ON \(name)", entry.insertions(.delete, of: "OLD")),
    ]
  }

  /// The columns that a statement must name to change a key; empty where it may do so by another
  /// name: `SET rowid = …` is no `UPDATE OF` the column that is the row id.
  private static func keyUpdate(of table: TableSchema) -> String {
    table.rowIDColumn == nil
      ? " OF " + table.keyColumns.map(SQLName.quote).joined(separator: ", ") : ""
  }

  private static func keyChange(of table: TableSchema) -> String {
    table.columns.filter { $0.keyPosition > 0 }.map(table.change).joined(separator: " OR ")
  }
}

extension LogTriggers {
  /// Returns the triggers that a table that is followed needs: without old values where these
  /// cannot be kept.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - id: The number by which the log names it.
  ///   - wantsValues: Whether old values are asked for.
  ///   - source: The connection that the table is in.
  /// - Returns: The triggers, or the reason why there are none; and whether they keep values.
  /// - Throws: ``StoreError`` where the schema cannot be read.
  static func needed(
    by table: TableSchema, id: Int64, wantsValues: Bool, in source: some SchemaSource
  ) throws(StoreError) -> (trackability: LogTrackability, keepsValues: Bool) {
    if wantsValues {
      let found = try of(table, id: id, keepsValues: true, in: source)
      if case .tracked = found { return (found, true) }
    }
    return (try of(table, id: id, in: source), false)
  }
}

extension SQLName {
  /// A column of the row that a trigger is about.
  static func of(_ row: String, _ column: String) -> String { "\(row).\(quote(column))" }
}

extension TableSchema {
  /// When an update changes a column.
  func change(of column: Column) -> String {
    let (old, new) = (SQLName.of("OLD", column.name), SQLName.of("NEW", column.name))
    if column.name == rowIDColumn { return "\(old) <> \(new)" }
    let comparison = "\(old) IS NOT \(new) COLLATE BINARY"
    // Without a type, 1 and 1.0 are equal, and yet two values.
    return affinity(of: column).tellsNumbersApart
      ? "\(comparison) OR typeof(\(old)) <> typeof(\(new))" : comparison
  }

  /// What a column makes of values.
  func affinity(of column: Column) -> ColumnAffinity {
    // The one type of a STRICT table that is none elsewhere.
    listing.isStrict && column.declaredType.uppercased() == "ANY"
      ? .none : ColumnAffinity(declaredType: column.declaredType)
  }
}

extension ColumnAffinity {
  /// Whether a column holds numbers as integers and as reals though they are equal.
  var tellsNumbersApart: Bool { self == .none || self == .blob }

  /// Whether a value of this column may become another one in a column of another affinity.
  fileprivate func isConverted(to other: ColumnAffinity) -> Bool {
    switch (self, other) {
    case (_, .none), (_, .blob), (_, .text), (.real, .real): false
    case (.integer, .integer), (.integer, .numeric), (.numeric, .integer), (.numeric, .numeric):
      false
    default: true
    }
  }
}
