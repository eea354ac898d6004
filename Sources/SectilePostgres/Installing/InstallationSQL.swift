#if Postgres
  internal import SectileHub

  /// The statements that set up a hub: each may run any number of times.
  enum InstallationSQL {
    /// The hub's own tables, and what counts the changes of rows.
    ///
    /// Revisions are numbers of one sequence, so that a row that is deleted and comes again never
    /// has one that it had. The function runs with its owner's rights: programs that write to the
    /// tables know nothing of the sequence.
    static let hub = """
      CREATE SCHEMA IF NOT EXISTS sectile;
      CREATE TABLE IF NOT EXISTS sectile.client (
        client_id text PRIMARY KEY, last_mid bigint NOT NULL, hash bigint NOT NULL,
        is_applied boolean NOT NULL, rejection text,
        decided_at timestamptz NOT NULL DEFAULT now());
      CREATE TABLE IF NOT EXISTS sectile.heartbeat (
        mark uuid PRIMARY KEY DEFAULT gen_random_uuid(), beat_at timestamptz NOT NULL);
      CREATE INDEX IF NOT EXISTS heartbeat_beat_at ON sectile.heartbeat (beat_at);
      CREATE TABLE IF NOT EXISTS sectile.schema_version (
        id integer PRIMARY KEY CHECK (id = 1), minimum integer NOT NULL,
        maximum integer NOT NULL CHECK (maximum >= minimum));
      CREATE SEQUENCE IF NOT EXISTS sectile.revision;
      CREATE OR REPLACE FUNCTION sectile.next_revision() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
      BEGIN
        NEW.sectile_rev := nextval('sectile.revision');
        RETURN NEW;
      END $$;
      """

    /// What fails where replicas cannot have one of the tables, or there is no such role, before
    /// anything is changed.
    static func checks(_ tables: [String], role: String?) -> String {
      let names = tables.map { PostgresName.quote(text: $0) }
      let roles = role.map { PostgresName.quote(text: $0) } ?? ""
      return PostgresName.block(
        """
        DECLARE wanted text; BEGIN
          FOREACH wanted IN ARRAY ARRAY[\(names.joined(separator: ", "))]::text[] LOOP
            IF to_regclass(wanted) IS NULL THEN
              RAISE EXCEPTION 'there is no table %', wanted;
            END IF;
            IF NOT EXISTS (SELECT FROM pg_class WHERE oid = to_regclass(wanted)
                AND relkind IN ('r', 'p') AND relpersistence = 'p') THEN
              RAISE EXCEPTION '% is not a table that PostgreSQL publishes', wanted;
            END IF;
            IF NOT EXISTS (SELECT FROM pg_index WHERE indrelid = to_regclass(wanted)
                AND (indisprimary OR indisreplident)) THEN
              RAISE EXCEPTION 'the table % has no primary key', wanted;
            END IF;
          END LOOP;
          FOREACH wanted IN ARRAY ARRAY[\(roles)]::text[] LOOP
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
              RAISE EXCEPTION 'there is no role %', wanted;
            END IF;
          END LOOP;
        END
        """) + ";"
    }

    /// What takes a table's lock, whose quoted name is given, with those of its partitions, or
    /// fails after two seconds.
    ///
    /// Who waits for it has everybody wait who comes later, also readers. A limit to each lock
    /// would be one for each partition, while the first are held already.
    static func lock(_ table: String) -> String {
      """
      SET LOCAL lock_timeout = '1900ms';
      SET LOCAL statement_timeout = '2s';
      LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE;
      SET LOCAL statement_timeout TO DEFAULT;
      """
    }

    /// What a table gets, whose quoted name is given.
    ///
    /// The trigger counts what replication and restores write as well.
    static func table(_ table: String) -> String {
      """
      \(lock(table))
      ALTER TABLE \(table)
        ADD COLUMN IF NOT EXISTS \(SyncedTable.revisionColumn) bigint NOT NULL DEFAULT 0;
      CREATE OR REPLACE TRIGGER sectile_revision BEFORE INSERT OR UPDATE ON \(table)
        FOR EACH ROW EXECUTE FUNCTION sectile.next_revision();
      ALTER TABLE \(table) ENABLE ALWAYS TRIGGER sectile_revision;
      """
    }

    /// What lets a role follow tables and write to them.
    ///
    /// - Parameters:
    ///   - tables: The tables' quoted names.
    ///   - role: The role.
    ///   - canReplicate: Whether it may follow the log already: only a superuser can have it so.
    /// - Returns: The statements.
    static func grants(_ tables: [String], to role: String, canReplicate: Bool = false) -> String {
      let quotedRole = PostgresName.quote(role)
      let tableGrants = tables.map {
        "GRANT SELECT, INSERT, UPDATE, DELETE ON \($0) TO \(quotedRole);"
      }
      // The server makes keys for a row without one, and before there is a row.
      let sequenceGrants = tables.map { table in
        sequences(of: table, "GRANT USAGE ON SEQUENCE %s TO %I", role)
      }
      return (canReplicate ? "" : "ALTER ROLE \(quotedRole) REPLICATION;\n") + """
        GRANT USAGE ON SCHEMA sectile TO \(quotedRole);
        GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA sectile TO \(quotedRole);
        GRANT DELETE ON sectile.heartbeat, sectile.client TO \(quotedRole);

        """ + (tableGrants + sequenceGrants).joined(separator: "\n")
    }

    /// What does something with each sequence that belongs to a column of a table, by which the
    /// server makes keys.
    ///
    /// - Parameters:
    ///   - table: The table's quoted name.
    ///   - statement: What is done, with `%s` for the sequence and `%I` for the role.
    ///   - role: The role.
    /// - Returns: One statement.
    static func sequences(of table: String, _ statement: String, _ role: String) -> String {
      PostgresName.block(
        """
        DECLARE owned regclass; BEGIN
          FOR owned IN SELECT d.objid FROM pg_depend d JOIN pg_class s ON s.oid = d.objid
              WHERE s.relkind = 'S' AND d.classid = 'pg_class'::regclass
                AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
                AND d.refobjid = to_regclass(\(PostgresName.quote(text: table))) LOOP
            EXECUTE format('\(statement)', owned, \(PostgresName.quote(text: role)));
          END LOOP;
        END
        """) + ";"
    }
  }
#endif
