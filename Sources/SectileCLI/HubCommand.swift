internal import ArgumentParser

/// `sectile hub`: replicas of tables that PostgreSQL has.
///
/// It is there in every build; its subcommands say how to get them where they were left out.
struct HubCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hub",
    abstract: "Keep tables of PostgreSQL in SQLite files that follow every commit.",
    discussion: """
      The hub is a database of PostgreSQL 15 or later. A replica is a SQLite file that has tables of it, \
      all rows or some, and follows its commits. The server keeps its log for each replica until the \
      replica has what it says: one that is not coming back has to be detached.

        export SECTILE_HUB='host=db.example dbname=depots user=replica'
        sectile hub init --table depot --table parcel
        sectile hub attach fleet.sqlite --name depot7 --table depot --table parcel
        sectile hub status fleet.sqlite
        sectile hub resync fleet.sqlite
        sectile hub detach fleet.sqlite

      Where the hub is, --hub says, or the environment variable SECTILE_HUB, in the words of libpq, which \
      also reads PGHOST and its like, and ~/.pgpass. A password belongs there or into PGPASSWORD: \
      arguments can be seen by all users of the machine. It is never written anywhere.

      The commands are part of builds with the trait Postgres, which need libpq: \
      swift build --product sectile --traits Postgres,Macros.
      """,
    subcommands: [
      HubInitCommand.self, HubAttachCommand.self, HubStatusCommand.self, HubResyncCommand.self,
      HubDetachCommand.self,
    ])
}

/// A subcommand of `sectile hub`, which does its work where the build has it.
protocol HubSubcommand: ParsableCommand {
  #if Postgres
    /// Does it.
    ///
    /// - Throws: ``CommandFailure``, `HubError` and `StoreError`.
    func perform() throws
  #endif
}

extension HubSubcommand {
  func run() throws {
    #if Postgres
      try perform()
    #else
      throw CommandFailure(
        .usage, "this sectile was built without its hub",
        hint: "Build it with: swift build --product sectile --traits Postgres,Macros")
    #endif
  }
}
