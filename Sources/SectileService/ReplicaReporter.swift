#if Service
  public import Logging
  public import Metrics
  public import SectileHub

  extension ReplicaConfiguration {
    /// Has what happens to the replica logged and counted.
    ///
    /// ```swift
    /// var configuration = ReplicaConfiguration()
    /// configuration.report(to: Logger(label: "replica"))
    /// let replica = try await Replica.open(
    ///   at: "fleet.sqlite", following: hub, tables: ["parcel"], configuration: configuration)
    /// ```
    ///
    /// What stops the replica is logged as an error; a hub that is lost, and a change that it has
    /// refused, as a warning; comparing rows and following as `info`; how far a copy is as `debug`.
    /// Log entries hold no stored values, but for what the hub itself puts in the words of a
    /// refusal.
    ///
    /// | Metric | Kind | What |
    /// |---|---|---|
    /// | `sectile.replica.resyncs` | counter | comparisons of all rows that began |
    /// | `sectile.replica.interruptions` | counter | the hub was lost, or could not be reached |
    /// | `sectile.replica.parked` | counter | changes of the outbox that the hub has refused |
    /// | `sectile.replica.stops` | counter | nothing is applied any more |
    ///
    /// ``ReplicaService`` tells how far the replica is. Who listened before is called, too.
    ///
    /// - Parameters:
    ///   - logger: Where to log.
    ///   - factory: Where the metrics go; by default to the one that the process has set up.
    ///   - dimensions: What tells this replica's metrics from others', such as
    ///     `[("replica", "depot7")]`.
    public mutating func report(
      to logger: Logger, metrics factory: any MetricsFactory = MetricsSystem.factory,
      dimensions: [(String, String)] = []
    ) {
      func counter(_ label: String) -> Counter {
        Counter(label: "sectile.replica.\(label)", dimensions: dimensions, factory: factory)
      }
      let (resyncs, interruptions) = (counter("resyncs"), counter("interruptions"))
      let (parked, stops, former) = (counter("parked"), counter("stops"), onEvent)
      onEvent = { event in
        former?(event)
        switch event.content {
        case .resyncBegan: resyncs.increment()
        case .interrupted: interruptions.increment()
        case .parked: parked.increment()
        case .stopped: stops.increment()
        case .elected, .resumed, .copied, .resyncEnded, .withheld: break
        }
        logger.log(event)
      }
    }
  }

  extension Logger {
    fileprivate func log(_ event: ReplicaEvent) {
      let level: Logger.Level =
        switch event.content {
        case .copied: .debug
        case .elected, .resumed, .resyncBegan, .resyncEnded: .info
        case .interrupted, .withheld, .parked: .warning
        case .stopped: .error
        }
      log(level: level, "\(event.message)", metadata: event.metadata)
    }
  }

  extension ReplicaEvent {
    fileprivate var message: String {
      switch content {
      case .elected: "this process follows the hub"
      case .resumed: "goes on where it stood"
      case .resyncBegan: "compares all rows with the hub's"
      case .copied: "rows of the hub have come"
      case .resyncEnded: "has the hub's rows"
      case .interrupted: "the hub is tried again after a while"
      case .withheld: "rows have NULL where the hub has a value that replicas cannot have"
      case .parked: "the hub has refused a change of the outbox"
      case .stopped: "nothing is applied any more"
      }
    }

    /// What log handlers can search and count.
    fileprivate var metadata: Logger.Metadata {
      switch content {
      case .elected: [:]
      case .resumed(let token): ["position": "\(token.position)"]
      case .resyncBegan(let reason): ["reason": "\(reason)"]
      case .copied(let rowCount, let estimate):
        ["rows": "\(rowCount)"].merging(estimate.map { ["estimate": "\($0)"] } ?? [:]) { $1 }
      case .resyncEnded(let resync):
        [
          "reason": "\(resync.reason)", "position": "\(resync.token.position)",
          "rows": "\(resync.rowCount)", "deleted": "\(resync.deletedCount)",
          "written": "\(resync.writtenCount)",
        ]
      case .interrupted(let error, let delay):
        ["error": "\(error)", "seconds": "\(delay / .seconds(1))"]
      case .withheld(let value):
        ["table": "\(value.table)", "column": "\(value.column)", "reason": "\(value.reason)"]
      case .parked(let entry): ["entry": "\(entry.id)"].merging(entry.refusal) { $1 }
      case .stopped(let error): ["code": "\(error.code)", "error": "\(error.message)"]
      }
    }
  }

  extension OutboxEntry {
    fileprivate var refusal: Logger.Metadata {
      guard case .parked(let rejection) = state else { return [:] }
      return ["kind": "\(rejection.kind)", "reason": "\(rejection.message)"]
    }
  }
#endif
