internal import ArgumentParser
internal import SectilePresenting

#if Postgres
  internal import SectileHub
  internal import SectilePostgres
#endif

/// `sectile hub resync`: makes a replica's rows those of the hub, whatever they are.
struct HubResyncCommand: HubSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "resync",
    abstract: "Write what differs from the hub's rows.",
    discussion: """
      A replica does so by itself where it has reason to: this is for where somebody else has one. Tables, \
      columns and conditions are those of the file. What differs is written in one transaction, which live \
      results and change logs tell like any other.

      The command follows the hub for the file while it runs. Where another process does, it ends with 74 and \
      nothing is done: that process is to do it (Replica.resync of the library), or to end first.

      EXAMPLES
        sectile hub resync fleet.sqlite
      """)

  @Argument(help: "The SQLite file: a replica.", completion: .file())
  var file: String

  @OptionGroup var hub: HubOptions

  @Option(
    help: ArgumentHelp(
      "The replica's name at the hub; the file knows it, too.", valueName: "name"))
  var name: String?

  @Flag(help: "Write one JSON document.")
  var json = false

  #if Postgres
    func perform() throws {
      let output = Output.standard()
      let found = try ReplicaFile(file)
      let postgres = try hub.postgres(named: try found.name(name))
      let reporter = HubReporter(output: output, tellsEvents: false, isJSON: json)
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
      try output.line(json ? document(resync).text : TerminalText.escaped(text(resync)))
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
