internal import ArgumentParser
internal import Foundation

#if Postgres
  internal import SectileHub
  internal import SectilePostgres
#endif

/// Where the hub is, alike in every subcommand of `sectile hub`.
struct HubOptions: ParsableArguments {
  static let variable = "SECTILE_HUB"

  @Option(
    help: ArgumentHelp(
      "Where the hub is: 'host=db.example dbname=depots user=replica', or postgresql://…; what the environment variable SECTILE_HUB says without it.",
      valueName: "conninfo"))
  var hub: String?

  /// What was said; nil where nobody has.
  var connection: String? {
    hub ?? ProcessInfo.processInfo.environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  #if Postgres
    /// Returns the hub as a replica knows it, not connected yet.
    ///
    /// - Throws: ``CommandFailure`` where nobody says where it is, and where that or the name makes
    ///   no sense.
    func postgres(named name: String) throws -> PostgresHub {
      guard let connection else {
        throw CommandFailure(
          .usage, "nobody says where the hub is",
          hint: "Name it with --hub 'host=… dbname=…', or set \(Self.variable).")
      }
      var options = PostgresHubOptions()
      options.connectionCount = 1
      do {
        return try PostgresHub(connection: connection, name: name, options: options)
      } catch let error as HubError where error.code == .invalidSubscription {
        throw CommandFailure(.usage, error.message, hint: error.hint)
      }
    }
  #endif
}
