#if Postgres
  internal import SectileCore
  internal import SectileHub

  /// A change of one row as a statement of SQL, with values beside it.
  struct RowStatement {
    var sql: String
    var parameters: [PostgresParameter] = []
    /// The columns that it returns: those whose values may be ones that replicas cannot have,
    /// whatever text led to them.
    var returned: [PostgresTable.Column] = []
    /// Whether it changes nothing, and asks whether the row is there.
    var isQuestion = false

    /// Has the statement return what the row has in these columns then.
    private mutating func returnDoubtfulValues(of table: PostgresTable) {
      returned = table.columns.filter { column in
        switch column.type {
        case .date?, .timestamp?, .timestamptz?, .float4?, .float8?: true
        default: false
        }
      }
      if !returned.isEmpty { sql += " RETURNING \(PostgresName.list(returned.map(\.name)))" }
    }

    /// Why a value of the server's cannot be read; nil where it can.
    private static func problem(of text: String, _ type: PostgresType) -> HubError? {
      do {
        _ = try PostgresValue.decode(text: ArraySlice(Array(text.utf8)), as: type)
        return nil
      } catch {
        return error
      }
    }

    /// Refuses a row with a value that replicas cannot have.
    ///
    /// - Throws: `PostgresValue.Misfit`, and `HubError` `malformedMessage`.
    func checkReturned(_ rows: [[String?]]) throws {
      for row in rows {
        for (column, text) in zip(returned, row) {
          guard let text, let type = column.type else { continue }
          guard let problem = Self.problem(of: text, type) else { continue }
          guard problem.code == .unsupportedValue else { throw problem }
          throw PostgresValue.Misfit(
            reason: "the column \(column.name): replicas cannot have it: \(problem.message)")
        }
      }
    }

    /// Adds a value, and returns its place in the text.
    private mutating func bind(
      _ value: StoredValue, to column: PostgresTable.Column
    ) throws(PostgresValue.Misfit) -> String {
      guard let type = column.type else {
        throw PostgresValue.Misfit(
          reason: "the column \(column.name) is of the type \(column.typeName)")
      }
      do {
        let text = try PostgresValue.encode(value, as: type)
        if case .array = type {
          // The server itself makes an array of JSON, also of one that is a text.
          parameters.append(PostgresParameter(text, type: 114))
          return "(SELECT made.value FROM pg_catalog.json_to_record("
            + "pg_catalog.json_build_object('value', $\(parameters.count))) "
            + "AS made(value \(column.typeName)))"
        }
        // The column's own type: its domain's rules and its enumeration's names hold.
        parameters.append(PostgresParameter(text, type: column.typeNumber))
      } catch {
        throw PostgresValue.Misfit(reason: "the column \(column.name): \(error.reason)")
      }
      return "$\(parameters.count)"
    }

    private static func column(
      _ name: String, of table: PostgresTable
    ) throws(PostgresValue.Misfit) -> PostgresTable.Column {
      guard let column = table.column(name) else {
        throw PostgresValue.Misfit(reason: "the table \(table.name) has no column \(name)")
      }
      return column
    }

    /// A new row; none is made where one of the same key is there.
    ///
    /// The revision is the hub's to give.
    static func insert(
      _ values: [String: StoredValue], into table: PostgresTable
    ) throws(PostgresValue.Misfit) -> RowStatement {
      var statement = RowStatement(sql: "")
      var (names, places) = ([String](), [String]())
      for (name, value) in values.sorted(by: { $0.key < $1.key })
      where name != SyncedTable.revisionColumn {
        names.append(name)
        places.append(try statement.bind(value, to: try column(name, of: table)))
      }
      // The key may be one that the server has made before.
      let always = table.columns.filter { $0.isAlwaysIdentity && names.contains($0.name) }
      let isKeyMade = !always.isEmpty && always.allSatisfy { table.key.contains($0.name) }
      let overriding = isKeyMade ? "OVERRIDING SYSTEM VALUE " : ""
      let content =
        names.isEmpty
        ? "DEFAULT VALUES"
        : "(\(PostgresName.list(names))) \(overriding)VALUES (\(places.joined(separator: ", ")))"
      statement.sql =
        "INSERT INTO \(table.quotedName) \(content) "
        + "ON CONFLICT (\(PostgresName.list(table.key))) DO NOTHING"
      statement.returnDoubtfulValues(of: table)
      return statement
    }

    /// New values for a row that is in a state.
    static func update(
      _ table: PostgresTable, key: [StoredValue], revision: Int64?, values: [String: StoredValue]
    ) throws(PostgresValue.Misfit) -> RowStatement {
      var statement = RowStatement(sql: "")
      var assignments: [String] = []
      for (name, value) in values.sorted(by: { $0.key < $1.key })
      where name != SyncedTable.revisionColumn {
        let place = try statement.bind(value, to: try column(name, of: table))
        assignments.append("\(PostgresName.quote(name)) = \(place)")
      }
      let condition = try statement.condition(table, key: key, revision: revision)
      // Nothing to set is still a question for the row's state, which then stays as it is to the
      // end.
      statement.isQuestion = assignments.isEmpty
      statement.sql =
        assignments.isEmpty
        ? "SELECT FROM \(table.source) WHERE \(condition) FOR UPDATE"
        : "UPDATE \(table.source) SET \(assignments.joined(separator: ", ")) WHERE \(condition)"
      if !assignments.isEmpty { statement.returnDoubtfulValues(of: table) }
      return statement
    }

    /// The end of a row that is in a state.
    static func delete(
      _ table: PostgresTable, key: [StoredValue], revision: Int64?
    ) throws(PostgresValue.Misfit) -> RowStatement {
      var statement = RowStatement(sql: "")
      let condition = try statement.condition(table, key: key, revision: revision)
      statement.sql = "DELETE FROM \(table.source) WHERE \(condition)"
      return statement
    }

    /// What columns of a row hold.
    static func select(
      _ columns: [PostgresTable.Column], from table: PostgresTable, key: [StoredValue]
    ) throws(PostgresValue.Misfit) -> RowStatement {
      var statement = RowStatement(sql: "")
      let condition = try statement.condition(table, key: key, revision: nil)
      statement.sql =
        "SELECT \(PostgresName.list(columns.map(\.name))) FROM \(table.source) WHERE \(condition)"
      return statement
    }

    private mutating func condition(
      _ table: PostgresTable, key: [StoredValue], revision: Int64?
    ) throws(PostgresValue.Misfit) -> String {
      guard key.count == table.key.count else {
        throw PostgresValue.Misfit(
          reason: "the key of the table \(table.name) has \(table.key.count) columns")
      }
      var terms: [String] = []
      for (name, value) in zip(table.key, key) {
        let place = try bind(value, to: try Self.column(name, of: table))
        terms.append("\(PostgresName.quote(name)) = \(place)")
      }
      if let revision {
        let column = try Self.column(SyncedTable.revisionColumn, of: table)
        terms.append(
          "\(PostgresName.quote(column.name)) = \(try bind(.integer(revision), to: column))")
      }
      return terms.joined(separator: " AND ")
    }
  }
#endif
