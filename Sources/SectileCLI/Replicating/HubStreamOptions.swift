internal import ArgumentParser

#if Postgres && NATS
  internal import SectileHub
  internal import SectileNATS
#endif

/// Where a relay publishes, alike for the relay and for machines.
struct HubStreamOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A server of NATS, behind which the relay is; repeat it for the others of a cluster.",
      valueName: "address"))
  var nats: [String] = []

  @Option(
    help: ArgumentHelp(
      "The name of the relay's stream, and the beginning of its subjects' names.",
      valueName: "name"))
  var stream: String?

  @Option(
    help: ArgumentHelp("A file with the credentials of a user of NATS.", valueName: "file"),
    completion: .file())
  var credentials: String?

  func validate() throws {
    guard nats.isEmpty == (stream == nil) else {
      throw ValidationError("--nats and --stream belong together.")
    }
    guard credentials == nil || stream != nil else {
      throw ValidationError("--credentials belongs to --nats.")
    }
  }

  #if Postgres && NATS
    /// The same for the library; nil where none is named.
    ///
    /// - Throws: ``CommandFailure`` where the names make no sense.
    func location() throws -> NATSLocation? {
      guard let stream else { return nil }
      do {
        return try NATSLocation(servers: nats, stream: stream, credentialsFile: credentials)
      } catch let error as HubError {
        throw CommandFailure(.usage, error.message, hint: error.hint)
      }
    }
  #elseif Postgres
    /// Says that this build knows no relay.
    static let isMissing = CommandFailure(
      .usage, "this sectile was built without relays",
      hint: "Build it with: swift build --product sectile --traits Postgres,NATS,Macros")
  #endif
}
