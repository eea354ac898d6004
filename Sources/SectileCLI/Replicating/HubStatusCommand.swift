internal import ArgumentParser
internal import Foundation
internal import Sectile
internal import SectilePresenting

#if Postgres
  internal import SectileHub
  internal import SectilePostgres
#endif

/// `sectile hub status`: where a replica stands, by its file and by its hub.
struct HubStatusCommand: HubSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the state of a replica.",
    discussion: """
      From FILE the command shows the replica's position, its tables, and how old the hub's last \
      sign of life is. From the hub, with --hub or SECTILE_HUB, it shows how much of the server's \
      log waits for the replica, how much more the server would keep (max_slot_wal_keep_size), and \
      how far behind the replica is. It warns on standard error when less than half is left. A \
      replica whose log the server has given up compares all rows when it connects again.

      The exit code is 1 if the file is not a replica, or if the server keeps no log for it.

      EXAMPLES
        sectile hub status fleet.sqlite
        sectile hub status fleet.sqlite --hub 'host=db.example dbname=depots' --json
        sectile hub status --name depot7
      """)

  @Argument(help: "The SQLite file: a replica.", completion: .file())
  var file: String?

  @OptionGroup var replica: HubReplicaOptions

  func validate() throws { try replica.validate(with: file) }

  #if Postgres
    func perform() throws {
      let output = Output.standard()
      let found = try file.map { try ReplicaFile($0) }
      let now = Date()
      if !replica.json, let found {
        try ReplicaStatusText(output: output).write(found, at: now)
        try output.flush()
      }
      var status: PostgresHubStatus?
      if found == nil || replica.hub.connection != nil {
        let postgres = try replica.hub.postgres(named: replica.replicaName(of: found))
        status = try HubWork.run {
          let status = try await postgres.status()
          await postgres.close()
          return status
        }
      }
      if replica.json {
        let document: JSONValue = [
          "v": 1, "file": found?.document(at: now) ?? .null,
          "hub": status?.document(of: found) ?? .null,
        ]
        try output.line(document.text)
      } else if let status {
        if found != nil { try output.line() }
        try ReplicaStatusText(output: output).write(status, of: found)
      }
      try output.flush()
      try status?.judge(found)
    }
  #endif
}

