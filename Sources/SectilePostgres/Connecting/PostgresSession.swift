#if Postgres
  internal import CPostgres
  internal import SectileHub

  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Musl
  #endif

  /// A connection to the server, as libpq has it: used by one thread at a time, which waits.
  ///
  /// All waiting is in ``wait(reading:writing:until:)``, which a cancelled call ends. After that,
  /// and after a lost connection, the session is of no use any more.
  final class PostgresSession {
    let raw: OpaquePointer
    private let waker: Waker
    /// Whose turn it is; set by the connection.
    var call: ConnectionCall?
    /// How long an answer may take; nil for as long as it takes.
    var answerLimit: Duration?
    /// Whether nothing can be asked any more.
    private(set) var isBroken = false

    /// The server's version, as PostgreSQL counts: 150004 for 15.4.
    var serverVersion: Int { Int(PQserverVersion(raw)) }

    /// Whether no transaction is open, and no answer under way.
    var isIdle: Bool { PQtransactionStatus(raw) == PQTRANS_IDLE }

    /// Connects, and waits until that is done.
    init(_ target: PostgresTarget, waker: Waker, call: ConnectionCall) throws {
      let parameters = target.parameters
      let names = parameters.map { strdup($0.name) }
      let values = parameters.map { strdup($0.value) }
      defer { for text in names + values { free(text) } }
      let started = PQconnectStartParams(
        names.map { $0.map { UnsafePointer($0) } } + [nil],
        values.map { $0.map { UnsafePointer($0) } } + [nil], 1)
      guard let started else {
        throw HubError(.unavailable, message: "no memory for a connection to PostgreSQL")
      }
      (raw, self.waker, self.call) = (started, waker, call)
      answerLimit = target.answerLimit
      PQsetNoticeProcessor(raw, { _, _ in }, nil)
      try connect(until: .now + target.connectTimeout)
      guard PQsetnonblocking(raw, 1) == 0 else { throw lost() }
      try checkServer()
      _ = try execute(target.opening)
    }

    deinit { PQfinish(raw) }

    private func connect(until deadline: ContinuousClock.Instant) throws {
      var polling = PGRES_POLLING_WRITING
      while true {
        switch polling {
        case PGRES_POLLING_OK: return
        case PGRES_POLLING_FAILED: throw lost()
        default:
          // libpq may open another socket at each step: that of the next address.
          let isReady = try wait(
            reading: polling == PGRES_POLLING_READING, writing: polling == PGRES_POLLING_WRITING,
            until: deadline)
          guard isReady else { throw late() }
          polling = PQconnectPoll(raw)
        }
      }
    }

    private func checkServer() throws {
      guard serverVersion >= 150000 else {
        throw HubError(
          .unsupportedServer,
          message: "the server is PostgreSQL \(serverVersion / 10000), and 15 is needed",
          hint: "Row filters and column lists of publications came with PostgreSQL 15.")
      }
      if let standby = PQparameterStatus(raw, "in_hot_standby"), String(cString: standby) == "on" {
        throw HubError(
          .unavailable, message: "the server is a standby",
          hint: "Name all servers in the connection, with target_session_attrs=read-write.")
      }
    }

    /// Waits until the socket can be read or written, or a time has come.
    ///
    /// - Returns: Whether the socket is ready.
    /// - Throws: `CancellationError` where the call was cancelled.
    func wait(
      reading: Bool, writing: Bool = false, until deadline: ContinuousClock.Instant? = nil
    ) throws -> Bool {
      while true {
        switch try waitOnce(reading: reading, writing: writing, until: deadline) {
        case .ready: return true
        case .woken: continue
        case .late: return false
        }
      }
    }

    /// Waits for the server's answer, as long as it may take.
    func waitForAnswer() throws {
      let deadline = answerLimit.map { ContinuousClock.now + $0 }
      guard try wait(reading: true, until: deadline) else { throw late() }
    }

    private func late() -> HubError {
      isBroken = true
      return HubError(.unavailable, message: "PostgreSQL does not answer in time")
    }

    /// What ended a wait.
    enum Waited {
      case ready
      /// Somebody woke the connection for another reason than to cancel the call.
      case woken
      /// The time has come.
      case late
    }

    /// Waits until something can be read, a time has come, or somebody wakes the connection.
    func waitForInput(until deadline: ContinuousClock.Instant) throws -> Waited {
      try waitOnce(reading: true, writing: false, until: deadline)
    }

    private func waitOnce(
      reading: Bool, writing: Bool, until deadline: ContinuousClock.Instant?
    ) throws -> Waited {
      while true {
        if call?.isCancelled == true {
          isBroken = true
          throw CancellationError()
        }
        let events = (reading ? POLLIN : 0) | (writing ? POLLOUT : 0)
        var ready = [
          pollfd(fd: PQsocket(raw), events: Int16(events), revents: 0),
          pollfd(fd: waker.reader, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&ready, 2, deadline.map(Self.milliseconds) ?? -1)
        if count < 0 {
          if errno == EINTR { continue }
          throw lost()
        }
        if ready[1].revents != 0 {
          waker.drain()
          if call?.isCancelled == true { continue }
          return .woken
        }
        return ready[0].revents != 0 ? .ready : .late
      }
    }

    private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
      let (seconds, attoseconds) = ContinuousClock.now.duration(to: deadline).components
      guard seconds >= 0, attoseconds >= 0 else { return 0 }
      return Int32(
        clamping: min(seconds, 1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    /// Sends what libpq has kept back.
    func flush() throws {
      while true {
        switch PQflush(raw) {
        case 0: return
        case 1:
          _ = try wait(reading: true, writing: true)
          // A server that waits for us to read does not read.
          try consume()
        default: throw lost()
        }
      }
    }

    /// Reads what has come.
    func consume() throws {
      guard PQconsumeInput(raw) == 1 else { throw lost() }
    }

    /// Whether the connection still stands, as far as one can know without asking.
    func isAlive() -> Bool {
      guard !isBroken, PQstatus(raw) == CONNECTION_OK else { return false }
      var ready = [pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)]
      // The server's last words come before the end of what it sends.
      while poll(&ready, 1, 0) > 0 {
        guard PQconsumeInput(raw) == 1 else { return false }
      }
      return PQstatus(raw) == CONNECTION_OK
    }

    /// The error of a connection that is lost, or was not made.
    func lost() -> HubError {
      isBroken = true
      let message = PQerrorMessage(raw).map { String(cString: $0) } ?? ""
      let line = message.split(whereSeparator: \.isNewline)
        .map { $0.drop(while: \.isWhitespace) }.joined(separator: "; ")
      return HubError(
        .unavailable,
        message: line.isEmpty ? "the connection to PostgreSQL was lost" : "PostgreSQL: \(line)")
    }
  }
#endif
