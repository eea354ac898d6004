#if Postgres
  internal import SectileHub

  /// What the server's catalog says of tables that a replica has, and of what is published for it,
  /// as a short text.
  ///
  /// The server tells no commit when one is rewritten, put in another's place, or loses a
  /// partition. Each of these leaves a trace here: the numbers of the table, its partitions and
  /// their files, its columns' numbers and types, the names of an enumeration, and the publication
  /// with its conditions and columns.
  enum DefinitionSQL {
    /// The text of tables as they were looked up, whatever has their names by now; a subquery.
    static func text(of tables: [CopiedTable], publication: String) -> String {
      text(
        of: tables.map { ($0.synced, "\($0.table.number)::oid") }, publication: publication)
    }

    /// The text of tables by their names; a subquery.
    static func text(of tables: [SyncedTable], publication: String) -> String {
      text(
        of: tables.map { table in
          let name = PostgresName.quote(text: PostgresName.quote(table: table.name))
          return (table, "to_regclass(\(name))::oid")
        }, publication: publication)
    }

    private static func text(
      of tables: [(synced: SyncedTable, number: String)], publication: String
    ) -> String {
      let wanted = tables.map { synced, number in
        let columns = synced.columns.map { PostgresName.quote(text: $0.name) }
        return "(\(PostgresName.quote(text: synced.name)), \(number), "
          + "ARRAY[\(columns.joined(separator: ", "))]::text[])"
      }
      // No row of these meets anything, and VALUES need one.
      let values = wanted.isEmpty ? ["('', 0::oid, ARRAY[]::text[])"] : wanted
      return """
        WITH RECURSIVE wanted(name, id, columns) AS (VALUES \(values.joined(separator: ", "))),
        member AS (
          SELECT r.prrelid, r.prqual, r.prattrs FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid
          WHERE p.pubname = '\(publication)'),
        part AS (
          SELECT w.name, w.id, EXISTS (
            SELECT FROM member m WHERE m.prrelid = w.id AND (m.prqual IS NOT NULL OR m.prattrs IS NOT NULL)) AS is_narrow
          FROM wanted w
          UNION ALL SELECT p.name, i.inhrelid, p.is_narrow FROM part p
          JOIN pg_class c ON c.oid = p.id AND c.relkind = 'p'
          JOIN pg_inherits i ON i.inhparent = p.id AND NOT i.inhdetachpending),
        attribute AS (
          SELECT w.name, a.attname, a.attnum, a.atttypid, a.atttypmod FROM wanted w JOIN pg_attribute a
            ON a.attrelid = w.id AND a.attname = ANY (w.columns) AND a.attnum > 0 AND NOT a.attisdropped),
        kind AS (
          SELECT atttypid AS id FROM attribute
          UNION SELECT part.id FROM kind k JOIN pg_type t ON t.oid = k.id CROSS JOIN LATERAL (
            SELECT t.typbasetype UNION ALL SELECT t.typelem
            UNION ALL SELECT r.rngsubtype FROM pg_range r WHERE t.oid IN (r.rngtypid, r.rngmultitypid)
            UNION ALL SELECT a.atttypid FROM pg_attribute a
            WHERE t.typtype = 'c' AND a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped) AS part(id)
          WHERE part.id <> 0),
        line(text) AS (
          SELECT concat_ws(' ', 'file', p.name, p.id, c.relfilenode, CASE WHEN p.is_narrow THEN c.relreplident END)
          FROM part p LEFT JOIN pg_class c ON c.oid = p.id
          UNION ALL SELECT concat_ws(' ', 'column', name, attname, attnum, atttypid, atttypmod) FROM attribute
          UNION ALL SELECT concat_ws(' ', 'label', e.enumtypid, e.oid, e.enumlabel)
          FROM pg_enum e JOIN kind k ON k.id = e.enumtypid
          UNION ALL SELECT concat_ws(' ', 'attribute', t.oid, a.attnum, a.atttypid, a.atttypmod, a.attisdropped)
          FROM kind k JOIN pg_type t ON t.oid = k.id AND t.typtype = 'c'
          JOIN pg_attribute a ON a.attrelid = t.typrelid AND a.attnum > 0
          UNION ALL SELECT concat_ws(' ', 'member', m.prrelid, m.prqual, m.prattrs) FROM member m
          UNION ALL SELECT concat_ws(' ', 'publication', p.puballtables, p.pubinsert, p.pubupdate, p.pubdelete,
            p.pubtruncate, p.pubviaroot) FROM pg_publication p WHERE p.pubname = '\(publication)')
        SELECT left(encode(sha256(convert_to(string_agg(text, E'\\n' ORDER BY text COLLATE "C"), 'UTF8')), 'hex'), 16)
        FROM line
        """
    }
  }
#endif
