#if Postgres
  internal import SectileCore
  internal import SectileHub

  /// The hub's own tables, in a schema of their own; a replica gets what they say as control
  /// records.
  enum HubTables {
    static let schema = "sectile"

    /// What replicas get of each; what else a table holds is for the hub alone.
    enum Kind: String, CaseIterable, Sendable {
      /// The last mutation of each client, and what became of it.
      case client
      /// When the hub last told that it is alive.
      case heartbeat
      /// Which versions of the schema it supports.
      case schemaVersion = "schema_version"

      /// The table as a replica would have it.
      var columns: [SyncedTable.Column] {
        switch self {
        case .client:
          [.init("client_id", .text), .init("last_mid", .integer), .init("is_applied", .boolean)]
        case .heartbeat: [.init("mark", .uuid), .init("beat_at", .timestamp)]
        case .schemaVersion:
          [.init("id", .integer), .init("minimum", .integer), .init("maximum", .integer)]
        }
      }

      var types: [PostgresType] {
        switch self {
        case .client: [.text, .int8, .bool]
        case .heartbeat: [.uuid, .timestamptz]
        case .schemaVersion: [.int4, .int4, .int4]
        }
      }

      var quotedName: String { "\(HubTables.schema).\(rawValue)" }

      /// The rows that still count.
      var lastRows: String {
        self == .heartbeat ? "\(quotedName) ORDER BY beat_at DESC LIMIT 1" : quotedName
      }

      /// The table in a publication.
      var published: String {
        "TABLE ONLY \(quotedName) (\(PostgresName.list(columns.map(\.name))))"
      }
    }

    /// Adds what a row says.
    static func take(
      _ row: [StoredValue], of kind: Kind, into controlRecords: inout HubControlRecords
    ) throws(HubError) {
      switch kind {
      case .client:
        guard row.count == 3, case .text(let client) = row[0], case .integer(let number) = row[1],
          case .integer(let isApplied) = row[2]
        else { throw ByteReader.malformed("a client of the hub is none") }
        controlRecords.outcomes.append(
          MutationReceipt(MutationID(client: client, number: number), isApplied: isApplied == 1))
      case .heartbeat:
        guard row.count == 2, case .text(let mark) = row[0], case .text(let text) = row[1],
          let date = PostgresTime.date(text)
        else { throw ByteReader.malformed("a heartbeat of the hub is none") }
        controlRecords.heartbeat = HubHeartbeat(date: date, mark: mark)
      case .schemaVersion:
        guard row.count == 3, case .integer(let minimum) = row[1],
          case .integer(let maximum) = row[2], minimum <= maximum
        else { throw ByteReader.malformed("the versions of the hub's schema are none") }
        controlRecords.schemaVersions = Int(minimum)...Int(maximum)
      }
    }

    /// What lets a role use them.
    static let grantSQL = """
      GRANT USAGE ON SCHEMA sectile TO …; \
      GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA sectile TO …; \
      GRANT DELETE ON sectile.heartbeat, sectile.client TO …;
      """

    /// The error where they are not there.
    static func missing(_ cause: PostgresError) -> HubError {
      HubError(
        .noSuchTable, message: "the hub is not set up: its schema \(schema) is not there",
        hint: "Call install(_:role:) once, or have somebody run installationSQL(for:) who may.",
        cause: cause)
    }
  }

  extension PostgresError {
    /// Whether a table or a schema is not there.
    var isAboutMissingTables: Bool { state == "42P01" || state == "3F000" }
  }
#endif
