/// One thing that is fuzzed: what is made of an input, and what must hold of it.
struct FuzzTarget: Sendable {
  /// What it is called on the command line, and the folder of its seeds.
  let name: String
  /// Checks one input; ends the process where a property does not hold, and lets errors through
  /// that are not of a documented type.
  let check: @Sendable (FuzzInput) throws -> Void

  /// All targets; the last one is a control of the fuzzer itself.
  static let all = [
    FuzzTarget(name: "changeset", check: ChangesetProperties.check),
    FuzzTarget(name: "diff", check: DiffProperties.check),
    FuzzTarget(name: "links", check: LinkProperties.check),
    FuzzTarget(name: "answer", check: AnswerProperties.check),
    FuzzTarget(name: "csv", check: SeparatedProperties.check),
    FuzzTarget(name: "json", check: DocumentProperties.check),
    FuzzTarget(name: "ndjson", check: LineProperties.check),
    FuzzTarget(name: "sql", check: StatementProperties.check),
    FuzzTarget(name: "migration", check: MigrationProperties.check),
    FuzzTarget(name: "page", check: PageProperties.check),
    FuzzTarget(name: "maze", check: Maze.check),
  ]
}

/// An input of the fuzzer.
struct FuzzInput: Sendable {
  /// What libFuzzer made up.
  let bytes: [UInt8]
  /// Whether the check makes a mistake, to see that it is found.
  let isControl: Bool

  /// The bytes as text, with what is not UTF-8 replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
