internal import ArgumentParser
internal import Sectile
internal import SectilePresenting

#if Postgres
  internal import SectileHub
  internal import SectilePostgres
#endif

#if Postgres && NATS
  internal import SectileNATS
#endif

/// `sectile hub attach`: makes a file a replica, fills it, and may go on following.
struct HubAttachCommand: HubSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Fill a file with tables of the hub, and follow them.",
    discussion: """
      The command creates a file that does not exist; it appears when it is complete. An existing \
      file gets the hub's tables beside its own. A replica continues from its position, with all \
      commits since; if tables, columns or conditions have changed, all rows are compared. The \
      command ends when the file has what the hub has.

      With --follow it continues until Ctrl-C, and writes a line for each event except commits, \
      which sectile watch and sectile log show. Other programs cannot write to the hub's tables in \
      the file.

      From then on the server keeps its log for the replica, under its name, until this command, \
      or a program with the library, follows it. Detach a replica that is not coming back.

      With --nats and --stream the file follows a relay (sectile hub relay) instead: it gets whole \
      tables of the relay, or some of their columns, and the server keeps nothing for it. The hub \
      is needed only for changes that wait in the file's outbox.

      EXAMPLES
        sectile hub attach fleet.sqlite --name depot7 --table depot --table parcel
        sectile hub attach fleet.sqlite --name depot7 --table parcel --columns parcel=id,depot,state \\
            --where parcel='depot = 7' --follow
        sectile hub attach fleet.sqlite --name depot7 --table parcel --nats nats://relay.example \\
            --stream depots --follow
      """)

  @Argument(help: "The SQLite file.", completion: .file())
  var file: String

  @OptionGroup var hub: HubOptions

  @Option(
    help: ArgumentHelp(
      "The replica's own name at the hub, of lower-case letters, digits and underscores.",
      valueName: "name"))
  var name: String

  @OptionGroup var tables: HubTableOptions

  @OptionGroup var source: HubStreamOptions

  @Flag(help: "Continue to follow the hub until Ctrl-C.")
  var follow = false

  @Flag(help: "Write JSON, one object a line, for programs.")
  var ndjson = false

  #if Postgres
    func perform() throws {
      #if NATS
        if let location = try source.location() {
          let sink = try hub.connection.map { _ in try hub.postgres(named: name) }
          let feed = NATSFeed(location, name: name, writingTo: sink)
          return try attach(to: feed, closing: { await feed.close() }, omitting: { [] })
        }
      #else
        guard source.stream == nil else { throw HubStreamOptions.isMissing }
      #endif
      let (postgres, subscriptions) = (try hub.postgres(named: name), tables.subscriptions)
      try attach(
        to: postgres, closing: { await postgres.close() },
        omitting: { try await postgres.omittedColumns(of: subscriptions) })
    }

    /// Does it.
    ///
    /// - Parameters:
    ///   - hub: What is followed.
    ///   - close: Lets go of it.
    ///   - omitted: Says which columns it leaves out.
    /// - Throws: ``CommandFailure``, `HubError` and `StoreError`.
    private func attach(
      to hub: some Hub, closing close: @escaping @Sendable () async -> Void,
      omitting omitted: @escaping @Sendable () async throws -> [String]
    ) throws {
      let output = Output.standard()
      let stop = StopSignal()
      let reporter = HubReporter(
        output: output, tellsEvents: follow, isJSON: ndjson
      ) { stop.stop() }
      let (file, follow, subscriptions) = (file, follow, tables.subscriptions)
      let (status, columns) = try reporter.reporting {
        try HubWork.run(stop) {
          let replica = try await Replica.open(
            at: file, following: hub, tables: subscriptions,
            configuration: reporter.configuration)
          return try await replica.closing {
            try await replica.reachHub()
            let columns = try await omitted()
            if !follow { try await replica.catchUpOrFail() }
            if follow { await replica.followUntilCancelled() }
            await close()
            return (replica.status, columns)
          }
        }
      }
      try tell(status, omitting: columns, to: output)
      try output.flush()
    }

    private func tell(
      _ status: ReplicaStatus, omitting omitted: [String], to output: Output
    ) throws {
      let rows = try ReplicaFile(file).rowCounts.map(\.count).reduce(0, +)
      let position = status.token?.position.description
      if ndjson {
        let document: JSONValue = [
          "v": 1, "event": .string("attached"), "file": .string(file), "name": .string(name),
          "position": JSONValue(position), "tables": .array(tables.tables.map { .string($0) }),
          "rows": JSONValue(rows), "transactions": JSONValue(status.appliedTransactionCount),
          "changedRows": JSONValue(status.appliedRowCount), "omittedColumns": JSONValue(omitted),
        ]
        return try output.line(document.text)
      }
      var text =
        "\(file): \(CountText.text(rows, "row")) of \(CountText.text(tables.tables.count, "table"))"
      if let position { text += ", at \(position)" }
      if follow {
        text += "; \(CountText.text(status.appliedTransactionCount, "transaction")) followed"
      }
      try output.line(TerminalText.escaped(text))
      if !omitted.isEmpty {
        try output.line(TerminalText.escaped("left out: \(omitted.joined(separator: ", "))"))
      }
    }
  #endif
}

#if Postgres
  extension Replica {
    /// How often to look how far it is.
    private static let interval = Duration.milliseconds(20)

    /// Runs a closure, and closes the replica after it in any case.
    func closing<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
      do {
        let value = try await body()
        try await closeInAnyCase()
        return value
      } catch {
        try? await closeInAnyCase()
        throw error
      }
    }

    /// Closes it, also where the task was cancelled.
    private func closeInAnyCase() async throws {
      try await Task.detached { try await self.close() }.value
    }

    /// Waits until the rows are the hub's and its commits come, here or in another process.
    ///
    /// - Throws: Why they do not.
    func reachHub() async throws {
      while true {
        switch status.phase {
        case .following: return
        case .waiting(let error, _): throw error
        case .stopped(let error): throw error
        case .connecting, .copying, .comparing, .closed: try await Task.sleep(for: Self.interval)
        }
      }
    }

    /// Waits until the file has what the hub has committed by now.
    ///
    /// - Throws: Why it does not get there.
    func catchUpOrFail() async throws { _ = try await whileReachable { try await self.catchUp() } }

    /// Runs work that waits for the hub, and ends it where the hub is lost.
    ///
    /// - Throws: Why the hub is lost; what the work throws.
    func whileReachable<Value: Sendable>(
      _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
      try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
          while true {
            if case .waiting(let error, _) = self.status.phase { throw error }
            try await Task.sleep(for: Self.interval)
          }
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
      }
    }

    /// Waits until the task is cancelled.
    func followUntilCancelled() async {
      while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    }
  }
#endif
