#if Postgres
  /// Questions about a publication, in SQL that a connection of either kind may ask.
  ///
  /// Names of publications are made of letters, digits, underscores and a hyphen.
  enum PublicationSQL {
    /// What a publication has, as a short text that is the same after a dump was put back; a
    /// subquery.
    static func contents(of name: String) -> String {
      """
      SELECT left(encode(sha256(convert_to(concat_ws(' ', p.puballtables, p.pubinsert, p.pubupdate,
        p.pubdelete, p.pubtruncate, p.pubviaroot, (SELECT count(*) FROM pg_publication_namespace s WHERE s.pnpubid = p.oid), (
          SELECT string_agg(concat_ws(' ', n.nspname, c.relname, pg_get_expr(r.prqual, r.prrelid), (
            SELECT string_agg(a.attname, ' ' ORDER BY a.attnum) FROM pg_attribute a
            WHERE a.attrelid = r.prrelid AND a.attnum = ANY (r.prattrs))), E'\\n' ORDER BY n.nspname, c.relname)
          FROM pg_publication_rel r JOIN pg_class c ON c.oid = r.prrelid
          JOIN pg_namespace n ON n.oid = c.relnamespace WHERE r.prpubid = p.oid)), 'UTF8')), 'hex'), 16)
      FROM pg_publication p WHERE p.pubname = '\(name)'
      """
    }

    /// How many tables a publication has, how many of some, and whether it publishes all that
    /// happens to them.
    static func members(of name: String, among numbers: [String]) -> String {
      """
      SELECT count(r.oid), count(r.oid) FILTER (WHERE r.prrelid = ANY ('{\(numbers.joined(separator: ","))}'::oid[])),
        p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate AND p.pubviaroot
      FROM pg_publication p LEFT JOIN pg_publication_rel r ON r.prpubid = p.oid
      WHERE p.pubname = '\(name)' GROUP BY p.oid
      """
    }

    /// The tables that nobody could write to, because a condition or a list of columns does not go
    /// with a replica identity, each with what is wrong and what helps.
    ///
    /// It is the partitions' identities that count, and not that of the table which has them.
    static func hazards(of name: String) -> String {
      """
      WITH RECURSIVE part AS (
        SELECT r.prrelid AS root, r.prqual::text AS condition, r.prattrs::int2[] AS columns, r.prrelid AS id
        FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid WHERE p.pubname = '\(name)'
        UNION ALL SELECT p.root, p.condition, p.columns, i.inhrelid FROM part p
        JOIN pg_class c ON c.oid = p.id AND c.relkind = 'p'
        JOIN pg_inherits i ON i.inhparent = p.id AND NOT i.inhdetachpending),
      leaf AS (
        SELECT p.*, c.relreplident = 'f' AS is_full FROM part p
        JOIN pg_class c ON c.oid = p.id WHERE c.relkind <> 'p'),
      told AS (
        SELECT l.id, a.attname FROM leaf l JOIN pg_class c ON c.oid = l.id
        JOIN pg_attribute a ON \(PostgresSession.isInIdentity)),
      used AS (
        SELECT l.id, a.attname FROM leaf l
        CROSS JOIN LATERAL regexp_matches(l.condition, ':varattno ([0-9]+)', 'g') AS term(number)
        JOIN pg_attribute a ON a.attrelid = l.root AND a.attnum = term.number[1]::int2)
      SELECT id::regclass::text AS name, 'its condition uses the column ' || attname
          || ', which is not in the table''s replica identity' AS problem,
        format('ALTER TABLE %s REPLICA IDENTITY FULL; or have the column in the key.', id::regclass) AS hint
      FROM used u WHERE NOT EXISTS (SELECT FROM told t WHERE t.id = u.id AND t.attname = u.attname)
      UNION ALL
      SELECT l.id::regclass::text, 'its list of columns does not go with the replica identity, which has the column '
          || t.attname, CASE WHEN l.is_full THEN format('ALTER TABLE %s REPLICA IDENTITY DEFAULT; or publish all columns.', l.id::regclass)
          ELSE 'Publish the column as well.' END
      FROM leaf l JOIN told t ON t.id = l.id
      LEFT JOIN pg_attribute a ON a.attrelid = l.root AND a.attname = t.attname
      WHERE l.columns IS NOT NULL AND (l.is_full OR NOT coalesce(a.attnum = ANY (l.columns), false))
      UNION ALL
      SELECT l.id::regclass::text, 'it has no replica identity',
        format('ALTER TABLE %s REPLICA IDENTITY DEFAULT;', l.id::regclass)
      FROM leaf l WHERE NOT EXISTS (SELECT FROM told t WHERE t.id = l.id)
      """
    }

    /// The publications that a replica has no use for which follows another one, and that the user
    /// may drop: its own; and where no replica has a slot in the database, those that replicas made
    /// to share them.
    static func unused(own: String) -> String {
      """
      SELECT p.pubname FROM pg_publication p
      WHERE pg_has_role(p.pubowner, 'USAGE') AND (p.pubname = '\(own)'
        OR p.pubname ~ '^sectile-[0-9a-f]{16}$'
          AND obj_description(p.oid, 'pg_publication') LIKE 'sectile %'
          AND obj_description(p.oid, 'pg_publication') NOT LIKE '% prepared'
          AND NOT EXISTS (\(UninstallationSQL.slots)))
      """
    }

    /// A statement that fails where ``hazards(of:)`` finds something.
    static func refusal(of name: String) -> String {
      """
      DO $sectile$ DECLARE hazard record; BEGIN
        FOR hazard IN
      \(hazards(of: name))
        LOOP
          RAISE EXCEPTION 'the publication \(name) would stop all who write to %: %', hazard.name, hazard.problem
            USING HINT = hazard.hint;
        END LOOP;
      END $sectile$
      """
    }
  }
#endif
