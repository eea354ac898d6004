internal import ArgumentParser

/// Which replica is meant, alike in the subcommands of `sectile hub` for replicas that exist.
struct HubReplicaOptions: ParsableArguments {
  @OptionGroup var hub: HubOptions

  @Option(
    help: ArgumentHelp(
      "The replica's name at the hub. With FILE it may be left out.", valueName: "name"))
  var name: String?

  @Flag(help: "Write one JSON document.")
  var json = false

  /// Refuses arguments that name no replica.
  ///
  /// - Parameter file: The replica's file; nil where none was named.
  /// - Throws: `ValidationError`.
  func validate(with file: String?) throws {
    if file == nil && name == nil {
      throw ValidationError("Name the replica by its FILE, or with --name NAME.")
    }
  }

  #if Postgres
    /// Returns the name of the replica at the hub.
    ///
    /// - Parameter found: The replica's file; nil where none was named.
    /// - Returns: The name.
    /// - Throws: ``CommandFailure`` where the file is another replica than the one that is named.
    func replicaName(of found: ReplicaFile?) throws -> String {
      try found?.name(name) ?? name ?? ""
    }
  #endif
}
