internal import ArgumentParser

/// `sectile demo`: Sectile at work on the packages that are installed on this machine.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Show live results on this machine's own package database.",
    discussion: """
      Reads dpkg's status file into a SQLite file, prints the packages by section, then commits \
      real transactions (an upgrade, a removal, an install, packages that change their section) \
      and prints the lifecycle and the exact diff that each one caused. Nothing but the SQLite \
      file is written.

        sectile demo
        sectile demo --database packages.sqlite --rows 5
        sectile demo --watch

      S- i and S+ i are a section deleted and inserted, S> a section moved, S~ one with a new \
      title. R- [s,r] is a row deleted at an old path, R+ [s,r] a row inserted at a new one, \
      R> a row moved (* its content changed, too), R~ a row updated.
      """)

  @Option(help: "The dpkg status file to read.", completion: .file())
  var input = DpkgStatusFile.systemPath

  @Option(
    help: "Keep the data in this SQLite file, and continue from its contents.", completion: .file())
  var database: String?

  @Option(help: "How many rows of each section to print.")
  var rows = 2

  @Flag(help: "Follow the input file instead: print the diff whenever packages change.")
  var watch = false

  @Option(help: "With --watch, how often to look at the input file, in seconds.")
  var interval = 1.0

  func validate() throws {
    if rows < 0 { throw ValidationError("--rows is the number of rows to print: 0 or more.") }
    if !(interval >= 0.05 && interval <= 86_400) {
      throw ValidationError("--interval is a time in seconds between 0.05 and 86400.")
    }
  }

  func run() throws {
    let output = Output.standard()
    let place = try DemoDatabase(path: database)
    defer { place.removeIfTemporary() }
    let demo = try Demo(
      file: DpkgStatusFile(path: input), database: place, rowsPerSection: rows, output: output)
    try demo.load()
    if watch {
      try demo.watch(every: .seconds(interval))
    } else {
      try demo.runSteps()
    }
    try demo.close()
  }
}
