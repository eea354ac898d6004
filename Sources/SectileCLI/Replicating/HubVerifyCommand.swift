internal import ArgumentParser
internal import Sectile
internal import SectilePresenting

#if Postgres
  internal import SectileHub
  internal import SectilePostgres
#endif

/// `sectile hub verify`: whether a replica's rows are the hub's, without copying them.
struct HubVerifyCommand: HubSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare checksums of a replica's rows with the hub's.",
    discussion: """
      The server and the file each compute checksums of their rows, as of one position of the \
      hub's log. Only in parts of a table whose checksums differ are single rows compared, also by \
      checksums; the keys of the first that differ are shown. Rows that the hub changes meanwhile, \
      and rows for which a change in the outbox waits, are counted and not judged.

      The file must have what the hub had when the command began. If no other process follows the \
      hub for the file, the command does while it runs, which may write, as attach would. It \
      never writes the rows that differ: sectile hub resync does.

      The server reads all rows of the tables, once or twice. It needs a free replication slot, \
      and first waits for the transactions that are open (pg_stat_activity, oldest xact_start).

      The exit code is 0 if all rows are equal, and 1 if some differ.

      EXAMPLES
        sectile hub verify fleet.sqlite
        sectile hub verify fleet.sqlite --hub 'host=db.example dbname=depots' --rows 100 --json
      """)

  @Argument(help: "The SQLite file: a replica.", completion: .file())
  var file: String

  @OptionGroup var replica: HubReplicaOptions

  @Option(
    help: ArgumentHelp(
      "How many rows that differ to show of each table, from 1 to 10000. The search ends when so many are found.",
      valueName: "count"))
  var rows = 20

  func validate() throws {
    guard (1...10_000).contains(rows) else {
      throw ValidationError("--rows is a number from 1 to 10000.")
    }
  }

  #if Postgres
    private typealias Found = PostgresHub.Verification

    func perform() throws {
      let output = Output.standard()
      let file = try ReplicaFile(self.file)
      let postgres = try replica.hub.postgres(named: replica.replicaName(of: file))
      let reporter = HubReporter(output: output, tellsEvents: false, isJSON: replica.json)
      var configuration = reporter.configuration
      // Whether the file has one is not changed here.
      configuration.keepsChangeLog = false
      let (path, opening, subscriptions) = (file.path, configuration, file.state.subscriptions)
      let rows = rows
      let (found, resync) = try reporter.reporting {
        try HubWork.run {
          let replica = try await Replica.open(
            at: path, following: postgres, tables: subscriptions, configuration: opening)
          return try await replica.closing {
            try await replica.reachHub()
            let found = try await replica.whileReachable {
              try await postgres.verify(replica, namingAtMost: rows)
            }
            await postgres.close()
            return (found, replica.status.lastResync)
          }
        }
      }
      if replica.json {
        try output.line(document(found, resync).text)
      } else {
        try write(found, resync, to: output)
      }
      try output.flush()
      guard found.isEqual else {
        let names = found.tables.filter { !$0.isEqual }.map(\.name)
        throw CommandFailure(
          .failed, "\(path): rows of \(names.joined(separator: ", ")) are not the hub's",
          hint: "Write those that differ with: sectile hub resync FILE")
      }
    }

    private func write(_ found: Found, _ resync: ReplicaResync?, to output: Output) throws {
      if let resync {
        try output.line(
          TerminalText.escaped("all rows were read from the hub first: \(resync.reason)"))
      }
      for table in found.tables {
        try output.line(TerminalText.escaped("\(table.name): \(text(of: table))"))
        for row in table.rows {
          let key = row.key.map { JSONValue.value($0).text }.joined(separator: ", ")
          try output.line(TerminalText.escaped("  \(row.difference.rawValue)  \(key)"))
        }
      }
      let verdict = found.isEqual ? "equal to the hub" : "compared with the hub"
      try output.line(TerminalText.escaped("\(file): \(verdict) at \(found.position)"))
    }

    private func text(of table: Found.Table) -> String {
      var parts = [CountText.text(table.replicaRowCount, "row")]
      if table.isEqual {
        parts.append("equal")
      } else {
        parts[0] += ", \(table.hubRowCount) at the hub"
        let counts = [
          ("missing", table.missingCount), ("surplus", table.surplusCount),
          ("changed", table.changedCount), ("more not compared one by one", table.uncomparedCount),
        ]
        for (word, count) in counts where count > 0 { parts.append("\(count) \(word)") }
      }
      if table.unsettledCount > 0 { parts.append("\(table.unsettledCount) not judged") }
      return parts.joined(separator: ", ")
    }

    private func document(_ found: Found, _ resync: ReplicaResync?) -> JSONValue {
      [
        "v": 1, "file": .string(file), "position": .string(found.position.description),
        "isEqual": .bool(found.isEqual), "resync": JSONValue(resync?.reason.description),
        "tables": .array(found.tables.map { document(of: $0) }),
      ]
    }

    private func document(of table: Found.Table) -> JSONValue {
      [
        "name": .string(table.name), "rows": JSONValue(table.replicaRowCount),
        "hubRows": JSONValue(table.hubRowCount), "isEqual": .bool(table.isEqual),
        "missing": JSONValue(table.missingCount), "surplus": JSONValue(table.surplusCount),
        "changed": JSONValue(table.changedCount), "uncompared": JSONValue(table.uncomparedCount),
        "unsettled": JSONValue(table.unsettledCount),
        "differences": .array(table.rows.map { document(of: $0) }),
      ]
    }

    private func document(of row: Found.Row) -> JSONValue {
      [
        "difference": .string(row.difference.rawValue),
        "key": .array(row.key.map { .value($0) }),
      ]
    }
  #endif
}
