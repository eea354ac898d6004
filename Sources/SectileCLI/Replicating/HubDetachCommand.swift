internal import ArgumentParser
internal import SectilePresenting

#if Postgres
  internal import SectileHub
  internal import SectilePostgres
#endif

/// `sectile hub detach`: takes a replica off its hub.
struct HubDetachCommand: HubSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "detach",
    abstract: "Take a replica off the hub.",
    discussion: """
      The server drops what it keeps for the replica: its slot, with the log that waits for it, and its \
      publication. A stream that is connected ends. The hub's own tables stay, since other replicas use them.

      With FILE, the file's tables of the hub are ordinary ones afterwards: their rows stay, and everybody may \
      write to them. That is one transaction, made when the server has let go; no process may follow the hub \
      for the file. Without FILE, nothing but the server is changed: for a machine that is gone.

      EXAMPLES
        sectile hub detach fleet.sqlite
        sectile hub detach --name depot7
      """)

  @Argument(help: "The SQLite file: a replica.", completion: .file())
  var file: String?

  @OptionGroup var hub: HubOptions

  @Option(
    help: ArgumentHelp(
      "The replica's name at the hub; the file knows it, too.", valueName: "name"))
  var name: String?

  @Flag(help: "Write one JSON document.")
  var json = false

  func validate() throws {
    if file == nil && name == nil {
      throw ValidationError("Name the replica: sectile hub detach FILE, or --name NAME.")
    }
  }

  #if Postgres
    func perform() throws {
      let output = Output.standard()
      let name = try file.map { try ReplicaFile($0).name(self.name) } ?? self.name ?? ""
      let postgres = try hub.postgres(named: name)
      let file = file
      let (slot, tables) = try HubWork.run {
        // Where there is no slot, a publication may still be there.
        let slot = try await postgres.status().slot
        let tables = try await file.asyncMap { file in
          try await Replica.release(at: file) { try await postgres.detach() }
        }
        if file == nil { try await postgres.detach() }
        await postgres.close()
        return (slot, tables)
      }
      try output.line(
        json
          ? document(name, slot, tables).text
          : TerminalText.escaped(text(name, slot, tables)))
      try output.flush()
    }

    private func text(_ name: String, _ slot: String?, _ tables: [String]?) -> String {
      var text = slot == nil ? "the hub kept no log" : "the hub keeps nothing any more"
      text += " for \(name)"
      if let file, let tables {
        text += "; tables of \(file) that are ordinary ones now: \(tables.joined(separator: ", "))"
      }
      return text
    }

    private func document(_ name: String, _ slot: String?, _ tables: [String]?) -> JSONValue {
      [
        "v": 1, "name": .string(name), "slot": JSONValue(slot), "file": JSONValue(file),
        "tables": tables.map { .array($0.map { .string($0) }) } ?? .null,
      ]
    }
  #endif
}

#if Postgres
  extension Optional {
    fileprivate func asyncMap<Value>(
      _ body: (Wrapped) async throws -> Value
    ) async throws -> Value? {
      guard let self else { return nil }
      return try await body(self)
    }
  }
#endif
