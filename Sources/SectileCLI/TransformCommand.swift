internal import ArgumentParser
internal import Sectile
internal import SectilePresenting

/// `sectile transform`: changes what a table is made of.
struct TransformCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transform",
    abstract: "Change a table's columns, their types, keys and order.",
    discussion: """
        sectile transform music.sqlite --table song --rename name=title --drop note
        sectile transform music.sqlite --table song --type year=INTEGER --dry-run
        sectile transform music.sqlite --table song --add 'stars INTEGER DEFAULT 3'
        sectile transform music.sqlite --table song --key id --column-order id,title
        sectile transform music.sqlite --table song --add-foreign-key album=album

      Options name columns by their old names. The command uses ALTER TABLE where it can, so that \
      indexes, views and triggers follow a new name. For other changes it creates the table again, \
      with its rows, row ids, indexes and triggers; foreign keys of other tables still refer to \
      it.

      Everything happens in one transaction. The command checks the number of rows, the foreign \
      keys, and that no view, index or trigger uses a name that is gone. It refuses a type that \
      would change values, and says how many, unless --allow-changes is given. A refusal leaves \
      the file as it is. --dry-run does everything, writes the statements, and undoes it. Ctrl-C \
      undoes it, too.

      The exit code is 0 if the table was changed, 64 for a request that makes no sense, 65 for \
      one that the schema or the rows refuse, 130 if Ctrl-C ended it.
      """)

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @Option(help: "The table.", completion: .custom(SchemaCompletion.tables))
  var table: String

  @Option(help: ArgumentHelp("Give the table another name.", valueName: "name"))
  var renameTable: String?

  @Option(
    name: .customLong("rename"),
    help: ArgumentHelp("Give a column another name.", valueName: "old=new"),
    completion: .custom(SchemaCompletion.assignedColumns))
  var renames: [String] = []

  @Option(
    name: .customLong("type"),
    help: ArgumentHelp("Give a column another type.", valueName: "column=type"),
    completion: .custom(SchemaCompletion.assignedColumns))
  var types: [String] = []

  @Option(
    help: ArgumentHelp("The columns that come first, in order.", valueName: "a,b"),
    completion: .custom(SchemaCompletion.columnLists))
  var columnOrder: String?

  @Option(
    name: .customLong("drop"), help: ArgumentHelp("Drop a column.", valueName: "column"),
    completion: .custom(SchemaCompletion.columns))
  var drops: [String] = []

  @Option(
    name: .customLong("add"),
    help: ArgumentHelp("Add a column, as SQL defines it.", valueName: "name type"))
  var additions: [String] = []

  @Option(
    name: .customLong("not-null"),
    help: ArgumentHelp("Let a column refuse NULL.", valueName: "column"),
    completion: .custom(SchemaCompletion.columns))
  var notNull: [String] = []

  @Option(
    name: .customLong("no-not-null"),
    help: ArgumentHelp("Let a column take NULL.", valueName: "column"),
    completion: .custom(SchemaCompletion.columns))
  var nullable: [String] = []

  @Option(
    name: .customLong("default"),
    help: ArgumentHelp(
      "Give a column a default value, an SQL expression; nothing after = removes it.",
      valueName: "column=expression"), completion: .custom(SchemaCompletion.assignedColumns))
  var defaults: [String] = []

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "Make a column the primary key; repeat it for a key of several.", valueName: "column"),
    completion: .custom(SchemaCompletion.columns))
  var keys: [String] = []

  @Flag(help: "Leave the table without a primary key.")
  var noKey = false

  @Option(
    name: .customLong("add-foreign-key"),
    help: ArgumentHelp("Let a column refer to a table.", valueName: "column=table(column)"),
    completion: .custom(SchemaCompletion.assignedColumns))
  var addedReferences: [String] = []

  @Option(
    name: .customLong("drop-foreign-key"),
    help: ArgumentHelp("Let a column refer to nothing any more.", valueName: "column"),
    completion: .custom(SchemaCompletion.columns))
  var droppedReferences: [String] = []

  @Flag(help: "Let a new type change values.")
  var allowChanges = false

  @Flag(help: "Write the statements, and change nothing.")
  var dryRun = false

  func validate() throws {
    if table.isEmpty { throw ValidationError("--table is the name of a table.") }
    if noKey && !keys.isEmpty { throw ValidationError("--key and --no-key exclude each other.") }
    if try transformation().isEmpty {
      throw ValidationError("There is nothing to do: --rename, --type, --drop and others say what.")
    }
  }

  func run() throws {
    let stop = StopSignal()
    let output = Output.standard()
    let connection = try InspectionConnection(path: file, access: .readWrite)
    stop.whenStopped { [interrupter = connection.interrupter] in interrupter.interrupt() }
    var statements: [String] = []
    let transformer = TableTransformer(on: connection) { sql in
      if stop.hasStopped { throw Self.stopped }
      statements.append(sql)
    }
    do {
      try watched(connection) { try transformer.run(table, transformation(), isDryRun: dryRun) }
    } catch let error as StoreError where error.code == .interrupted && stop.hasStopped {
      throw Self.stopped
    }
    if dryRun {
      for sql in statements {
        let lines = (sql + ";").split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines { try output.line(TerminalText.escaped(String(line))) }
      }
    } else {
      try output.line("\(TerminalText.escaped(table)) was changed")
    }
    try output.flush()
    guard !transformer.changedValues.isEmpty else { return }
    let messages = Output.standardError()
    for change in transformer.changedValues {
      let verb = dryRun ? "would become" : "became"
      try messages.line(TerminalText.escaped("\(change.text) \(verb) others"))
    }
    try messages.flush()
  }

  /// Runs the change, and shows on a terminal for how long it runs: one statement copies all rows.
  private func watched(
    _ connection: InspectionConnection, _ change: () throws -> Void
  ) throws {
    var progress = Progress("Changing \(TerminalText.escaped(table)), seconds", total: 0)
    let start = ContinuousClock.now
    connection.setProgress(every: 10_000) {
      // A terminal that is gone does not stop the change.
      try? progress.advance(to: Int((ContinuousClock.now - start) / .seconds(1)))
      return true
    }
    defer {
      connection.setProgress(nil)
      try? progress.finish()
    }
    try change()
  }

  private static let stopped = CommandFailure(.interrupted, "stopped", hint: "Nothing was changed.")

  private func transformation() throws -> TableTransformation {
    var changes = TableTransformation()
    changes.tableName = renameTable
    changes.renames = try Self.pairs(renames, "--rename").map { ($0.0, $0.1) }
    changes.types = try Self.pairs(types, "--type").map { ($0.0, $0.1) }
    changes.order = ColumnOptions.names(in: columnOrder ?? "")
    changes.drops = drops
    changes.additions = additions
    changes.notNull = notNull
    changes.nullable = nullable
    for (column, expression) in try Self.pairs(defaults, "--default", allowsNothing: true) {
      if expression.isEmpty {
        changes.droppedDefaults.append(column)
      } else {
        changes.defaults.append((column, expression))
      }
    }
    changes.key = noKey ? [] : keys.isEmpty ? nil : keys
    changes.addedReferences = try Self.pairs(addedReferences, "--add-foreign-key").map(
      Self.reference)
    changes.droppedReferences = droppedReferences
    changes.allowsChanges = allowChanges
    return changes
  }

  /// Takes arguments apart at their first `=`.
  private static func pairs(
    _ arguments: [String], _ option: String, allowsNothing: Bool = false
  ) throws -> [(String, String)] {
    try arguments.map { argument in
      guard let pair = NamedArgument(argument: argument) else {
        throw ValidationError("\(option) needs COLUMN=VALUE, and '\(argument)' has no such form.")
      }
      if pair.value.isEmpty && !allowsNothing {
        throw ValidationError("\(option) needs a value after the = of '\(argument)'.")
      }
      return (pair.name, pair.value)
    }
  }

  private static func reference(
    _ column: String, _ text: String
  ) throws -> TableTransformation.Reference {
    guard text.hasSuffix(")"), let start = text.lastIndex(of: "(") else {
      return TableTransformation.Reference(column: column, table: text, target: nil)
    }
    let target = text[text.index(after: start)...].dropLast()
    if target.isEmpty || start == text.startIndex {
      throw ValidationError("--add-foreign-key names a table and its column: album=album(id)")
    }
    return TableTransformation.Reference(
      column: column, table: String(text[..<start]), target: String(target))
  }
}
