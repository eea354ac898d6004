import ArgumentParser

/// The program: drives a service as many clients would, and checks what they are told.
@main
struct ParcelsLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parcels-load", abstract: "Drives the service with clients and writers.",
    subcommands: [RunCommand.self, HoldCommand.self, OutsideCommand.self])
}

/// Where the service is.
struct ServerOptions: ParsableArguments {
  @Option(help: "The host of the service.")
  var host = "127.0.0.1"
  @Option(help: "Its port.")
  var port = 8080
}
