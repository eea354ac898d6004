#if Postgres
  internal import SectileHub

  /// What finds all that a hub has in a database, and takes it back.
  enum UninstallationSQL {
    /// The publications of replicas, and whether the user may drop them.
    static let publications = """
      SELECT p.pubname, pg_has_role(p.pubowner, 'USAGE') FROM pg_publication p
      WHERE p.pubname ~ '^sectile[_-]' AND (obj_description(p.oid, 'pg_publication') LIKE 'sectile %'
        OR EXISTS (SELECT FROM pg_publication_rel r JOIN pg_class c ON c.oid = r.prrelid
          JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE r.prpubid = p.oid AND n.nspname = 'sectile'))
      ORDER BY p.pubname
      """

    /// The slots of replicas of this database, and whether the user may end their streams and drop
    /// them.
    static let slots = """
      SELECT slot_name, own.rolsuper OR own.rolreplication AND (reader.oid IS NULL OR NOT reader.rolsuper
        AND (pg_has_role(reader.oid, 'USAGE') OR pg_has_role('pg_signal_backend', 'USAGE')))
      FROM pg_replication_slots JOIN pg_roles own ON own.rolname = current_user
      LEFT JOIN pg_stat_activity backend ON backend.pid = active_pid
      LEFT JOIN pg_roles reader ON reader.oid = backend.usesysid
      WHERE slot_name ~ '^sectile_[a-z0-9_]+_[0-9a-f]{8}$' AND database = current_database()
        AND plugin = 'pgoutput' ORDER BY slot_name
      """

    /// Whether the user may change whether a role may follow the log: superusers may, and others
    /// from PostgreSQL 16 on who administer the role.
    static let replicationRights = """
      SELECT rolsuper OR current_setting('server_version_num')::integer >= 160000 AND rolcreaterole
        AND rolreplication AND pg_has_role($1::name, 'MEMBER WITH ADMIN OPTION')
      FROM pg_roles WHERE rolname = current_user
      """

    /// The tables with a trigger of the hub's: number, schema, name, the trigger, the owner,
    /// whether the user may change it; those first from which others have the column.
    static let tables = """
      SELECT c.oid, n.nspname, c.relname, t.tgname, pg_get_userbyid(c.relowner),
        pg_has_role(c.relowner, 'USAGE')
      FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid JOIN pg_namespace s ON s.oid = f.pronamespace
      JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'sectile_rev' AND NOT a.attisdropped
      WHERE s.nspname = 'sectile' AND f.proname = 'next_revision' AND t.tgparentid = 0
      ORDER BY coalesce(a.attinhcount, 0), c.oid
      """

    /// A view that reads the column of revisions of a table among some, and the table.
    static let views = """
      SELECT r.ev_class::regclass::text, d.refobjid::regclass::text
      FROM pg_depend d JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
      JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
      WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = ANY ($1::oid[])
        AND a.attname = 'sectile_rev' LIMIT 1
      """

    /// Tables with the column that have no trigger of the hub's.
    static let others = """
      SELECT c.oid::regclass::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE a.attname = 'sectile_rev' AND a.attinhcount = 0 AND NOT a.attisdropped
        AND c.relkind IN ('r', 'p') AND NOT c.oid = ANY ($1::oid[]) ORDER BY 1
      """

    /// What there is of the hub's own in its schema, and whether the user may drop all of it;
    /// NULL where there is nothing.
    static let schema = """
      SELECT bool_and(pg_has_role(own.owner, 'USAGE')) FROM (
        SELECT c.relowner AS owner FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'sectile'
          AND c.relname IN ('client', 'heartbeat', 'schema_version', 'revision')
        UNION ALL SELECT f.proowner FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace
        WHERE n.nspname = 'sectile' AND f.proname = 'next_revision') AS own
      """

    /// The roles that may use the schema without owning it.
    static let roles = """
      SELECT DISTINCT r.rolname FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) x
      JOIN pg_roles r ON r.oid = x.grantee WHERE n.nspname = 'sectile' AND x.grantee <> n.nspowner
      ORDER BY r.rolname
      """

    /// Drops publications, and the hub's own tables: without these no replica makes anything anew.
    static func feeds(_ publications: [String]) -> String {
      let drops = publications.map { "DROP PUBLICATION IF EXISTS \(PostgresName.quote($0));" }
      let tables = HubTables.Kind.allCases.map(\.quotedName).joined(separator: ", ")
      return (["SET LOCAL lock_timeout = '2s';"] + drops + ["DROP TABLE IF EXISTS \(tables);"])
        .joined(separator: "\n")
    }

    /// Ends the stream of a slot, and drops it.
    static func slot(_ name: String) -> String {
      let found = "FROM pg_replication_slots WHERE slot_name = \(PostgresName.quote(text: name))"
      return """
        SELECT pg_terminate_backend(active_pid, 10000) \(found) AND active;
        SELECT pg_drop_replication_slot(slot_name) \(found);
        """
    }

    /// Takes back what a table got, whose quoted name is given.
    static func table(_ table: String, trigger: String, roles: [String]) -> String {
      let revocations = roles.map {
        "\nREVOKE SELECT, INSERT, UPDATE, DELETE ON \(table) FROM \(PostgresName.quote($0));\n"
          + InstallationSQL.sequences(of: table, "REVOKE USAGE ON SEQUENCE %s FROM %I", $0)
      }
      return """
        \(InstallationSQL.lock(table))
        DROP TRIGGER IF EXISTS \(PostgresName.quote(trigger)) ON \(table);
        ALTER TABLE \(table) DROP COLUMN IF EXISTS \(SyncedTable.revisionColumn);
        """ + revocations.joined()
    }

    /// Drops what is left of the schema; what others have put there is not dropped, and it fails.
    static let rest = """
      SET LOCAL lock_timeout = '2s';
      DROP FUNCTION IF EXISTS sectile.next_revision();
      DROP SEQUENCE IF EXISTS sectile.revision;
      DROP SCHEMA IF EXISTS sectile;
      """
  }
#endif
