internal import ArgumentParser
internal import SectilePresenting

#if Postgres
  internal import Sectile
  internal import SectilePostgres
#endif

/// `sectile hub init`: sets up a database of PostgreSQL for replicas.
struct HubInitCommand: HubSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Set up a database of PostgreSQL as a hub.",
    discussion: """
      It makes the schema sectile with the hub's own tables, and adds to each table the column \
      sectile_rev with a trigger that counts the changes of its rows. All tables are checked before \
      the first is changed. Each table is changed in a transaction of its own, which locks it for a \
      moment. Objects that exist already stay as they are. If a table is in use for longer, the \
      command tries again five times instead of making others wait. sectile hub uninstall takes \
      everything back.

      --dry-run connects, lists what would be done, and changes nothing. --print writes the SQL and \
      does not connect, for example if somebody else has to run it.

      EXAMPLES
        sectile hub init --hub 'host=db.example dbname=depots' --table depot --table parcel
        sectile hub init --table depot --table parcel --role replica --dry-run
        sectile hub init --table depot --role replica --print | psql -v ON_ERROR_STOP=1 depots
      """)

  @OptionGroup var hub: HubOptions

  @Option(
    name: .customLong("table"),
    help: ArgumentHelp("A table that replicas have; repeat it for more.", valueName: "table"))
  var tables: [String]

  @Option(
    help: ArgumentHelp(
      "A role that gets the rights to follow the tables, and to write to them.", valueName: "role"))
  var role: String?

  @Flag(name: .customLong("print"), help: "Write the SQL, and do nothing.")
  var prints = false

  @Flag(help: "Connect, list what would be done, and do nothing.")
  var dryRun = false

  @Flag(help: "Write one JSON document.")
  var json = false

  func validate() throws {
    if prints && json { throw ValidationError("--print writes SQL. Leave --json out.") }
    if prints && dryRun {
      throw ValidationError("--print and --dry-run exclude each other: --print does not connect.")
    }
  }

  #if Postgres
    func perform() throws {
      let output = Output.standard()
      // No replica has this name: nothing is made for one here.
      let name = "init"
      if prints {
        let postgres = try PostgresHub(connection: "", name: name)
        try output.line(postgres.installationSQL(for: tables, role: role))
        return try output.flush()
      }
      let postgres = try hub.postgres(named: name)
      let (tables, role, dryRun) = (tables, role, dryRun)
      let (plan, hasChanged) = try HubWork.run {
        let plan = try await postgres.installationPlan(for: tables, role: role)
        let hasChanged = try await dryRun ? false : postgres.install(tables, role: role)
        await postgres.close()
        return (plan, hasChanged)
      }
      if json {
        try output.line(document(plan, hasChanged).text)
      } else {
        if dryRun { try plan.write("would", to: output) }
        try output.line(TerminalText.escaped(text(plan, hasChanged)))
      }
      try output.flush()
    }

    private func text(_ plan: HubSetupPlan, _ hasChanged: Bool) -> String {
      let names = "\(CountText.text(tables.count, "table")): \(tables.joined(separator: ", "))"
      if dryRun && !plan.steps.isEmpty { return "nothing was changed" }
      guard hasChanged else { return "the hub was set up already for \(names)" }
      return "the hub is set up for \(names)"
        + (role.map { "; the role \($0) may follow and write" } ?? "")
    }

    private func document(_ plan: HubSetupPlan, _ hasChanged: Bool) -> JSONValue {
      [
        "v": 1, "hasChanged": .bool(hasChanged), "tables": .array(tables.map { .string($0) }),
        "role": JSONValue(role), "dryRun": .bool(dryRun), "steps": plan.stepDocument,
        "notes": plan.noteDocument,
      ]
    }
  #endif
}
