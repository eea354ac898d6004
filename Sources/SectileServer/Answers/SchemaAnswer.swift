#if Server
  internal import Sectile
  internal import SectileInspecting

  /// Describes the schema of a file: its tables, columns, keys, indexes, and how many rows there
  /// are.
  struct SchemaAnswer {
    /// How long counting the rows of one table may take.
    private static let countTime = Duration.milliseconds(50)
    /// How long counting may take altogether.
    private static let countTimeOfAll = Duration.milliseconds(500)

    let source: FileSource

    /// Reads the schema from one state of the file.
    ///
    /// - Parameter showsAll: Whether the tables of SQLite and of Sectile are described, too.
    /// - Returns: The document.
    /// - Throws: `StoreError`.
    func document(showingAll showsAll: Bool) throws -> JSONValue {
      let connection = try source.inspection()
      try connection.prepare("BEGIN").run()
      defer { try? connection.prepare("ROLLBACK").run() }
      let creations = try Self.creations(on: connection)
      var countTime = Self.countTimeOfAll
      let tables = try Self.names(on: connection, showingAll: showsAll).map { name in
        let start = ContinuousClock.now
        let count = countTime > .zero ? Self.count(of: name, on: connection) : nil
        countTime -= ContinuousClock.now - start
        return try Self.table(name, rows: count, creations, on: connection)
      }
      let hasLog = try TableListing(of: LogTables.log, in: connection) != nil
      return [
        "format": 2,
        "file": .string(source.path.split(separator: "/").last.map(String.init) ?? source.path),
        "source": JSONValue(Disclosure(of: source.path).source),
        "version": .string(source.programVersion),
        "pageSize": try Self.number("PRAGMA page_size", on: connection),
        "pageCount": try Self.number("PRAGMA page_count", on: connection),
        "hasLog": .bool(hasLog), "tables": .array(tables),
      ]
    }

    private static func number(
      _ sql: String, on connection: InspectionConnection
    ) throws -> JSONValue { .value(try connection.firstValue(sql) ?? .null) }

    private static func names(
      on connection: InspectionConnection, showingAll showsAll: Bool
    ) throws -> [String] {
      let condition =
        showsAll
        ? ""
        : " AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
          + "AND name NOT LIKE 'sectile\\_%' ESCAPE '\\'"
      return try connection.schemaRows(
        "SELECT name FROM pragma_table_list WHERE schema = 'main'\(condition) ORDER BY name", []
      ).map { text($0[0]) }
    }

    private static func text(_ value: StoredValue) -> String {
      if case .text(let text) = value { text } else { "" }
    }

    private static func creations(
      on connection: InspectionConnection
    ) throws -> [String: String] {
      let rows = try connection.schemaRows(
        "SELECT type || ':' || name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL", [])
      return Dictionary(rows.map { (text($0[0]), text($0[1])) }) { first, _ in first }
    }

    /// Counts rows; nil where that takes long, or is not possible.
    private static func count(of table: String, on connection: InspectionConnection)
      -> JSONValue?
    {
      let end = ContinuousClock.now + countTime
      connection.setProgress(every: 10_000) { .now < end }
      defer { connection.setProgress(nil) }
      let count = try? connection.firstValue("SELECT count(*) FROM \(SQLName.quote(table))")
      return count.map { .value($0) }
    }

    private static func table(
      _ name: String, rows: JSONValue?, _ creations: [String: String],
      on connection: InspectionConnection
    ) throws -> JSONValue {
      // That of a view of what is gone cannot be read.
      let schema = (try? TableSchema(of: name, in: connection)) ?? nil
      let shape = try? TableShape(of: name, in: "the file", on: connection)
      let kind = schema?.kind ?? .view
      let key = shape.map {
        $0.keyColumns.isEmpty ? ($0.rowIDName.map { [$0] } ?? []) : $0.keyColumns
      }
      let why: String? =
        if schema == nil || schema?.columns.isEmpty == true {
          "It cannot be read: what it is made of is not there."
        } else if key?.isEmpty != false, schema?.kind != .view {
          "Nothing tells its rows apart: name the columns that do, with key=COLUMN."
        } else { nil }
      return [
        "name": .string(name), "kind": .string(kind == .shadow ? "table" : kind.rawValue),
        "sql": JSONValue(creations["table:\(name)"] ?? creations["view:\(name)"]),
        "rows": rows ?? .null, "columns": .array((schema?.columns ?? []).map(column)),
        "key": JSONValue(key ?? []),
        "indexes": .array(try indexes(of: name, creations, on: connection)),
        "foreignKeys": .array(try foreignKeys(of: name, on: connection)),
        "followable": .bool(why == nil), "why": JSONValue(why),
      ]
    }

    private static func column(_ column: TableSchema.Column) -> JSONValue {
      [
        "name": .string(column.name), "type": .string(column.declaredType),
        "notNull": .bool(column.isNotNull), "default": JSONValue(column.defaultValue),
        "key": JSONValue(column.keyPosition), "hidden": .bool(column.origin == .hidden),
        "generated": .bool(column.isGenerated),
      ]
    }

    private static func indexes(
      of table: String, _ creations: [String: String], on connection: InspectionConnection
    ) throws -> [JSONValue] {
      let rows = try connection.schemaRows(
        "SELECT name, \"unique\", partial FROM pragma_index_list(?1, 'main') ORDER BY seq",
        [.text(table)])
      return try rows.map { row in
        let columns = try connection.schemaRows(
          "SELECT name FROM pragma_index_info(?1, 'main') ORDER BY seqno", [row[0]])
        return [
          "name": .string(text(row[0])),
          // One of an expression has no name.
          "columns": .array(columns.map { $0[0] == .null ? .null : .string(text($0[0])) }),
          "unique": .bool(row[1] != .integer(0)), "partial": .bool(row[2] != .integer(0)),
          "sql": JSONValue(creations["index:\(text(row[0]))"]),
        ]
      }
    }

    private static func foreignKeys(
      of table: String, on connection: InspectionConnection
    ) throws -> [JSONValue] {
      let rows = try connection.schemaRows(
        """
        SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?1, 'main') ORDER BY id, seq
        """, [.text(table)])
      var keys: [(id: StoredValue, table: String, columns: [String], targets: [String])] = []
      for row in rows {
        if keys.last?.id != row[0] { keys.append((row[0], text(row[1]), [], [])) }
        keys[keys.count - 1].columns.append(text(row[2]))
        // Without names, those of the primary key are meant.
        if row[3] != .null { keys[keys.count - 1].targets.append(text(row[3])) }
      }
      return keys.map {
        [
          "columns": JSONValue($0.columns), "table": .string($0.table),
          "targetColumns": JSONValue($0.targets),
        ]
      }
    }
  }
#endif
