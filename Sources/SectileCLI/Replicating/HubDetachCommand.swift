internal import ArgumentParser
internal import SectilePresenting

#if Postgres
  internal import Sectile
  internal import SectileHub
  internal import SectilePostgres
#endif

/// `sectile hub detach`: takes a replica off its hub.
struct HubDetachCommand: HubSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "detach",
    abstract: "Take a replica off the hub.",
    discussion: """
      The server drops the replica's slot, with the log that waits for it, and its publication. A \
      connected stream ends. The hub's own tables stay, because other replicas use them.

      With FILE, the hub's tables in the file become ordinary tables. They keep their rows, and \
      everybody may write to them. This is one transaction, after the server has dropped the slot; \
      no process may follow the hub for the file. Without FILE, only the server is changed, for \
      example if the machine is gone.

      EXAMPLES
        sectile hub detach fleet.sqlite
        sectile hub detach --name depot7
      """)

  @Argument(help: "The SQLite file: a replica.", completion: .file())
  var file: String?

  @OptionGroup var replica: HubReplicaOptions

  func validate() throws { try replica.validate(with: file) }

  #if Postgres
    func perform() throws {
      let output = Output.standard()
      let name = try replica.replicaName(of: file.map { try ReplicaFile($0) })
      let postgres = try replica.hub.postgres(named: name)
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
        replica.json
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
