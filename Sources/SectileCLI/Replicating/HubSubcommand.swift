internal import ArgumentParser

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
