#if Postgres
  internal import SectileHub

  extension PostgresSession {
    /// Which hub it is, and which of its histories.
    func identify() throws -> (system: String, timeline: UInt32) {
      guard let row = try execute("IDENTIFY_SYSTEM").rows.first, row.count >= 2,
        let system = row[0], let timeline = row[1].flatMap({ UInt32($0) })
      else { throw ByteReader.malformed("the server does not say which it is") }
      return (system, timeline)
    }

    /// Refuses a server that does not write its log so that commits can be read from it.
    func checkLogLevel() throws {
      let level = try execute("SHOW wal_level").rows.first?.first ?? nil
      guard level == "logical" else {
        throw HubError(
          .unsupportedServer,
          message: "the server's wal_level is \(level ?? "unknown"), not logical",
          hint: "ALTER SYSTEM SET wal_level = 'logical'; then start the server anew.")
      }
    }

    /// Refuses a user who may not follow the server's log.
    func checkReplicationRight() throws {
      let found = try query(
        "SELECT rolreplication OR rolsuper, rolname FROM pg_roles WHERE rolname = current_user"
      ).rows.first
      guard found?[0] == "t" else {
        let role = PostgresName.quote((found?[1]) ?? "…")
        throw HubError(
          .notPermitted, message: "the user may not follow the server's log",
          hint: "Have somebody run this who may: ALTER ROLE \(role) REPLICATION;")
      }
    }

    /// Whether the hub has committed a heartbeat, and did not lose it.
    private func knows(heartbeat mark: String) throws -> Bool {
      // In the simple protocol, for connections of both kinds.
      try !execute(
        "SELECT 1 FROM sectile.heartbeat WHERE mark::text = \(PostgresName.quote(text: mark))"
      ).rows.isEmpty
    }

    /// Says whether a replica may go on at a token.
    ///
    /// The server itself would not say: asked to begin before the slot's position, it begins there,
    /// and leaves out what is between.
    func verdict(on token: HubToken, objectName: String) throws -> ResumeDecision {
      try checkLogLevel()
      let (system, timeline) = try identify()
      if system != token.system { return .resync(.otherSystem) }
      if timeline != token.timeline { return .resync(.otherTimeline) }
      guard let slot = try slots(of: objectName).first(where: { $0.name == token.slot }) else {
        return .resync(.slotMissing)
      }
      if let reason = slot.lossReason { return .resync(.slotLost(reason)) }
      // A slot without a position never came to be: its making was ended.
      guard let confirmed = slot.confirmed else { return .resync(.slotMissing) }
      if token.position < confirmed { return .resync(.behindSlot(confirmed: confirmed)) }
      let current = try currentPosition()
      if token.position > current { return .resync(.aheadOfHub(current)) }
      if let heartbeat = token.heartbeat, try !knows(heartbeat: heartbeat) {
        return .resync(.heartbeatUnknown)
      }
      let publication = try publicationName(for: token.tables, own: objectName)
      guard try mark(ofPublication: publication)?.fingerprint == token.tables else {
        return .resync(.tablesChanged)
      }
      return .resume
    }
  }
#endif
