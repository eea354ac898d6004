internal import ArgumentParser

/// `sectile serve`: any SQLite file live in the browser, and a feed for programs.
///
/// It is there in every build, and says how to get the server where that was left out.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show a file live in the browser, and feed programs.",
    discussion: """
      Prints an address. Its page shows tables, sections, totals and rows, and follows every \
      commit of any process by moving, inserting, marking and removing exactly what changed. \
      Programs get the same over server-sent events; Documentation/Serve.md describes the API.

        sectile serve app.db
        sectile serve app.db --port 0
        sectile serve app.db --host 0.0.0.0 --allow-host box.example

      The address contains a token that works for one browser, which then gets a cookie. When the \
      token was used, the next one is printed. A program does the same:

        curl -c jar 'http://127.0.0.1:8420/?token=…'
        curl -b jar 'http://127.0.0.1:8420/api/rows?table=job&sort=created'
        curl -b jar -N 'http://127.0.0.1:8420/api/events?table=job&section-by=state'

      It listens only at 127.0.0.1 unless --host names another address. It uses HTTP without \
      encryption. Beyond this machine, put it behind a proxy that encrypts, and name the proxy's \
      host with --allow-host. Everybody with the address can read all of the file.

      Nobody can write. The file is opened read-only, and there is no --writable, on purpose. A \
      token in an address is no permission to change data. A service that lets its users edit \
      mounts the routes behind its own middleware (the module SectileServer).

      Ctrl-C ends it. It completes the answers that it has begun, and clients connect again when \
      it is back. The server is part of builds with the trait Server: swift build --product \
      sectile --traits Server,Macros.
      """)

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @OptionGroup var opening: OpeningOptions

  @Option(
    help: ArgumentHelp(
      "The address to listen at; 0.0.0.0 for all of this machine's.", valueName: "address"))
  var host = "127.0.0.1"

  @Option(
    help: ArgumentHelp(
      "The port; 0 for any that is free. Without it 8420, or the next one that is free.",
      valueName: "port"))
  var port: Int?

  @Option(
    name: .customLong("allow-host"),
    help: ArgumentHelp(
      "A name by which browsers may call the server, besides its address; repeat it for more.",
      valueName: "name"))
  var allowedHosts: [String] = []

  @Flag(
    name: .customLong("no-token"),
    help: "Let everybody on this machine read, without a token; at a loopback address only.")
  var hasNoToken = false

  @Option(
    help: ArgumentHelp("How long reading the rows of a view may take.", valueName: "seconds"))
  var queryTimeout = 10.0

  @Option(help: ArgumentHelp("Allow at most this many streams of events.", valueName: "n"))
  var streamLimit = 64

  @Option(help: ArgumentHelp("Allow at most this many views.", valueName: "n"))
  var viewLimit = 64

  @Option(help: ArgumentHelp("Allow at most this many connections.", valueName: "n"))
  var connectionLimit = 256

  func validate() throws {
    if let port, !(0...65_535).contains(port) {
      throw ValidationError("--port is a number from 0 to 65535.")
    }
    if !(queryTimeout > 0 && queryTimeout <= 86_400) {
      throw ValidationError("--query-timeout is a time in seconds, up to 86400.")
    }
    let limits = [
      ("stream", streamLimit), ("view", viewLimit), ("connection", connectionLimit),
    ]
    for (name, limit) in limits where !(1...100_000).contains(limit) {
      throw ValidationError("--\(name)-limit is a number from 1 to 100000.")
    }
    if allowedHosts.contains(where: { $0.isEmpty || $0.contains("/") || $0.contains("*") }) {
      throw ValidationError("--allow-host is the name of a host, as it stands in the address bar.")
    }
  }

  func run() throws {
    #if Server
      try serve()
    #else
      throw CommandFailure(
        .usage, "this sectile was built without its server",
        hint: "Build it with: swift build --product sectile --traits Server,Macros")
    #endif
  }
}
