internal import ArgumentParser
internal import Sectile

/// What is said about other databases that `sectile import` takes rows from.
struct ForeignOptions: ParsableArguments {
  @Option(
    name: .customLong("attach"),
    help: ArgumentHelp(
      "Another SQLite file, which is only read; repeat it for more.", valueName: "name=file"))
  var files: [NamedArgument] = []

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("The table or view of an attached file to import.", valueName: "name.table"),
    completion: .custom(SchemaCompletion.attachedTables))
  var table: String?

  @Option(
    help: ArgumentHelp("A query over attached files to import instead.", valueName: "sql"))
  var query: String?

  @Flag(
    name: .customLong("immutable"),
    help:
      "Treat attached files as ones that nobody changes, as on a read-only medium.")
  var isImmutable = false

  /// Whether rows come from another database.
  var isUsed: Bool { !files.isEmpty }

  func validate() throws {
    for file in files where ["main", "temp"].contains(file.name.lowercased()) {
      throw ValidationError(
        "SQLite itself calls a file \(file.name): give another name to --attach.")
    }
    if table != nil && query != nil {
      throw ValidationError("--from and --query exclude each other.")
    }
    if files.isEmpty && (table != nil || query != nil || isImmutable) {
      throw ValidationError(
        "--from, --query and --immutable are for a database: name it with --attach old=old.sqlite.")
    }
    if !files.isEmpty && table == nil && query == nil {
      throw ValidationError(
        "Say what to import of \(files[0].value): --from \(files[0].name).TABLE, or --query.")
    }
  }

  /// Opens the files, and prepares what is to be read of them.
  ///
  /// - Parameters:
  ///   - target: The database that rows go into.
  ///   - stop: Ends what takes long.
  /// - Returns: The input.
  /// - Throws: ``CommandFailure`` and ``StoreError``.
  func input(for target: String, stop: StopSignal) throws -> ForeignInput {
    let database = DatabaseFiles(of: target)
    for file in files {
      try database.refuse(
        file.value,
        hint: "Copy rows inside one file with: "
          + "sectile sqlite FILE --writable 'INSERT INTO … SELECT …'.")
    }
    let source = try table.map { try Self.source($0, of: files) }
    // A connection's own file is the one whose schema can be asked for.
    let path = source?.file.value ?? files[0].value
    let connection = try OpeningOptions(isImmutable: isImmutable).connection(to: path)
    for file in files {
      try OpeningOptions.explaining(file.value) { try connection.attach(file.value, as: file.name) }
      if isImmutable && file.value != path { try OpeningOptions.noteUnreadLogs(of: file.value) }
    }
    connection.setProgress(every: 100_000) { !stop.hasStopped }
    if let query { return try ForeignInput(query: query, on: connection) }
    let name = source.map { "\($0.file.name).\($0.table)" } ?? ""
    return try ForeignInput(table: source?.table ?? "", name: name, on: connection)
  }

  /// Tells which table of which file is meant; with one file, its name may be left out.
  private static func source(
    _ text: String, of files: [NamedArgument]
  ) throws -> (file: NamedArgument, table: String) {
    for file in files where text.lowercased().hasPrefix(file.name.lowercased() + ".") {
      return (file, String(text.dropFirst(file.name.count + 1)))
    }
    if files.count == 1 { return (files[0], text) }
    throw CommandFailure(
      .usage, "--from \(text) does not say of which file",
      hint: "Write NAME.TABLE; attached are: \(files.map(\.name).joined(separator: ", ")).")
  }
}
