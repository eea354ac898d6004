#if Postgres
  internal import SectileHub
  internal import Synchronization

  /// The right of one session at a time to read rows, or to follow the log, under a replica's name.
  ///
  /// Who makes a slot drops those that were there under the name. Two machines with one name would
  /// take each other's away, and read all rows, again and again:
  ///
  /// ```
  /// machine A    follows │ slot is missing: reads all rows           │ slot is missing: …
  /// machine B            │ reads all rows, follows │ slot is missing: reads all rows │ …
  /// ```
  ///
  /// So a session takes an advisory lock of the name before it touches a slot. The server lets go
  /// of the lock when the session ends, however it does. Nothing else tells one machine from
  /// another: their files and numbers are copied with them.
  final class NameClaim: Sendable {
    /// What a session wants a name for.
    enum Purpose: Sendable {
      /// To follow the slot that the replica's token names, which stays.
      case following
      /// To make a new slot, and drop those that are there.
      case copying
    }

    private let name: String
    private let delay: Duration
    /// A lock that all sessions of this hub share, by which they know each other.
    private let mark = Int64.random(in: 0 ... .max)

    // MARK: - Mutable state
    //
    // - `contest`: whether somebody else used the name when it was last looked at; guarded by its
    //   mutex.
    private let contest = Mutex(false)

    /// Creates the claim of a hub.
    ///
    /// - Parameters:
    ///   - name: The replica's name.
    ///   - delay: For how long nobody may have used it before somebody else drops its slots.
    init(of name: String, delay: Duration) { (self.name, self.delay) = (name, delay) }

    /// Whether somebody else used the name when it was last looked at.
    var isContested: Bool { contest.withLock { $0 } }

    /// Has a session be the one that uses the name, until the session ends.
    ///
    /// What just ends is waited for, since a process that was killed leaves its session behind for
    /// a moment. Who goes on where it stands takes the name as soon as it is free. Who would drop
    /// another's slot waits longer: a replica whose connection broke is back by then.
    ///
    /// - Throws: `HubError`: `nameInUse`; `unavailable` where it is another stream of this hub that
    ///   uses it. `PostgresError`.
    func take(for purpose: Purpose, in session: PostgresSession) throws {
      _ = try session.execute("SELECT pg_advisory_lock_shared(\(mark))")
      let start = ContinuousClock.now
      let moment = min(delay, .seconds(1))
      var freeSince: ContinuousClock.Instant?
      var ended: Set<String> = []
      while true {
        let users = try users(besides: session)
        let waited = start.duration(to: .now)
        if let other = users.first(where: { !$0.isOwn }) {
          freeSince = nil
          if waited >= moment {
            contest.withLock { $0 = true }
            guard purpose == .copying, waited < delay else { throw inUse(by: other) }
          }
        } else if let own = users.first {
          freeSince = nil
          if purpose == .copying || !own.follows {
            // A comparison begins anew, or it has ended, and the server does not know yet.
            guard ended.insert(own.process).inserted else { throw Self.ownIsInUse }
            _ = try session.execute("SELECT pg_terminate_backend(\(own.process), 10000)")
            continue
          }
          guard waited < moment else { throw Self.ownIsInUse }
        } else {
          let since = freeSince ?? .now
          freeSince = since
          if purpose == .following || !isContested || since.duration(to: .now) >= delay {
            guard try lock(in: session) else { throw inUse(by: nil) }
            contest.withLock { $0 = false }
            return
          }
        }
        _ = try session.execute("SELECT pg_sleep(0.1)")
      }
    }

    private func lock(in session: PostgresSession) throws -> Bool {
      let sql = "SELECT pg_try_advisory_lock(\(number))"
      return try session.execute(sql).rows == [["t"]]
    }

    // MARK: - Who uses it

    /// A session that uses the name.
    private struct User {
      let process: String
      /// Whether it follows a slot.
      let follows: Bool
      /// Whether it is one of this hub.
      let isOwn: Bool
      /// From where and since when it is connected, as far as the server says.
      let origin: String
    }

    /// The lock of the name, as the server is asked for it; publications have locks by their own.
    private var number: String {
      "hashtextextended(\(PostgresName.quote(text: "sectile replica \(name)")), 0)"
    }

    /// Looks for other sessions that use the name.
    ///
    /// Versions before this one take no lock, so that a slot in use counts as well.
    private func users(besides session: PostgresSession) throws -> [User] {
      // In the simple protocol, for connections of both kinds.
      let found = try session.execute(
        """
        WITH held AS (
          SELECT pid, (classid::bigint << 32) | objid::bigint AS number FROM pg_locks
          WHERE locktype = 'advisory' AND objsubid = 1 AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        ), used AS (
          SELECT pid, false AS follows FROM held WHERE number = \(number)
          UNION ALL
          SELECT active_pid, true FROM pg_replication_slots
          WHERE slot_name ~ '^sectile_\(name)_[0-9a-f]{8}$' AND database = current_database()
            AND active_pid IS NOT NULL
        )
        SELECT pid, bool_or(follows), pid IN (SELECT pid FROM held WHERE number = \(mark)),
          concat(', from ' || max(host(client_addr)),
            ', since ' || max(date_trunc('second', backend_start)::text))
        FROM used LEFT JOIN pg_stat_activity USING (pid)
        WHERE pid <> pg_backend_pid() GROUP BY pid
        """)
      return found.rows.compactMap { row in
        guard row.count == 4, let process = row[0] else { return nil }
        return User(
          process: process, follows: row[1] == "t", isOwn: row[2] == "t", origin: row[3] ?? "")
      }
    }

    private func inUse(by user: User?) -> HubError {
      let origin = user.map { " (process \($0.process) of the server\($0.origin))" } ?? ""
      let ending = user.map { ", or at once by SELECT pg_terminate_backend(\($0.process));" } ?? "."
      return HubError(
        .nameInUse, message: "another session uses the name \(name) at the hub\(origin)",
        hint: "Where it is another machine's, give one of the two another name, and keep its file. "
          + "What this machine left behind ends within the server's wal_sender_timeout\(ending)")
    }

    private static let ownIsInUse = HubError(
      .unavailable, message: "another stream of this program uses the replica's slot")
  }
#endif
