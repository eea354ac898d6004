internal import ArgumentParser
internal import SectilePresenting

#if Postgres
  internal import Sectile
  internal import SectileHub
  internal import SectilePostgres
#endif

/// `sectile hub resync`: makes a replica's rows those of the hub, whatever they are.
struct HubResyncCommand: HubSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "resync",
    abstract: "Write the rows that differ from the hub's.",
    discussion: """
      A replica does so by itself when it has a reason; run this command when you have one. \
      Tables, columns and conditions are those of the file. The differences are written in one \
      transaction, which live results and change logs show like any other.

      The command follows the hub for the file while it runs. If another process follows it, the \
      command changes nothing and ends with code 74. Then let that process do it (Replica.resync \
      of the library), or end that process first.

      EXAMPLES
        sectile hub resync fleet.sqlite
      """)

  @Argument(help: "The SQLite file: a replica.", completion: .file())
  var file: String

  @OptionGroup var replica: HubReplicaOptions

  #if Postgres
    func perform() throws {
      let output = Output.standard()
      let found = try ReplicaFile(file)
      let postgres = try replica.hub.postgres(named: replica.replicaName(of: found))
      let reporter = HubReporter(output: output, tellsEvents: false, isJSON: replica.json)
      var configuration = reporter.configuration
      // Whether the file has one is not changed here.
      configuration.keepsChangeLog = false
      let (file, opening, subscriptions) = (file, configuration, found.state.subscriptions)
      let resync = try reporter.reporting {
        try HubWork.run {
          let replica = try await Replica.open(
            at: file, following: postgres, tables: subscriptions, configuration: opening)
          return try await replica.closing {
            let resync = try await replica.resync()
            await postgres.close()
            return resync
          }
        }
      }
      try output.line(
        replica.json ? document(resync).text : TerminalText.escaped(text(resync)))
      try output.flush()
    }

    private func text(_ resync: ReplicaResync) -> String {
      "\(file): \(CountText.text(resync.rowCount, "row")) compared at \(resync.token.position), "
        + "\(resync.deletedCount) deleted, \(resync.writtenCount) written"
    }

    private func document(_ resync: ReplicaResync) -> JSONValue {
      [
        "v": 1, "file": .string(file), "position": .string(resync.token.position.description),
        "rows": JSONValue(resync.rowCount), "deleted": JSONValue(resync.deletedCount),
        "written": JSONValue(resync.writtenCount),
      ]
    }
  #endif
}
