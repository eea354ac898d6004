#if Postgres
  internal import SectileHub

  /// What the server publishes for replicas: tables, with their columns and conditions, and the
  /// hub's own.
  ///
  /// Replicas whose subscriptions are equal share one, so that who owns the tables makes it once.
  /// It is named after what it publishes.
  struct Publication: Sendable {
    var name: String
    var tables: [(synced: SyncedTable, table: PostgresTable)]

    /// Which tables it is for; it stands in its comment.
    var fingerprint: String { SyncedTable.fingerprint(of: tables.map(\.synced)) }

    /// The name of the one that replicas share.
    ///
    /// No replica's own has it: the names of replicas have no hyphen.
    static func sharedName(_ fingerprint: String) -> String { "sectile-\(fingerprint)" }

    private func published(_ synced: SyncedTable, _ table: PostgresTable) -> String {
      var text = "TABLE \(table.source)"
      // A list that names all would have to be changed before a column can be dropped.
      let names = synced.columns.map(\.name)
      let isWhole = table.columns.allSatisfy { $0.isGenerated || names.contains($0.name) }
      if !isWhole { text += " (\(PostgresName.list(names)))" }
      if let condition = synced.condition { text += " WHERE (\(condition)\n)" }
      return text
    }

    /// The statements that make it anew.
    ///
    /// - Parameter isPrepared: Whether it is to stay where no replica has it: somebody made it who
    ///   may, for replicas that may not.
    /// - Returns: One after the other.
    func statements(isPrepared: Bool = false) -> [String] {
      let quoted = PostgresName.quote(name)
      let members =
        tables.map { published($0.synced, $0.table) } + HubTables.Kind.allCases.map(\.published)
      return [
        "DROP PUBLICATION IF EXISTS \(quoted)",
        """
        CREATE PUBLICATION \(quoted) FOR \(members.joined(separator: ", ")) WITH (
        publish = 'insert, update, delete, truncate', publish_via_partition_root = true)
        """,
        """
        DO $sectile$ BEGIN
          EXECUTE format('COMMENT ON PUBLICATION \(quoted) IS %L', 'sectile \(fingerprint) ' || (
        \(PublicationSQL.contents(of: name)))\(isPrepared ? " || ' prepared'" : ""));
        END $sectile$
        """,
      ]
    }

    /// The statements as a text for somebody to run, which fails rather than stop those who write
    /// to the tables.
    var sql: String {
      let checked = statements(isPrepared: true) + [PublicationSQL.refusal(of: name)]
      return (["BEGIN"] + checked + ["COMMIT"]).map { $0 + ";" }.joined(separator: "\n")
    }
  }

  /// What the comment of a publication says that was made for a replica.
  struct PublicationMark {
    /// Which tables it is for.
    let fingerprint: String
    /// What it had when it was made; nil where it was made by an earlier version.
    let contents: String?

    init?(_ comment: String) {
      let parts = comment.split(separator: " ")
      guard (2...4).contains(parts.count), parts[0] == "sectile" else { return nil }
      fingerprint = String(parts[1])
      contents = parts.count > 2 ? String(parts[2]) : nil
    }
  }

  extension PostgresSession {
    /// The publication that a replica follows.
    ///
    /// - Parameters:
    ///   - fingerprint: Which tables it has.
    ///   - own: The name that is the replica's own: earlier versions made one for each replica.
    /// - Returns: Its own where that is for the tables, otherwise the shared one, there or not.
    /// - Throws: `PostgresError`; `HubError` `unavailable`.
    func publicationName(for fingerprint: String, own: String) throws -> String {
      let mark = try mark(ofPublication: own)
      return mark?.fingerprint == fingerprint ? own : Publication.sharedName(fingerprint)
    }

    /// What the comment of a publication says; nil where there is no such publication, or none of a
    /// replica's.
    func mark(ofPublication name: String) throws -> PublicationMark? {
      // In the simple protocol, for connections of both kinds.
      let found = try execute(
        """
        SELECT obj_description(oid, 'pg_publication')
        FROM pg_publication WHERE pubname = \(PostgresName.quote(text: name))
        """)
      return (found.rows.first?.first ?? nil).flatMap { PublicationMark($0) }
    }

    /// Makes a publication, where it is not there as it should be.
    func make(_ publication: Publication) throws {
      if try isMade(publication) { return try refuseHazards(of: publication) }
      try translating(
        "the publication \(publication.name) cannot be made", sql: publication.sql,
        refusal: .invalidSubscription
      ) {
        do {
          try transaction { session in
            // Another replica may be making the same one.
            let key = PostgresName.quote(text: publication.name)
            _ = try session.query(
              "SELECT pg_advisory_xact_lock(hashtextextended(\(key), 0))")
            if try session.isMade(publication) {
              return try session.refuseHazards(of: publication)
            }
            for statement in publication.statements() { _ = try session.query(statement) }
            try session.refuseHazards(of: publication)
          }
        } catch let error as PostgresError where error.isAboutMissingTables {
          throw HubTables.missing(error)
        }
      }
    }

    /// Drops publications that no replica follows any more, as far as the user may.
    ///
    /// - Parameters:
    ///   - own: The name that is a replica's own.
    ///   - kept: The one that is followed from now on; nil for none.
    /// - Throws: `PostgresError`; `HubError` `unavailable`.
    func dropUnusedPublications(own: String, except kept: String?) throws {
      for row in try query(PublicationSQL.unused(own: own)).rows {
        guard row.count == 1, let name = row[0], name != kept else { continue }
        _ = try query("DROP PUBLICATION IF EXISTS \(PostgresName.quote(name))")
      }
    }

    /// Whether a publication is there, for the tables that it should be for, and as it was made.
    private func isMade(_ publication: Publication) throws -> Bool {
      guard let mark = try mark(ofPublication: publication.name),
        mark.fingerprint == publication.fingerprint
      else { return false }
      let contents = try execute("SELECT (\(PublicationSQL.contents(of: publication.name)))")
      if let made = mark.contents, contents.rows != [[made]] { return false }
      // A table that another one has taken the name of is not the one that was published.
      let numbers = publication.tables.map { "\($0.table.number)" }
      let members = try execute(PublicationSQL.members(of: publication.name, among: numbers))
      let count = numbers.count + HubTables.Kind.allCases.count
      let expected: [String?] = [String(count), String(numbers.count), "t"]
      return members.rows == [expected]
    }

    /// Refuses a publication by which the server would refuse changes of a table, whoever makes
    /// them.
    private func refuseHazards(of publication: Publication) throws {
      guard let row = try execute(PublicationSQL.hazards(of: publication.name)).rows.first,
        row.count == 3, let table = row[0], let problem = row[1], let hint = row[2]
      else { return }
      throw HubError(
        .invalidSubscription,
        message:
          "the publication \(publication.name) would stop all who write to \(table): \(problem)",
        hint: hint)
    }
  }
#endif
