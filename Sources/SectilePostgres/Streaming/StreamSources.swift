#if Postgres
  internal import SectileCore
  internal import SectileHub

  /// Whose rows a stream brings: the tables of the replica and the hub's own, by their numbers and
  /// names at the server.
  struct StreamSources: Sendable {
    /// What the rows of a relation are to the replica.
    enum Use: Sendable {
      case table(SyncedTable)
      case hub(HubTables.Kind)
    }

    /// How to read the rows of a relation.
    struct Reading: Sendable {
      var use: Use
      /// For each of the replica's columns: where it stands in a row, and how it is read.
      var columns: [(place: Int, type: PostgresType)]
      /// Which of the replica's columns are the key.
      var key: [Int]
    }

    private struct Source: Sendable {
      var use: Use
      var number: UInt32?
      var schema: String
      var name: String
      /// The number of each column's type when the stream began.
      var types: [String: (number: UInt32, type: PostgresType)]
    }

    private var sources: [Source]

    /// - Throws: `HubError` `schemaAhead` where a table is not as the replica has it.
    init(tables: [(synced: SyncedTable, table: PostgresTable)]) throws(HubError) {
      sources = []
      for (synced, table) in tables {
        var types: [String: (number: UInt32, type: PostgresType)] = [:]
        for column in synced.columns {
          guard let found = table.column(column.name), let type = found.type?.reading(as: column)
          else { throw Self.ahead(synced.name, column.name) }
          types[column.name] = (found.typeNumber, type)
        }
        sources.append(
          Source(
            use: .table(synced), number: table.number, schema: table.schema, name: table.name,
            types: types))
      }
      for kind in HubTables.Kind.allCases {
        let types = zip(kind.columns, kind.types).map { ($0.name, ($1.number, $1)) }
        sources.append(
          Source(
            use: .hub(kind), number: nil, schema: HubTables.schema, name: kind.rawValue,
            types: Dictionary(uniqueKeysWithValues: types)))
      }
    }

    private static func ahead(_ table: String, _ column: String) -> HubError {
      HubError(
        .schemaAhead,
        message:
          "the column \(column) of the table \(table) is not there any more, or is of another type",
        hint:
          "A program that knows the hub's new tables compares the replica with them when it starts."
      )
    }

    /// Returns how to read the rows of a relation; nil for one that the replica does not have.
    ///
    /// Columns are found by their names, so that one which the hub added does no harm.
    ///
    /// - Throws: `HubError` `schemaAhead` where a column is gone, or has a type that the replica
    ///   has otherwise.
    func reading(of relation: PluginRelation) throws(HubError) -> Reading? {
      let source =
        sources.first { $0.number == relation.id }
        ?? sources.first { $0.schema == relation.schema && $0.name == relation.name }
      guard let source else { return nil }
      let (name, columns, key): (String, [SyncedTable.Column], [Int])
      switch source.use {
      case .table(let table): (name, columns, key) = (table.name, table.columns, table.keyPositions)
      case .hub(let kind): (name, columns, key) = (kind.quotedName, kind.columns, [0])
      }
      var places: [(place: Int, type: PostgresType)] = []
      for column in columns {
        guard let place = relation.columns.firstIndex(where: { $0.name == column.name }),
          let expected = source.types[column.name]
        else { throw Self.ahead(name, column.name) }
        let number = relation.columns[place].type
        if number == expected.number {
          places.append((place, expected.type))
        } else if let type = PostgresType(number: number)?.reading(as: column) {
          places.append((place, type))
        } else {
          throw Self.ahead(name, column.name)
        }
      }
      return Reading(use: source.use, columns: places, key: key)
    }
  }
#endif
