#if Postgres
  internal import CPostgres

  /// A statement, and the values for its places.
  struct PostgresStatement: Sendable {
    var sql: String
    var parameters: [PostgresParameter] = []
  }

  extension PostgresSession {
    /// How far transactions came that were sent at once.
    struct PipelineOutcome {
      /// How many are committed, from the first on.
      var count = 0
      /// What the server said to the next one, or why it is not known what became of that and of
      /// the later ones; nil where all are committed.
      var failure: (any Error)?
    }

    /// Runs transactions one after the other, which are sent at once: one round trip.
    ///
    /// ```
    /// sent      BEGIN a b COMMIT, BEGIN c COMMIT, BEGIN d COMMIT, end
    /// answered  done  done done   done  no        not run         end → 1 is committed; ROLLBACK
    /// ```
    ///
    /// Where a statement fails, the server runs nothing more of what was sent: neither its own
    /// transaction nor a later one is committed.
    ///
    /// - Parameter bodies: The statements of each transaction.
    /// - Returns: How far they came. Without a failure of the server's own words, the session is of
    ///   no use any more.
    func runAtOnce(_ bodies: [[PostgresStatement]]) -> PipelineOutcome {
      var outcome = PipelineOutcome()
      do {
        guard PQenterPipelineMode(raw) == 1 else { throw lost() }
        for body in bodies {
          for (place, statement) in (Self.begin + body + Self.commit).enumerated() {
            try send(statement.sql, statement.parameters)
            // An answer has its time limit for a few statements, however many there are.
            if place % Self.flushInterval == Self.flushInterval - 1 { try requestFlush() }
          }
          // The server answers when a transaction is done, and not only when all are.
          try requestFlush()
        }
        guard PQpipelineSync(raw) == 1 else { throw lost() }
        try readAnswers(of: bodies, into: &outcome)
        guard PQexitPipelineMode(raw) == 1 else { throw lost() }
        if !isIdle { _ = try query("ROLLBACK") }
      } catch {
        outcome.failure = error
      }
      return outcome
    }

    /// After how many statements of a transaction the server answers.
    private static let flushInterval = 8

    private func requestFlush() throws {
      guard PQsendFlushRequest(raw) == 1 else { throw lost() }
    }

    private static let begin = [PostgresStatement(sql: "BEGIN ISOLATION LEVEL READ COMMITTED")]
    private static let commit = [PostgresStatement(sql: "COMMIT")]

    /// Reads what is answered up to the end of what was sent.
    private func readAnswers(
      of bodies: [[PostgresStatement]], into outcome: inout PipelineOutcome
    ) throws {
      let sizes = bodies.map { Self.begin.count + $0.count + Self.commit.count }
      var (doneCount, isBetween) = (0, false)
      while true {
        guard let part = try nextPart() else {
          // One end follows each answer; a libpq without a connection says it again and again.
          if isBetween { throw lost() }
          isBetween = true
          continue
        }
        isBetween = false
        defer { PQclear(part) }
        switch PQresultStatus(part) {
        case PGRES_PIPELINE_SYNC: return
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
          // After a failure nothing is done any more, so that these are the first ones.
          doneCount += 1
          guard outcome.count < sizes.count, doneCount == sizes[outcome.count] else { continue }
          guard Self.isCommitted(part) else { throw lost() }
          (outcome.count, doneCount) = (outcome.count + 1, 0)
        case PGRES_PIPELINE_ABORTED: continue
        default: outcome.failure = outcome.failure ?? PostgresError(part)
        }
      }
    }

    /// Whether the answer to a `COMMIT` says that: that of a transaction which has failed before
    /// says something else.
    private static func isCommitted(_ part: OpaquePointer) -> Bool {
      PQcmdStatus(part).map { String(cString: $0) } == "COMMIT"
    }
  }
#endif
