#if Postgres
  internal import ArgumentParser

  /// Measures replicas of a PostgreSQL that scripts/hub-figures has started.
  @main
  struct HubFiguresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hub-figures",
      abstract: "Measures how soon commits of a PostgreSQL are in replicas, and what that costs.",
      discussion: "scripts/hub-figures starts the server, and says what is measured.")

    @Option(help: "Where the server is, as libpq reads it.")
    var connection: String
    @Option(help: "The server's folder of data, for its processor time.")
    var data: String
    @Option(help: "A folder for files.")
    var folder: String
    @Option(help: "How many rows are copied.")
    var rows = 1_000_000
    @Option(help: "How many commits, one after the other, are timed.")
    var commits = 1000

    func run() async throws {
      let world = HubWorld(connection: connection, data: data, folder: folder)
      try world.makeTables(
        parcelCount: max(commits, OutboxFigures.counts.max() ?? 0), rowCount: rows)
      try await LatencyFigures(world: world, count: commits).measure()
      try await CostFigures(world: world, count: commits).measure()
      try await OutboxFigures(world: world).measure()
      try await CopyFigures(world: world, rowCount: rows).measure()
    }
  }
#else
  @main
  struct HubFiguresCommand {
    static func main() {
      print("Measuring needs the trait Postgres: run scripts/hub-figures.")
    }
  }
#endif
