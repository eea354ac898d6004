#if Postgres
  public import SectileCore
  public import SectileHub

  internal import Synchronization

  extension PostgresHub {
    /// Makes keys for rows that are not there yet, by what the server has for the column where a
    /// row comes without one: an identity, a sequence (`serial`), `gen_random_uuid()`, any default
    /// that calls a function.
    ///
    /// The user needs the rights that this takes: `USAGE` on the sequence, also on that of an
    /// identity, for which an insert needs none. Keys that were made and are not used leave gaps.
    /// A key that a trigger makes cannot be had beforehand.
    ///
    /// - Parameters:
    ///   - table: The table, as in a subscription.
    ///   - count: How many, at least one.
    /// - Returns: The column of the key that has such a default, and as many values.
    /// - Throws: `HubError`: `unavailable`; `noSuchTable`; `invalidSubscription` where no column of
    ///   the key has such a default, or several have, or it is always the same value;
    ///   `notPermitted`, with what somebody runs who may.
    public func reserveKeys(
      of table: String, count: Int
    ) async throws -> (column: String, values: [StoredValue]) {
      try await pool.run { session in
        try translating("the keys cannot be made", refusal: .invalidSubscription) {
          try self.makeKeys(of: table, count: count, session)
        }
      }
    }

    private func makeKeys(
      of name: String, count: Int, _ session: PostgresSession
    ) throws -> (column: String, values: [StoredValue]) {
      // What is known of a table may be old: nothing is found then.
      if let known = knownTables.withLock({ $0[name] }),
        let source = try session.keySources(of: known, named: name).onlyOne
      {
        return (source.column.name, try session.makeKeys(by: source, count: count))
      }
      guard let table = try session.table(named: name) else {
        throw HubError(.noSuchTable, message: "the hub has no table \(name)")
      }
      knownTables.withLock { $0[name] = table }
      guard let source = try session.keySources(of: table, named: name).onlyOne else {
        throw HubError(
          .invalidSubscription, message: "the hub does not make the keys of \(name)",
          hint: "One column of the key needs to be an identity, or to have a default that makes "
            + "another value each time.")
      }
      return (source.column.name, try session.makeKeys(by: source, count: count))
    }
  }

  /// What makes values for a column of a key.
  private struct KeySource {
    let column: PostgresTable.Column
    let type: PostgresType
    /// The default, in the server's words.
    let expression: String
    /// The sequence that belongs to the column, if one does.
    let sequence: String?
  }

  extension [KeySource] {
    /// The one that is there; nil for none, and for several, of which nobody says which is meant.
    fileprivate var onlyOne: KeySource? { count == 1 ? self[0] : nil }
  }

  extension PostgresSession {
    /// What makes values for columns of a table's key; nothing where the name is another table's by
    /// now.
    fileprivate func keySources(
      of table: PostgresTable, named name: String
    ) throws -> [KeySource] {
      let found = try query(
        """
        SELECT a.attname, pg_get_serial_sequence($3, a.attname),
          CASE WHEN a.attidentity <> '' THEN
            'pg_catalog.nextval(' || quote_literal(pg_get_serial_sequence($3, a.attname)) || ')'
          ELSE pg_get_expr(d.adbin, d.adrelid) END
        FROM pg_attribute a
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE a.attrelid = $1 AND a.attrelid = to_regclass($2) AND a.attnum > 0
          AND NOT a.attisdropped AND a.attgenerated = ''
        """, texts: ["\(table.number)", PostgresName.quote(table: name), table.quotedName])
      return found.rows.compactMap { row in
        // What calls no function is the same each time.
        guard row.count == 3, let column = row[0].flatMap({ table.column($0) }),
          table.key.contains(column.name), let type = column.type, let expression = row[2],
          expression.contains("(")
        else { return nil }
        return KeySource(column: column, type: type, expression: expression, sequence: row[1])
      }
    }

    /// Makes values, and has the server's disk know that they are gone.
    fileprivate func makeKeys(by source: KeySource, count: Int) throws -> [StoredValue] {
      let rows: [[String?]]
      do {
        rows = try query(
          """
          SELECT (SELECT pg_catalog.set_config('synchronous_commit', 'on', true)
              WHERE pg_catalog.current_setting('synchronous_commit') = 'off'),
            CAST((\(source.expression)) AS \(source.column.typeName))
          FROM pg_catalog.generate_series(1, $1::int)
          """, texts: ["\(count)"]
        ).rows
      } catch let error as PostgresError where error.isAboutRights {
        throw error.hubError(
          "the keys cannot be made",
          sql: source.sequence.map { "GRANT USAGE ON SEQUENCE \($0) TO …;" })
      }
      let values = try rows.map { row -> StoredValue in
        guard row.count == 2, let text = row[1] else { return .null }
        return try PostgresValue.decode(text: ArraySlice(Array(text.utf8)), as: source.type)
      }
      guard !values.contains(.null), Set(values).count == values.count else {
        throw HubError(
          .invalidSubscription,
          message: "the default of the column \(source.column.name) is not another value each time",
          hint: "Choose keys where rows are made, such as UUIDs.")
      }
      return values
    }
  }
#endif
