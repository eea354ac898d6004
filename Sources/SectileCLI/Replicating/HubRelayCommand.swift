internal import ArgumentParser

#if Postgres && NATS
  internal import Sectile
  internal import SectileHub
  internal import SectileNATS
  internal import SectilePostgres
  internal import SectilePresenting
#endif

/// `sectile hub relay`: follows the hub once, for any number of machines behind NATS.
struct HubRelayCommand: HubSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "relay",
    abstract: "Publish the hub's transactions to machines behind NATS JetStream.",
    discussion: """
      The relay is the only replica that the server keeps its log for. It publishes whole \
      transactions into a stream, and its rows from time to time, for machines that are new or \
      were away for too long. Machines follow the stream with the library (NATSFeed), or with \
      sectile hub attach.

      The command makes the stream where there is none, with at most --keep bytes. One that is \
      there stays as it is. It continues until Ctrl-C, and writes a line for each event except \
      commits.

      EXAMPLES
        sectile hub relay relay.sqlite --name relay --table depot --table parcel \\
            --nats nats://127.0.0.1:4222 --stream depots
      """)

  @Argument(help: "The SQLite file of the relay's own replica.", completion: .file())
  var file: String

  @OptionGroup var hub: HubOptions

  @Option(
    help: ArgumentHelp(
      "The relay's own name at the hub, of lower-case letters, digits and underscores.",
      valueName: "name"))
  var name: String

  @OptionGroup var tables: HubTableOptions

  @OptionGroup var target: HubStreamOptions

  @Option(
    help: ArgumentHelp(
      "How many bytes a new stream keeps at most; 0 for no limit.", valueName: "bytes"))
  var keep: Int64 = 1 << 30

  @Flag(help: "Write JSON, one object a line, for programs.")
  var ndjson = false

  func validate() throws {
    guard target.stream != nil else {
      throw ValidationError("--nats and --stream say where to publish.")
    }
    guard keep >= 0 else { throw ValidationError("--keep is a number of bytes, or 0.") }
  }

  #if Postgres && NATS
    func perform() throws {
      guard let location = try target.location() else { return }
      let output = Output.standard()
      let stop = StopSignal()
      let reporter = HubReporter(output: output, tellsEvents: true, isJSON: ndjson) { stop.stop() }
      let postgres = try hub.postgres(named: name)
      var options = NATSRelay.Options()
      options.byteLimit = keep
      options.replica = reporter.configuration
      options.replica.keepsChangeLog = false
      options.onSnapshot = { result in Self.tell(result, reporter) }
      let relay = NATSRelay(
        of: postgres, at: file, tables: tables.subscriptions, to: location, options: options)
      try reporter.reporting {
        try HubWork.run(stop) {
          try await relay.run()
          await postgres.close()
        }
      }
      try output.flush()
    }

    private static func tell(_ result: Result<Int, any Error>, _ reporter: HubReporter) {
      switch result {
      case .success(let rowCount):
        reporter.tell(
          "published a snapshot of \(CountText.text(rowCount, "row"))",
          as: ["v": 1, "event": .string("snapshot"), "rows": JSONValue(rowCount)])
      case .failure(let error):
        let message = (error as? HubError)?.message ?? "\(error)"
        reporter.tell(
          "no snapshot could be published: \(message)",
          as: ["v": 1, "event": .string("snapshotFailed"), "message": .string(message)])
      }
    }
  #elseif Postgres
    func perform() throws { throw HubStreamOptions.isMissing }
  #endif
}
