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
      sectile_rev with a trigger that counts the changes of its rows. Each table is changed in a \
      transaction of its own, which locks it for a moment. Objects that exist already stay as they \
      are. If a table is in use for longer, the command tries again five times instead of making \
      others wait.

      --print writes the SQL and does not connect, for example if somebody else has to run it.

      EXAMPLES
        sectile hub init --hub 'host=db.example dbname=depots' --table depot --table parcel
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

  @Flag(help: "Write one JSON document.")
  var json = false

  func validate() throws {
    if prints && json { throw ValidationError("--print writes SQL. Leave --json out.") }
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
      let (tables, role) = (tables, role)
      let hasChanged = try HubWork.run {
        let hasChanged = try await postgres.install(tables, role: role)
        await postgres.close()
        return hasChanged
      }
      try output.line(json ? document(hasChanged).text : TerminalText.escaped(text(hasChanged)))
      try output.flush()
    }

    private func text(_ hasChanged: Bool) -> String {
      let names = "\(CountText.text(tables.count, "table")): \(tables.joined(separator: ", "))"
      guard hasChanged else { return "the hub was set up already for \(names)" }
      return "the hub is set up for \(names)"
        + (role.map { "; the role \($0) may follow and write" } ?? "")
    }

    private func document(_ hasChanged: Bool) -> JSONValue {
      [
        "v": 1, "hasChanged": .bool(hasChanged), "tables": .array(tables.map { .string($0) }),
        "role": JSONValue(role),
      ]
    }
  #endif
}
