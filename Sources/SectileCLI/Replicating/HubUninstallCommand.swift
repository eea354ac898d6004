internal import ArgumentParser
internal import SectilePresenting

#if Postgres
  internal import Sectile
  internal import SectilePostgres
#endif

/// `sectile hub uninstall`: takes all of a hub out of a database.
struct HubUninstallCommand: HubSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Take everything of the hub out of the database.",
    discussion: """
      It drops the publications and slots of all replicas, the column sectile_rev and the trigger \
      of each table, and the schema sectile. The files of replicas keep their rows, but they do not \
      follow any more. Each table is changed in a transaction of its own, which locks it for a \
      moment; if a table is in use for longer, the command tries again five times. A command that \
      ends with an error continues when it is started again.

      --role takes REPLICATION from a role, in all databases of the server, and its rights to read \
      and write the tables, whoever gave them. Other roles keep both.

      The command needs --yes. --dry-run lists the steps and changes nothing.

      EXAMPLES
        sectile hub uninstall --hub 'host=db.example dbname=depots user=owner' --dry-run
        sectile hub uninstall --role replica --yes
      """)

  @OptionGroup var hub: HubOptions

  @Option(
    name: .customLong("role"),
    help: ArgumentHelp(
      "A role that loses the rights to follow the tables, and to write to them; repeat it for more.",
      valueName: "role"))
  var roles: [String] = []

  @Flag(help: "List what would be done, and do nothing.")
  var dryRun = false

  @Flag(help: "Do it.")
  var yes = false

  @Flag(help: "Write one JSON document.")
  var json = false

  func validate() throws {
    if dryRun && yes { throw ValidationError("--dry-run changes nothing. Leave --yes out.") }
    if !dryRun && !yes {
      throw ValidationError(
        "This takes the hub away from all replicas. Add --yes, or see with --dry-run what it does.")
    }
  }

  #if Postgres
    func perform() throws {
      let output = Output.standard()
      // No replica has this name: nothing is made for one here.
      let postgres = try hub.postgres(named: "uninstall")
      let (roles, dryRun) = (roles, dryRun)
      let plan = try HubWork.run {
        let plan =
          try await dryRun
          ? postgres.uninstallationPlan(revoking: roles) : postgres.uninstall(revoking: roles)
        await postgres.close()
        return plan
      }
      if json {
        try output.line(document(plan).text)
      } else {
        try plan.write(dryRun ? "would" : "done:", to: output)
        try output.line(plan.steps.isEmpty ? "the database is not a hub" : summary)
      }
      try output.flush()
    }

    private var summary: String {
      dryRun ? "nothing was changed" : "the database is not a hub any more"
    }

    private func document(_ plan: HubSetupPlan) -> JSONValue {
      [
        "v": 1, "dryRun": .bool(dryRun), "hasChanged": .bool(!dryRun && !plan.steps.isEmpty),
        "steps": plan.stepDocument, "notes": plan.noteDocument,
        "roles": .array(roles.map { .string($0) }),
      ]
    }
  #endif
}