#if Postgres
  /// Where a replica stands, for a person.
  struct ReplicaStatusText {
    let output: Output

    /// Writes what the file says.
    func write(_ found: ReplicaFile, at now: Date) throws {
      let state = found.state
      try entry("file", found.path)
      try entry("hub", "\(state.token.system), timeline \(state.token.timeline)")
      try entry("slot", state.token.slot)
      try entry("position", state.token.position.description)
      try entry(
        "heartbeat",
        state.heartbeat.map {
          "\(DateText.text(from: $0) ?? "-"), \(DurationText.text(found.lag(at: now) ?? .zero)) ago"
        } ?? "never")
      try entry(
        "versions", state.schemaVersions.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "any")
      try entry("outbox", "\(state.waitingCount) waiting, \(state.parkedCount) refused")
      try output.line()
      var table = TextTable(headers: ["table", "rows", "columns", "condition"], output: output)
      for (synced, count) in found.rowCounts {
        try table.append([
          TextCell(synced.name), TextCell("\(count)", isNumber: true),
          TextCell(synced.columns.map(\.name).joined(separator: ", ")),
          TextCell(synced.condition ?? ""),
        ])
      }
      try table.finish()
    }

    /// Writes what the server says.
    func write(_ status: PostgresHubStatus, of found: ReplicaFile?) throws {
      let connection = status.isActive ? "connected" : "not connected"
      try entry("server", status.slot.map { "\($0), \(connection)" } ?? "keeps no log")
      try entry("log", status.invalidationReason ?? status.walStatus ?? "-")
      try entry("kept", Self.size(status.retainedByteCount) ?? "-")
      try entry("left", Self.size(status.safeByteCount) ?? "no limit")
      try entry("confirmed", status.confirmedPosition?.description ?? "-")
      try entry("end", status.currentPosition.description)
      try entry("behind", Self.size(status.behindByteCount(of: found)) ?? "-")
    }

    private func entry(_ name: String, _ value: String) throws {
      let space = String(repeating: " ", count: max(1, 11 - name.count))
      try output.line(name + space + TerminalText.escaped(value))
    }

    /// A number of bytes as a person reads it.
    static func size(_ byteCount: Int64?) -> String? {
      byteCount.map { $0 < 1024 ? "\($0) bytes" : SizeText.text(kibibytes: ($0 + 1023) / 1024) }
    }
  }

  extension ReplicaFile {
    /// How long ago the hub wrote the last sign of life that is in the file.
    func lag(at now: Date) -> Duration? {
      state.heartbeat.map { .seconds(max(0, now.timeIntervalSince($0))) }
    }

    /// What the file says, for a program.
    func document(at now: Date) -> JSONValue {
      [
        "path": .string(path), "name": JSONValue(PostgresHub.name(ofSlot: state.token.slot)),
        "system": .string(state.token.system), "timeline": JSONValue(Int(state.token.timeline)),
        "slot": .string(state.token.slot), "position": .string(state.token.position.description),
        "heartbeat": JSONValue(
          state.heartbeat.flatMap(DateText.text(from:)).map { DateText.internet($0) }),
        "lagMilliseconds": lag(at: now).map { JSONValue(milliseconds: $0) } ?? .null,
        "schemaVersions": state.schemaVersions.map {
          ["minimum": JSONValue($0.lowerBound), "maximum": JSONValue($0.upperBound)]
        } ?? .null,
        "outbox": [
          "waiting": JSONValue(state.waitingCount), "refused": JSONValue(state.parkedCount),
        ],
        "tables": .array(
          rowCounts.map { synced, count in
            [
              "name": .string(synced.name), "rows": JSONValue(count),
              "columns": .array(synced.columns.map { .string($0.name) }),
              "keys": .array(synced.key.map { .string($0) }),
              "condition": JSONValue(synced.condition),
            ]
          }),
      ]
    }
  }

  extension PostgresHubStatus {
    /// Whether less than half of what the server would keep is left.
    var isNearLimit: Bool {
      guard let safeByteCount, let retainedByteCount else { return false }
      return safeByteCount < retainedByteCount
    }

    /// How many bytes of the server's log the replica does not have.
    ///
    /// - Parameter found: The replica's file; what was confirmed counts where there is none, or one
    ///   of another slot.
    /// - Returns: The number; nil where nothing was confirmed.
    func behindByteCount(of found: ReplicaFile?) -> Int64? {
      let own = found.flatMap { $0.state.token.slot == slot ? $0.state.token.position : nil }
      guard let position = own ?? confirmedPosition else { return nil }
      return Int64(clamping: currentPosition.byteCount)
        - Int64(clamping: min(position, currentPosition).byteCount)
    }

    /// What the server says, for a program.
    func document(of found: ReplicaFile?) -> JSONValue {
      [
        "slot": JSONValue(slot), "isConnected": .bool(isActive), "state": JSONValue(walStatus),
        "lossReason": JSONValue(invalidationReason),
        "keptBytes": retainedByteCount.map { .integer($0) } ?? .null,
        "leftBytes": safeByteCount.map { .integer($0) } ?? .null, "isNearLimit": .bool(isNearLimit),
        "confirmed": JSONValue(confirmedPosition?.description),
        "end": .string(currentPosition.description),
        "behindBytes": behindByteCount(of: found).map { .integer($0) } ?? .null,
      ]
    }

    /// Warns where the server will give up its log for the replica soon.
    ///
    /// - Throws: ``CommandFailure`` where it keeps none.
    func judge(_ found: ReplicaFile?) throws {
      let hint = "When the replica is followed again, all rows are compared."
      guard let slot else {
        throw CommandFailure(.failed, "the server keeps no log for the replica", hint: hint)
      }
      if walStatus == "lost" || invalidationReason != nil {
        throw CommandFailure(
          .failed,
          "the server has given up its log for the replica: \(invalidationReason ?? "lost")",
          hint: hint)
      }
      let errors = Output.standardError()
      if isNearLimit {
        let left = ReplicaStatusText.size(safeByteCount) ?? "0 bytes"
        try errors.line(
          "Warning: the server gives up its log for the replica in \(left): follow or detach it.")
      }
      if let found, found.state.token.slot != slot {
        try errors.line(
          "Note: the server's slot is not the file's: all rows are compared when it follows.")
      }
      try errors.flush()
    }
  }
#endif
