#if Postgres
  internal import SectileHub

  /// What setting up a hub would do at the server at this moment, or taking that back.
  ///
  /// ```swift
  /// let plan = try await hub.installationPlan(for: ["parcel"])
  /// plan.steps.map(\.summary)  // ["add the column sectile_rev and its trigger to public.parcel"]
  /// ```
  public struct HubSetupPlan: Hashable, Sendable {
    /// What happens as a whole or not at all.
    public struct Step: Hashable, Sendable {
      /// What it does, such as `drop the slot sectile_depot7_61165f91`.
      public let summary: String
      /// Its statements, which may be run again.
      public let sql: String

      /// A step in a transaction of its own.
      init(_ summary: String, transaction sql: String) {
        (self.summary, self.sql) = (summary, "BEGIN;\n\(sql)\nCOMMIT;")
      }
    }

    /// What is done, one after the other; empty where there is nothing to do.
    public internal(set) var steps: [Step] = []
    /// What somebody should know who has it done, a sentence each.
    public internal(set) var notes: [String] = []

    /// The statements of all steps, for somebody else to run.
    public var sql: String { steps.map(\.sql).joined(separator: "\n") }
  }

  extension PostgresSession {
    /// How often a step is tried that others are in the way of.
    private static let attemptLimit = 5

    /// Does what a plan says.
    ///
    /// - Throws: `PostgresError`; `HubError` `unavailable` where others were in the way of a step
    ///   each time. What was done before stays done.
    func perform(_ plan: HubSetupPlan) throws {
      let limit = answerLimit
      answerLimit = nil
      defer { answerLimit = limit }
      for step in plan.steps { try persist(step) }
    }

    /// Does a step, and again where a lock that it needs is not to be had in time.
    private func persist(_ step: HubSetupPlan.Step) throws {
      for attempt in 1...Self.attemptLimit {
        do {
          _ = try execute(step.sql)
          return
        } catch let error as PostgresError {
          if !isBroken, !isIdle { _ = try execute("ROLLBACK") }
          guard error.isAboutWaiting else { throw error }
          guard attempt < Self.attemptLimit else { throw Self.inUse(step, error) }
          // All who waited behind it go on meanwhile.
          _ = try execute("SELECT pg_sleep(\(attempt) * 0.2)")
        }
      }
    }

    private static func inUse(_ step: HubSetupPlan.Step, _ error: PostgresError) -> HubError {
      HubError(
        .unavailable,
        message: "PostgreSQL could not \(step.summary) in \(attemptLimit) attempts, because it is "
          + "in use",
        hint: "Look for long transactions in pg_stat_activity, and do the same again: what was "
          + "done before stays done.",
        cause: error)
    }
  }
#endif
