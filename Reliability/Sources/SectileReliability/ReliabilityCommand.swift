internal import ArgumentParser
internal import CFaultVFS
internal import Foundation

/// Breaks the library on purpose, and says what did not hold.
@main
struct ReliabilityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sectile-reliability",
    abstract: "Kills, starves, cuts and confuses Sectile, and checks what is left.",
    discussion: """
      Every case runs one seed after another until its share of the time is used. Everything in a \
      run follows from its seed, but for the order in which threads and processes take turns. A \
      finding is printed with the command that shows it again. Controls are cases that must find \
      something: with them the instruments show that they see.

      Examples:
        scripts/reliability --quick                      all cases, in two minutes
        scripts/reliability --hours 8 --json night.json  the long run
        scripts/reliability --case power-cut --seed 17   one seed of one case
        scripts/reliability --case log-kills --seeds 100 so many seeds of one case
        scripts/reliability --case log-idle --whole      a case that takes ten minutes for itself

      Cases:
      \(Cases.list)

      Exit code: 0 where nothing was found, 65 where something was, 64 for wrong arguments.
      """,
    subcommands: [])

  @Flag(help: "About two minutes for all cases together.")
  var quick = false

  @Option(help: "How many hours all cases take together.")
  var hours: Double?

  @Option(name: .customLong("case"), help: "Run this case only; may be repeated.")
  var names: [String] = []

  @Option(help: "Run this seed only, once.")
  var seed: UInt64?

  @Option(help: "The first seed of a run of many.")
  var firstSeed: UInt64 = 1

  @Option(help: "Run so many seeds of each case, however long that takes.")
  var seeds: Int?

  @Flag(help: "Cases that take a time of their own take all of it, as with --hours.")
  var whole = false

  @Flag(help: "List the cases.")
  var list = false

  @Option(help: "Also write the table to a JSON file.")
  var json: String?

  @Option(help: .hidden) var child: String?
  @Option(help: .hidden) var file: String?
  @Option(help: .hidden) var killAt: Int = 0
  @Option(help: .hidden) var childSeconds: Int = 0
  @Option(help: .hidden) var checkpointPages: Int = 0
  @Flag(help: .hidden) var torn = false

  func validate() throws {
    for name in names where !Cases.all.contains(where: { $0.name == name }) {
      throw ValidationError("There is no case '\(name)'; --list names them.")
    }
    if let hours, hours <= 0 { throw ValidationError("--hours must be more than zero.") }
    if let seeds, seeds < 1 { throw ValidationError("--seeds must be at least one.") }
    if quick && hours != nil { throw ValidationError("--quick and --hours exclude each other.") }
  }

  func run() throws {
    if list {
      print(Cases.list)
      return
    }
    guard fault_install() == 0 else { throw Finding("SQLite takes no file layer") }
    if let child, let file {
      try Child(
        workload: child, path: file, seed: seed ?? 0, seconds: childSeconds,
        checkpointPages: checkpointPages
      ).run(killAt: killAt, isTorn: torn)
      return
    }
    let wanted = Cases.all(isWhole: whole || hours != nil).filter {
      names.isEmpty || names.contains($0.name)
    }
    let time = hours.map { $0 * 3_600 } ?? 110
    let share =
      names.isEmpty || hours != nil
      ? time : time * wanted.reduce(0) { $0 + $1.weight } / Cases.all.reduce(0) { $0 + $1.weight }
    let tallies = Campaign(
      cases: wanted, seconds: share, seed: seed ?? firstSeed,
      seedCount: seeds ?? seed.map { _ in 1 }
    ).run()
    print(TallyTable.text(tallies))
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(tallies).write(to: URL(fileURLWithPath: json))
    }
    if tallies.contains(where: { !$0.findings.isEmpty }) { throw ExitCode(65) }
  }
}
