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
      "The hub, as 'host=db.example dbname=depots user=replica' or as an address that begins with postgresql://. The default is the value of the environment variable SECTILE_HUB.",
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
          .usage, "no hub is named",
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
