#if Postgres
  internal import CPostgres

  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Musl
  #endif

  /// What the server answered: rows as text.
  struct PostgresResult: Sendable {
    var rows: [[String?]] = []
    /// How many rows a statement changed.
    var changedCount = 0
  }

  /// A value for a statement, as text, with its type at the server; 0 where the server finds it
  /// out.
  struct PostgresParameter: Sendable {
    var type: UInt32
    var text: String?

    init(_ text: String?, type: UInt32 = 0) { (self.text, self.type) = (text, type) }
  }

  extension PostgresSession {
    /// Runs statements without values, as the simple protocol has it: the only one for replication.
    func execute(_ sql: String) throws -> PostgresResult {
      guard PQsendQuery(raw, sql) == 1 else { throw lost() }
      return try finish()
    }

    /// Has libpq send one statement, or take it to what it sends next.
    func send(_ sql: String, _ parameters: [PostgresParameter]) throws {
      let texts = parameters.map { $0.text.flatMap { strdup($0) } }
      defer { for text in texts { free(text) } }
      let sent = PQsendQueryParams(
        raw, sql, Int32(parameters.count), parameters.map(\.type),
        texts.map { $0.map { UnsafePointer($0) } }, nil, nil, 0)
      guard sent == 1 else { throw lost() }
    }

    /// Runs one statement.
    func query(_ sql: String, _ parameters: [PostgresParameter] = []) throws -> PostgresResult {
      try send(sql, parameters)
      return try finish()
    }

    /// Runs one statement with texts as its values.
    func query(_ sql: String, texts: [String?]) throws -> PostgresResult {
      try query(sql, texts.map { PostgresParameter($0) })
    }

    /// Runs what is to happen as a whole or not at all.
    func transaction<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
      _ = try query("BEGIN ISOLATION LEVEL READ COMMITTED")
      do {
        let result = try body(self)
        _ = try query("COMMIT")
        return result
      } catch {
        if !isBroken, !isIdle { _ = try query("ROLLBACK") }
        throw error
      }
    }

    /// Waits for the next part of the answer; nil at its end.
    func nextPart() throws -> OpaquePointer? {
      try flush()
      while PQisBusy(raw) == 1 {
        try waitForAnswer()
        try consume()
      }
      return PQgetResult(raw)
    }

    /// Reads an answer to its end: the rows of its last part.
    func finish() throws -> PostgresResult {
      var (result, failure) = (PostgresResult(), PostgresError?.none)
      while let part = try nextPart() {
        defer { PQclear(part) }
        switch PQresultStatus(part) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: result = PostgresResult(part)
        case PGRES_COPY_OUT, PGRES_COPY_BOTH, PGRES_COPY_IN:
          // Nobody reads it here, and it would come for ever.
          throw lost()
        default: failure = failure ?? PostgresError(part)
        }
      }
      // The server's last words are about its end, not about the statement.
      if PQstatus(raw) == CONNECTION_BAD { throw lost() }
      if let failure { throw failure }
      return result
    }
  }

  extension PostgresResult {
    fileprivate init(_ part: OpaquePointer) {
      let columns = PQnfields(part)
      rows = (0..<PQntuples(part)).map { row in
        (0..<columns).map { column in
          guard PQgetisnull(part, row, column) == 0, let text = PQgetvalue(part, row, column)
          else { return nil }
          return String(cString: text)
        }
      }
      changedCount = PQcmdTuples(part).flatMap { Int(String(cString: $0)) } ?? 0
    }
  }

  extension PostgresError {
    /// Reads the error in an answer.
    init(_ part: OpaquePointer) {
      func field(_ letter: Unicode.Scalar) -> String? {
        PQresultErrorField(part, Int32(letter.value)).map { String(cString: $0) }
      }
      self.init(
        state: field("C") ?? "XX000", message: field("M") ?? "PostgreSQL did not say what is wrong",
        detail: field("D"), hint: field("H"))
    }
  }
#endif
