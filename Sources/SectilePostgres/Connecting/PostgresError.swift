#if Postgres
  internal import SectileHub

  /// What the server said when it refused something.
  struct PostgresError: Error, Sendable, CustomStringConvertible {
    /// Its code of five characters, as PostgreSQL's documentation lists them.
    let state: String
    let message: String
    let detail: String?
    let hint: String?

    /// In one line.
    var description: String {
      detail.map { "\(message) (\($0), SQLSTATE \(state))" } ?? "\(message) (SQLSTATE \(state))"
    }

    /// Whether what was asked for may succeed when it is asked for again.
    var isTransient: Bool { state == "40001" || state == "40P01" }

    /// Whether it is about rights.
    var isAboutRights: Bool { state == "42501" }

    /// Whether a lock was not to be had in time.
    var isAboutLock: Bool { state == "55P03" }

    /// Whether others were in the way, and may not be when it is asked for again: a lock, the time
    /// for it, or a slot in use.
    var isAboutWaiting: Bool { isAboutLock || isTransient || state == "57014" || state == "55006" }

    /// Whether a column is not there.
    var isAboutMissingColumn: Bool { state == "42703" }

    /// Whether it is about the server and not about what was asked for: connections, resources, an
    /// end, faults.
    var isAboutServer: Bool {
      ["08", "25", "40", "53", "55", "57", "58", "F0", "XX"].contains(state.prefix(2))
    }

    /// The same for users of the hub.
    ///
    /// - Parameters:
    ///   - purpose: What was asked for.
    ///   - sql: What somebody runs who may, where rights are missing.
    ///   - refusal: What kind of error it is where neither rights nor the server are in the way.
    /// - Returns: The error.
    func hubError(
      _ purpose: String, sql: String? = nil, refusal: HubError.Code = .unavailable
    ) -> HubError {
      if isAboutRights {
        return HubError(
          .notPermitted, message: "\(purpose): \(message)",
          hint: sql.map { "Have somebody run this who may: \($0)" } ?? hint, cause: self)
      }
      return HubError(
        isAboutServer ? .unavailable : refusal, message: "\(purpose): \(self)", hint: hint,
        cause: self)
    }
  }

  /// Says in users' terms what the server refused; other errors pass.
  func translating<Result>(
    _ purpose: String, sql: @autoclosure () -> String? = nil,
    refusal: HubError.Code = .unavailable, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as PostgresError {
      throw error.hubError(purpose, sql: sql(), refusal: refusal)
    }
  }
#endif
