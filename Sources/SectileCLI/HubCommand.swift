internal import ArgumentParser

/// `sectile hub`: replicas of tables that PostgreSQL has.
///
/// It is there in every build; its subcommands say how to get them where they were left out.
struct HubCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hub",
    abstract: "Keep tables of PostgreSQL in SQLite files that follow every commit.",
    discussion: """
      The hub is a database of PostgreSQL 15 or later. A replica is a SQLite file that contains \
      tables of the hub, with all or some of their rows, and follows the hub's commits. The server \
      keeps its log for each replica until the replica has read it, so detach a replica that is \
      not coming back.

        export SECTILE_HUB='host=db.example dbname=depots user=replica'
        sectile hub init --table depot --table parcel
        sectile hub attach fleet.sqlite --name depot7 --table depot --table parcel
        sectile hub status fleet.sqlite
        sectile hub list
        sectile hub verify fleet.sqlite
        sectile hub resync fleet.sqlite
        sectile hub detach fleet.sqlite
        sectile hub relay relay.sqlite --name relay --table parcel --nats nats://host --stream depots
        sectile hub uninstall --dry-run

      --hub, or the environment variable SECTILE_HUB, names the hub with a connection string of \
      libpq, which also reads PGHOST and similar variables, and ~/.pgpass. Keep a password in \
      ~/.pgpass or in PGPASSWORD, because all users of the machine can see arguments. Sectile \
      never writes it anywhere.

      The commands are part of builds with the trait Postgres, which need libpq: \
      swift build --product sectile --traits Postgres,Macros. The relay needs the trait NATS, and \
      libnats, as well.
      """,
    subcommands: [
      HubInitCommand.self, HubAttachCommand.self, HubStatusCommand.self, HubListCommand.self,
      HubVerifyCommand.self, HubResyncCommand.self, HubDetachCommand.self,
      HubRelayCommand.self, HubUninstallCommand.self,
    ])
}
