#if Postgres
  internal import SectileHub

  extension PostgresSession {
    /// Looks a table up in the catalog, by its name as in a subscription; nil where there is none.
    func table(named name: String) throws -> PostgresTable? {
      let found = try query(
        """
        SELECT c.oid, n.nspname, c.relname, c.relkind, c.relreplident, c.relpersistence,
          has_table_privilege(c.oid, 'SELECT') OR NOT EXISTS (
            SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
              AND NOT a.attisdropped AND NOT has_column_privilege(c.oid, a.attnum, 'SELECT')),
          coalesce((SELECT NOT indimmediate FROM pg_index
            WHERE indrelid = c.oid AND indisprimary), false)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.oid = to_regclass($1)
        """, texts: [PostgresName.quote(table: name)])
      guard let row = found.rows.first, row.count == 8, let number = row[0].flatMap(UInt32.init),
        let schema = row[1], let table = row[2], let kind = row[3], let identity = row[4]
      else { return nil }
      let columns = try columns(of: number)
      let key = try indexColumns(of: number, where: "indisprimary")
      let identityColumns: [String]
      switch identity {
      case "d": identityColumns = key
      case "f": identityColumns = columns.map(\.name)
      case "i": identityColumns = try indexColumns(of: number, where: "indisreplident")
      default: identityColumns = []
      }
      return PostgresTable(
        number: number, schema: schema, name: table, isPartitioned: kind == "p", columns: columns,
        key: key, identity: identityColumns, identityKind: identity, isKeyDeferrable: row[7] == "t",
        canBePublished: ["r", "p"].contains(kind) && row[5] == "p", isReadable: row[6] == "t")
    }

    private func columns(of table: UInt32) throws -> [PostgresTable.Column] {
      // A domain is read as what it stands for, an enumeration as text.
      let found = try query(
        """
        SELECT a.attname, a.atttypid, format_type(a.atttypid, a.atttypmod), base.oid,
          base.typtype, a.attnotnull, a.attgenerated <> ''
        FROM pg_attribute a
        CROSS JOIN LATERAL (
          WITH RECURSIVE step AS (
            SELECT t.oid, t.typtype, t.typbasetype FROM pg_type t WHERE t.oid = a.atttypid
            UNION ALL
            SELECT t.oid, t.typtype, t.typbasetype FROM step s
            JOIN pg_type t ON t.oid = s.typbasetype WHERE s.typtype = 'd')
          SELECT oid, typtype FROM step WHERE typtype <> 'd') AS base
        WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
        """, texts: ["\(table)"])
      return found.rows.compactMap { row in
        guard row.count == 7, let name = row[0], let type = row[1].flatMap(UInt32.init),
          let base = row[3].flatMap(UInt32.init)
        else { return nil }
        return PostgresTable.Column(
          name: name, typeNumber: type, typeName: row[2] ?? "?",
          type: row[4] == "e" ? .text : PostgresType(rawValue: base), isNullable: row[5] != "t",
          isGenerated: row[6] == "t")
      }
    }

    private func indexColumns(of table: UInt32, where condition: String) throws -> [String] {
      try query(
        """
        SELECT a.attname FROM pg_index i
        CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(attnum, place)
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
        WHERE i.indrelid = $1 AND i.\(condition) AND k.place <= i.indnkeyatts ORDER BY k.place
        """, texts: ["\(table)"]
      ).rows.compactMap { $0.first ?? nil }
    }
  }
#endif
