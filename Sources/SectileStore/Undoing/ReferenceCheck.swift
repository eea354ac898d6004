import GRDB
import SectileCore

/// Whether rows that were put back, and rows that refer to others which are gone again, refer to
/// what is there.
///
/// While rows are put back, foreign keys are off, so that no action changes rows of others. SQLite
/// would enforce them for the rows that are written; the same is done here, by the same comparison:
/// in the affinity and collation of the column that is referred to.
struct ReferenceCheck {
  /// A foreign key.
  private struct Reference {
    let child: WholeRows
    let parent: WholeRows
    /// Where the columns that are referred to stand in the parent; nil for one that is not stored.
    let parentPositions: [Int?]
    /// Finds the rows that refer to the parent of a key.
    let children: String
    /// Finds the child of a key, where it refers to nothing.
    let orphan: String
  }

  private let db: Database
  private var references: [Reference] = []
  /// The keys of rows that have to refer to something, by foreign key.
  private var children: [[RowKey]] = []

  /// Reads which rows are to be checked, before anything is put back.
  ///
  /// - Parameters:
  ///   - undo: What is to be put back.
  ///   - db: The writing connection.
  /// - Throws: What reading throws.
  init(of undo: Store.Undo, in db: Database) throws {
    self.db = db
    var tables: [String: TableChanges] = [:]
    for changes in undo.tables { tables[changes.rows.table.lowercased()] = changes }
    for reference in try Self.references(between: Set(tables.keys), in: db) {
      var keys: [RowKey] = []
      if let changes = tables[reference.child.table.lowercased()] {
        keys += changes.changes.lazy.filter { $0.before != nil }.map(\.key)
      }
      if let changes = tables[reference.parent.table.lowercased()] {
        keys += try Self.children(of: changes, by: reference, in: db)
      }
      if keys.isEmpty { continue }
      // A row that refers to nothing before is no fault of undoing: REPLACE lets such rows in, and
      // so does whoever writes without foreign keys.
      let orphan = try RawStatement.prepare(reference.orphan, on: db)
      keys = try keys.filter { key in
        defer { orphan.finish() }
        try orphan.bind(key, from: 1)
        return try !orphan.step()
      }
      if keys.isEmpty { continue }
      references.append(reference)
      children.append(keys)
    }
  }

  /// Checks the rows, after everything was put back.
  ///
  /// - Throws: `editConflict` for a row that refers to nothing.
  func check() throws {
    for (reference, keys) in zip(references, children) {
      let statement = try RawStatement.prepare(reference.orphan, on: db)
      for key in keys {
        defer { statement.finish() }
        try statement.bind(key, from: 1)
        guard try statement.step() else { continue }
        throw StoreError(
          .editConflict,
          message: "Undoing would leave a row of \(reference.child.table) without the "
            + "row of \(reference.parent.table) that it refers to.",
          hint: "Nothing was put back: delete that row first, or let it refer to another one.",
          rowKey: key.values)
      }
    }
  }

  // MARK: - Reading

  /// The keys of the rows that refer to rows which are gone, or other ones, when they are put back.
  private static func children(
    of changes: TableChanges, by reference: Reference, in db: Database
  ) throws -> [RowKey] {
    let positions = reference.parentPositions.compactMap { $0 }
    let areStored = positions.count == reference.parentPositions.count
    let statement = try RawStatement.prepare(reference.children, on: db)
    var keys: [RowKey] = []
    for change in changes.changes where change.after != nil {
      if areStored, changes.keeps(positions, in: change) { continue }
      defer { statement.finish() }
      try statement.bind(change.key, from: 1)
      while try statement.step() { keys.append(try statement.key(at: 0..<statement.columnCount)) }
    }
    return keys
  }

  /// The foreign keys from or to some tables.
  private static func references(
    between tables: Set<String>, in db: Database
  ) throws -> [Reference] {
    let rows = try db.schemaRows(
      """
      SELECT referring.name, list.id, list."table", list."from", list."to"
      FROM main.sqlite_schema AS referring, pragma_foreign_key_list(referring.name, 'main') AS list
      WHERE referring.type = 'table' AND referring.sql LIKE '%references%'
      ORDER BY referring.name, list.id, list.seq
      """, [])
    var references: [Reference] = []
    var rest = rows[...]
    while let first = rest.first {
      let columns = rest.prefix { $0[..<2] == first[..<2] }
      rest = rest.dropFirst(columns.count)
      let (child, parent) = (first[0].schemaText, first[2].schemaText)
      let isConcerned =
        tables.contains(child.lowercased()) || tables.contains(parent.lowercased())
      guard isConcerned, let childSchema = try TableSchema(of: child, in: db),
        let parentSchema = try TableSchema(of: parent, in: db), parentSchema.kind == .table,
        // Without a name the primary key is meant, which may be too short: SQLite writes no such
        // row.
        columns.allSatisfy({ $0[4] != .null }) || parentSchema.keyColumns.count == columns.count
      else { continue }
      references.append(
        try reference(
          from: childSchema, columns.map { $0[3].schemaText }, to: parentSchema,
          columns.enumerated().map { position, row in
            row[4] == .null ? parentSchema.keyColumns[position] : row[4].schemaText
          }, in: db))
    }
    return references
  }

  private static func reference(
    from child: TableSchema, _ childColumns: [String], to parent: TableSchema,
    _ parentColumns: [String], in db: Database
  ) throws -> Reference {
    let (childRows, parentRows) = (
      try WholeRows(of: child.name, in: db), try WholeRows(of: parent.name, in: db)
    )
    // With a plus the child's column has no affinity, so that the parent's counts.
    func pairs(_ sign: (String, String) -> String) -> String {
      zip(childColumns, parentColumns).map {
        "\(SQLName.quote("p", $1)) = \(sign($0, $1))\(SQLName.quote("c", $0))"
      }.joined(separator: " AND ")
    }
    let isIndexable = { (one: String, other: String) in
      child.affinity(named: one) == parent.affinity(named: other) ? "" : "+"
    }
    let areSet = childColumns.map { "\(SQLName.quote("c", $0)) IS NOT NULL" }
    return Reference(
      child: childRows, parent: parentRows,
      parentPositions: parentColumns.map(parentRows.position(of:)),
      children: """
        SELECT \(childRows.keyColumns(of: "c").joined(separator: ", "))
        FROM \(SQLName.table(parent.name)) AS p JOIN \(SQLName.table(child.name)) AS c
          ON \(pairs(isIndexable))
        WHERE \(parentRows.condition(on: "p"))
        """,
      orphan: """
        SELECT 1 FROM \(SQLName.table(child.name)) AS c
        WHERE \(childRows.condition(on: "c")) AND \(areSet.joined(separator: " AND "))
          AND NOT EXISTS (
            SELECT 1 FROM \(SQLName.table(parent.name)) AS p WHERE \(pairs { _, _ in "+" }))
        """)
  }
}

extension TableSchema {
  fileprivate func affinity(named name: String) -> ColumnAffinity? {
    columns.first { $0.name.lowercased() == name.lowercased() }.map { affinity(of: $0) }
  }
}
