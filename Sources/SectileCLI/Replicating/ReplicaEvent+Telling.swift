#if Postgres
  internal import Sectile
  internal import SectileHub

  extension ReplicaEvent {
    /// What happened, for a person.
    var line: String {
      switch content {
      case .elected: "this process follows the hub"
      case .resumed(let token): "goes on at \(token.position)"
      case .resyncBegan(let reason): "reads all rows: \(reason)"
      case .copied(let rowCount, _): CountText.text(rowCount, "row")
      case .resyncEnded(let resync):
        "has the hub's \(CountText.text(resync.rowCount, "row")) at \(resync.token.position): "
          + "\(resync.deletedCount) deleted, \(resync.writtenCount) written"
      case .interrupted(let error, let delay):
        "interrupted: \(Self.message(of: error)); tries again in \(DurationText.text(delay))"
      case .withheld(let value):
        "\(value.table).\(value.column) is NULL where the hub has another value: \(value.reason)"
      case .parked(let entry):
        "the hub has refused change \(entry.id) of the outbox: \(Self.refusal(of: entry))"
      case .stopped(let error): "stopped: \(error.message)"
      }
    }

    /// What happened, for a program.
    var document: JSONValue {
      switch content {
      case .elected: ["v": 1, "event": .string("elected")]
      case .resumed(let token):
        ["v": 1, "event": .string("resumed"), "position": .string(token.position.description)]
      case .resyncBegan(let reason):
        ["v": 1, "event": .string("resyncBegan"), "reason": .string(reason.description)]
      case .copied(let rowCount, _):
        ["v": 1, "event": .string("copied"), "rows": JSONValue(rowCount)]
      case .resyncEnded(let resync):
        [
          "v": 1, "event": .string("resyncEnded"), "reason": .string(resync.reason.description),
          "position": .string(resync.token.position.description),
          "rows": JSONValue(resync.rowCount), "deleted": JSONValue(resync.deletedCount),
          "written": JSONValue(resync.writtenCount),
        ]
      case .interrupted(let error, let delay):
        [
          "v": 1, "event": .string("interrupted"), "message": .string(Self.message(of: error)),
          "retryMilliseconds": JSONValue(milliseconds: delay),
        ]
      case .withheld(let value):
        [
          "v": 1, "event": .string("withheld"), "table": .string(value.table),
          "column": .string(value.column), "message": .string(value.reason),
        ]
      case .parked(let entry):
        [
          "v": 1, "event": .string("parked"), "entry": .integer(entry.id),
          "message": .string(Self.refusal(of: entry)),
        ]
      case .stopped(let error):
        ["v": 1, "event": .string("stopped"), "message": .string(error.message)]
      }
    }

    private static func refusal(of entry: OutboxEntry) -> String {
      if case .parked(let rejection) = entry.state { rejection.message } else { "" }
    }

    private static func message(of error: any Error) -> String {
      (error as? any SectileError)?.message ?? "\(error)"
    }
  }
#endif
