internal import ArgumentParser
internal import Sectile
internal import SectilePresenting

#if Postgres
  internal import SectileHub
  internal import SectilePostgres
#endif

/// `sectile hub list`: all replicas of a hub.
struct HubListCommand: HubSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the replicas of the hub.",
    discussion: """
      The command lists the replicas for which the server keeps its log: whether a stream is \
      connected and from where, how far behind the replica is (the log that it has not confirmed, \
      and how late it was the last time), how much log is kept for it, how much more the server \
      would keep, and when the server last heard of it. PostgreSQL 17 and later also know the last \
      for replicas that are not connected.

      Roles without the rights of pg_read_all_stats see neither address nor times of other roles' \
      connections. The exit code is 1 if the server has given up its log for a replica.

      EXAMPLES
        sectile hub list
        sectile hub list --hub 'host=db.example dbname=depots' --json
      """)

  @OptionGroup var hub: HubOptions

  @Flag(help: "Write one JSON document.")
  var json = false

  #if Postgres
    func perform() throws {
      let output = Output.standard()
      // Nothing is made or changed for a replica of this name.
      let postgres = try hub.postgres(named: "list")
      let replicas = try HubWork.run {
        let replicas = try await postgres.replicas()
        await postgres.close()
        return replicas
      }
      if json {
        let document: JSONValue = [
          "v": 1, "replicas": .array(replicas.map(\.document)),
        ]
        try output.line(document.text)
      } else if replicas.isEmpty {
        try output.line("the hub has no replicas")
      } else {
        try write(replicas, to: output)
      }
      try output.flush()
      let lost = replicas.filter(\.isLost).map(\.name)
      guard lost.isEmpty else {
        throw CommandFailure(
          .failed, "the server has given up its log for \(lost.joined(separator: ", "))",
          hint: "When a replica is followed again, all rows are compared.")
      }
    }

    private func write(_ replicas: [PostgresHub.ListedReplica], to output: Output) throws {
      let headers = [
        "name", "connected", "behind", "lag", "kept", "left", "log", "last seen",
      ]
      var table = TextTable(headers: headers, output: output)
      for replica in replicas {
        let status = replica.status
        try table.append([
          TextCell(replica.name),
          TextCell(status.isActive ? replica.address ?? "yes" : "no"),
          TextCell(ReplicaStatusText.size(replica.behindByteCount) ?? "-"),
          TextCell(replica.lag.map { DurationText.text($0) } ?? "-"),
          TextCell(ReplicaStatusText.size(status.retainedByteCount) ?? "-"),
          TextCell(ReplicaStatusText.size(status.safeByteCount) ?? "no limit"),
          TextCell(status.invalidationReason ?? status.walStatus ?? "-"),
          TextCell(replica.lastSeen.flatMap { DateText.text(from: $0) } ?? "-"),
        ])
      }
      try table.finish()
    }
  #endif
}

#if Postgres
  extension PostgresHub.ListedReplica {
    /// Whether the server has given up its log for it.
    fileprivate var isLost: Bool {
      status.walStatus == "lost" || status.invalidationReason != nil
    }

    /// The replica for a program.
    fileprivate var document: JSONValue {
      [
        "name": .string(name), "slot": JSONValue(status.slot),
        "isConnected": .bool(status.isActive), "address": JSONValue(address),
        "state": JSONValue(status.walStatus), "lossReason": JSONValue(status.invalidationReason),
        "behindBytes": behindByteCount.map { .integer($0) } ?? .null,
        "lagMilliseconds": lag.map { JSONValue(milliseconds: $0) } ?? .null,
        "keptBytes": status.retainedByteCount.map { .integer($0) } ?? .null,
        "leftBytes": status.safeByteCount.map { .integer($0) } ?? .null,
        "isNearLimit": .bool(status.isNearLimit),
        "confirmed": JSONValue(status.confirmedPosition?.description),
        "end": .string(status.currentPosition.description),
        "lastSeen": JSONValue(
          lastSeen.flatMap { DateText.text(from: $0) }.map { DateText.internet($0) }),
      ]
    }
  }
#endif
