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

    /// What a table gets, whose quoted name is given.
    ///
    /// Who waits for the table's lock has everybody wait who comes later, also readers: it is not
    /// waited for long. The trigger counts what replication and restores write as well.
    static func table(_ table: String) -> String {
      """
      SET LOCAL lock_timeout = '2s';
      ALTER TABLE \(table)
        ADD COLUMN IF NOT EXISTS \(SyncedTable.revisionColumn) bigint NOT NULL DEFAULT 0;
      CREATE OR REPLACE TRIGGER sectile_revision BEFORE INSERT OR UPDATE ON \(table)
        FOR EACH ROW EXECUTE FUNCTION sectile.next_revision();
      ALTER TABLE \(table) ENABLE ALWAYS TRIGGER sectile_revision;
      """
    }

    /// What lets a role follow tables and write to them.
    static func grants(_ tables: [String], to role: String) -> String {
      let role = PostgresName.quote(role)
      let tableGrants = tables.map {
        "GRANT SELECT, INSERT, UPDATE, DELETE ON \($0) TO \(role);"
      }
      return """
        ALTER ROLE \(role) REPLICATION;
        GRANT USAGE ON SCHEMA sectile TO \(role);
        GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA sectile TO \(role);
        GRANT DELETE ON sectile.heartbeat, sectile.client TO \(role);

        """ + tableGrants.joined(separator: "\n")
    }
  }
#endif
