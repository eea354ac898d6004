#if Postgres
  internal import SectileHub

  extension PostgresSession {
    /// Looks a table up in the catalog, by its name as in a subscription; nil where there is none.
    func table(named name: String) throws -> PostgresTable? {
      let found = try query(
        """
        SELECT c.oid, n.nspname, c.relname, c.relkind, c.relpersistence,
          has_table_privilege(c.oid, 'SELECT') OR NOT EXISTS (
            SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
              AND NOT a.attisdropped AND NOT has_column_privilege(c.oid, a.attnum, 'SELECT')),
          coalesce((SELECT NOT indimmediate FROM pg_index
            WHERE indrelid = c.oid AND indisprimary), false)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.oid = to_regclass($1)
        """, texts: [PostgresName.quote(table: name)])
      guard let row = found.rows.first, row.count == 7, let number = row[0].flatMap(UInt32.init),
        let schema = row[1], let table = row[2], let kind = row[3]
      else { return nil }
      let columns = try columns(of: number)
      let (leaves, partitions) = try leaves(of: number)
      return PostgresTable(
        number: number, schema: schema, name: table, isPartitioned: kind == "p", columns: columns,
        key: try key(of: number), leaves: leaves, partitions: partitions,
        isKeyDeferrable: row[6] == "t", canBePublished: ["r", "p"].contains(kind) && row[4] == "p",
        isReadable: row[5] == "t")
    }

    /// What has the rows of a table, and all its partitions.
    private func leaves(
      of table: UInt32
    ) throws -> (leaves: [PostgresTable.Leaf], partitions: [UInt32]) {
      let found = try query(
        """
        WITH RECURSIVE part AS (
          SELECT $1::oid AS id
          UNION ALL SELECT i.inhrelid FROM part p
          JOIN pg_class c ON c.oid = p.id AND c.relkind = 'p'
          JOIN pg_inherits i ON i.inhparent = p.id AND NOT i.inhdetachpending)
        SELECT c.oid, n.nspname, c.relname, c.relkind = 'p', c.relreplident = 'f', a.attname
        FROM part p JOIN pg_class c ON c.oid = p.id JOIN pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_attribute a ON \(Self.isInIdentity)
        ORDER BY c.oid, a.attnum
        """, texts: ["\(table)"])
      var (leaves, partitions) = ([PostgresTable.Leaf](), [UInt32]())
      for row in found.rows {
        guard row.count == 6, let number = row[0].flatMap(UInt32.init), let schema = row[1],
          let name = row[2]
        else { continue }
        if number != table, partitions.last != number { partitions.append(number) }
        guard row[3] == "f" else { continue }
        if leaves.last?.number != number {
          leaves.append(
            PostgresTable.Leaf(
              number: number,
              quotedName: PostgresName.quote(schema) + "." + PostgresName.quote(name),
              identity: [], tellsWholeRows: row[4] == "t"))
        }
        if let column = row[5] { leaves[leaves.count - 1].identity.append(column) }
      }
      return (leaves, partitions)
    }

    /// Whether a column `a` is in the replica identity of a table `c`.
    static let isInIdentity = """
      a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        AND (c.relreplident = 'f' OR EXISTS (
          SELECT FROM pg_index x CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY AS k(attnum, place)
          WHERE x.indrelid = c.oid AND k.attnum = a.attnum AND k.place <= x.indnkeyatts
            AND (c.relreplident = 'd' AND x.indisprimary AND x.indimmediate
              OR c.relreplident = 'i' AND x.indisreplident)))
      """

    private func columns(of table: UInt32) throws -> [PostgresTable.Column] {
      let found = try query(
        """
        SELECT a.attname, a.atttypid, format_type(a.atttypid, a.atttypmod), base.oid, base.kind,
          element.oid, element.kind, a.attnotnull, a.attgenerated <> '', a.attidentity = 'a'
        FROM pg_attribute a
        CROSS JOIN LATERAL (\(TypeSQL.base(of: "t.oid = a.atttypid"))) AS base
        LEFT JOIN LATERAL (\(TypeSQL.base(of: "t.typarray = base.oid AND t.typdelim = ','")))
          AS element ON true
        WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
        """, texts: ["\(table)"])
      return found.rows.compactMap { row in
        guard row.count == 10, let name = row[0], let type = row[1].flatMap(UInt32.init),
          let base = row[3].flatMap(UInt32.init)
        else { return nil }
        let element = row[5].flatMap(UInt32.init).map { TypeSQL.form(of: $0, kind: row[6]) }
        return PostgresTable.Column(
          name: name, typeNumber: type, typeName: row[2] ?? "?",
          type: TypeSQL.form(of: base, kind: row[4], element: element), isNullable: row[7] != "t",
          isGenerated: row[8] == "t", isAlwaysIdentity: row[9] == "t")
      }
    }

    private func key(of table: UInt32) throws -> [String] {
      try query(
        """
        SELECT a.attname FROM pg_index i
        CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(attnum, place)
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
        WHERE k.place <= i.indnkeyatts AND i.indexrelid = (
          SELECT x.indexrelid FROM pg_index x WHERE x.indrelid = $1 AND (x.indisprimary OR x.indisreplident)
          ORDER BY x.indisprimary DESC LIMIT 1)
        ORDER BY k.place
        """, texts: ["\(table)"]
      ).rows.compactMap { $0.first ?? nil }
    }
  }
#endif
