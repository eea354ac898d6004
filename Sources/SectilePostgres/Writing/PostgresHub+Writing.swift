#if Postgres
  public import SectileHub

  internal import Synchronization

  extension PostgresHub {
    /// How often a transaction is tried that others were in the way of.
    private static let attemptLimit = 5
    /// How many interruptions are kept for those who send again.
    private static let interruptionLimit = 16

    /// Performs a mutation in one transaction, or refuses it.
    ///
    /// Rows are found by their key, and by their revision where the mutation names one, whose
    /// column and trigger ``install(_:role:)`` makes. The server's rules hold: a value that does
    /// not fit and a unique column that is taken are refusals of the kind `constraint`, missing
    /// rights on a table are of the kind `notPermitted`. An insert of a key that is there, and an
    /// update of a row that is gone, are conflicts; a delete of a row that is gone is one only
    /// where it names a revision.
    ///
    /// - Parameter mutation: The mutation; of one client, one at a time.
    /// - Returns: What became of it, when that is on the server's disk.
    /// - Throws: `HubError`: `unavailable` where it is not known what became of it;
    ///   `mutationOutOfOrder`, `mutationReused`; `notPermitted` and `noSuchTable` where the hub's
    ///   own tables are not to be written to, or not there.
    public func perform(_ mutation: Mutation) async throws -> MutationResult {
      let results = try await perform([mutation])
      guard let result = results.first else { throw ByteReader.malformed("no mutation is none") }
      return result
    }

    /// Performs mutations one after the other, each in a transaction, with one round trip as far as
    /// none is refused.
    ///
    /// They are sent at once. The server performs them in order up to the first that does not go as
    /// it should; that one is performed step by step then, to find out why, which takes some round
    /// trips more. What is refused is the same as for one mutation.
    ///
    /// - Parameter mutations: The mutations, each of another client.
    /// - Returns: What became of the first ones, at least of one: up to the last, or to the first
    ///   that was not performed with those before it. The later ones are to be sent again.
    /// - Throws: As for one mutation, where nothing is known of the first.
    public func perform(_ mutations: [Mutation]) async throws -> [MutationResult] {
      if mutations.isEmpty { return [] }
      let named = Array(mutations.prefix { !$0.id.client.utf8.contains(0) })
      guard !named.isEmpty else {
        throw HubError(
          .mutationReused, message: "PostgreSQL does not store names of clients with a zero byte",
          hint: "Use another name.")
      }
      if let interruption = interruptions.withLock({ $0.removeValue(forKey: named[0].id) }) {
        throw interruption
      }
      return try await pool.run { session in
        try translating("the mutation cannot be performed", sql: HubTables.grantSQL) {
          try self.perform(named, session)
        }
      }
    }

    private func perform(
      _ mutations: [Mutation], _ session: PostgresSession
    ) throws -> [MutationResult] {
      let (count, failure) = performAtOnce(mutations, session)
      let results = [MutationResult](repeating: .applied, count: count)
      guard count < mutations.count else { return results }
      do {
        if let failure, !failure.isAboutMutation { throw failure }
        return results + [try performInSteps(mutations[count], session)]
      } catch {
        guard count > 0 else { throw error }
        // What is known is told. Whoever sends the rest again hears of this, although there may be
        // another connection by then: it may be one to another server, which lost these as well.
        if let error = error as? HubError, error.code == .unavailable {
          interruptions.withLock { interruptions in
            if interruptions.count == Self.interruptionLimit { interruptions = [:] }
            interruptions[mutations[count].id] = error
          }
        }
        return results
      }
    }

    /// Performs mutations as far as each does what it says.
    ///
    /// - Returns: How many are committed, and why the next is not; nil where it was not sent.
    private func performAtOnce(
      _ mutations: [Mutation], _ session: PostgresSession
    ) -> (count: Int, failure: (any Error)?) {
      var bodies: [[PostgresStatement]] = []
      for mutation in mutations {
        let writer = self.writer(of: mutation, session, isCatalogOld: false)
        // What cannot be said in SQL is refused step by step, after those before it.
        guard let body = try? writer.statements() else { break }
        bodies.append(body)
      }
      if bodies.isEmpty { return (0, nil) }
      let outcome = session.runAtOnce(bodies)
      return (outcome.count, outcome.failure)
    }

    private func performInSteps(
      _ mutation: Mutation, _ session: PostgresSession
    ) throws -> MutationResult {
      try session.syncCommits()
      var attempt = 1
      while true {
        do {
          return try perform(mutation, session)
        } catch let error as PostgresError where error.isTransient && attempt < Self.attemptLimit {
          attempt += 1
        } catch let error as PostgresError where error.isAboutMissingTables {
          throw HubTables.missing(error)
        }
      }
    }

    private func perform(
      _ mutation: Mutation, _ session: PostgresSession
    ) throws -> MutationResult {
      let isKnown = knownTables.withLock { known in
        mutation.changes.contains { known[$0.table] != nil }
      }
      do {
        return try writer(of: mutation, session, isCatalogOld: isKnown).perform()
      } catch is MutationWriter.CatalogOld {
        knownTables.withLock { $0 = [:] }
        return try writer(of: mutation, session, isCatalogOld: false).perform()
      }
    }

    private func writer(
      of mutation: Mutation, _ session: PostgresSession, isCatalogOld: Bool
    ) -> MutationWriter {
      MutationWriter(mutation: mutation, session: session, isCatalogOld: isCatalogOld) { name in
        if let known = self.knownTables.withLock({ $0[name] }) { return known }
        let table = try session.table(named: name)
        self.knownTables.withLock { $0[name] = table }
        return table
      }
    }
  }

  extension Error {
    /// Whether it may be the mutation that is wrong, or others that were in its way: the server is
    /// there, and did not do what it was told.
    fileprivate var isAboutMutation: Bool {
      guard let error = self as? PostgresError else { return false }
      return error.isTransient || !error.isAboutServer
    }
  }

  extension PostgresSession {
    /// Has a commit wait for the server's disk, where the server's settings would not.
    fileprivate func syncCommits() throws {
      _ = try query(
        """
        SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') = 'off'
        """)
    }
  }
#endif
