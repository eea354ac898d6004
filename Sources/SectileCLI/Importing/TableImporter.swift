internal import Sectile
internal import SectilePresenting

/// Imports records into a table: all or nothing, unless asked otherwise.
///
/// Where a transaction is open already, the import is a part of it, by a savepoint.
final class TableImporter {
  /// Hears what is done, and how many bytes or rows of how many were read.
  typealias Checkpoint = (
    _ label: String, _ done: Int, _ total: Int?, _ unit: Progress.Unit
  ) throws -> Void

  /// How many bad rows are told one by one.
  static let toldBadRows = 10

  private let connection: InspectionConnection
  private let options: ImportOptions
  private let inputs: [any ImportReading]
  private let announce: (String) throws -> Void
  private let tell: (String) throws -> Void
  private let checkpoint: Checkpoint
  private var summary = ImportSummary()
  private var usesSavepoint = false

  /// Creates an importer.
  ///
  /// - Parameters:
  ///   - connection: A connection that may write.
  ///   - options: What is asked for.
  ///   - inputs: What to read.
  ///   - announce: Hears the statement that creates the table, before anything is written.
  ///   - tell: Hears of bad rows that are passed over.
  ///   - checkpoint: Is called every now and then; what it throws ends the import, and nothing is
  ///     written.
  init(
    on connection: InspectionConnection, options: ImportOptions, inputs: [any ImportReading],
    announce: @escaping (String) throws -> Void, tell: @escaping (String) throws -> Void,
    checkpoint: @escaping Checkpoint
  ) {
    self.connection = connection
    self.options = options
    self.inputs = inputs
    self.announce = announce
    self.tell = tell
    self.checkpoint = checkpoint
  }

  /// Imports.
  ///
  /// - Returns: What became of the rows.
  /// - Throws: ``CommandFailure`` for input that cannot be imported, ``StoreError``, or what a
  ///   closure throws. Nothing is written then, but for batches that were committed before.
  func run() throws -> ImportSummary {
    summary = ImportSummary()
    summary.isDryRun = options.isDryRun
    let target = try ImportTarget(of: options.table, on: connection)
    if target != nil && options.schema != nil {
      throw CommandFailure(
        .data, "\(options.table) exists already, so --schema cannot create it",
        hint: "Leave --schema out to import into it as it is.")
    }
    let statement = try target == nil ? creation() : nil
    summary.isTableCreated = statement != nil
    if let statement { try announce(statement) }
    usesSavepoint = connection.isInTransaction
    try begin()
    do {
      if let statement { try connection.prepare(statement).run() }
      guard let table = try ImportTarget(of: options.table, on: connection) else {
        throw CommandFailure(
          .data, "the schema does not create the table '\(options.table)'",
          hint: "Write its columns, or CREATE TABLE with the name that --table has.")
      }
      summary.table = table.name
      try load(into: table)
      if options.isDryRun { try rollBack() } else { try commit() }
    } catch {
      // The first failure counts; without a transaction there is nothing left to undo.
      try? rollBack()
      throw error
    }
    return summary
  }

  // MARK: - The table

  private func creation() throws -> String {
    if let schema = options.schema {
      let isStatement = schema.drop { $0.isWhitespace }.prefix(6).uppercased() == "CREATE"
      return isStatement ? schema : "CREATE TABLE \(SQLName.quote(options.table)) (\(schema))"
    }
    // Names alone can be had from the first row of separated values, without reading all.
    let isComputed = !options.transform.expressions.isEmpty
    var inference = SchemaInference(readsValues: !options.isAllText)
    inference.isExact = inputs.contains(where: \.isExact)
    for input in inputs {
      var shape: RowShape?
      try input.makeRewindable()
      let isDeclared = !input.declaredTypes.isEmpty && !isComputed
      if !isDeclared && (!options.isAllText || input.isTyped) {
        watch(input, "Learning")
        try input.read { record in
          try refuseBad(record, in: input)
          if case .columns(let names) = record {
            shape = try RowShape(names, options.transform, in: input.name, on: connection)
            try shape?.refuseTwins(in: input.name)
            if let shape { inference.declare(input.declaredTypes, shape) }
          }
          do {
            try inference.add(record, shape)
          } catch let error as StoreError where isComputed {
            // Importing will meet it again, and knows the row.
            guard Self.reason(error) != nil else { throw error }
          }
        }
      } else {
        let names = try firstColumns(of: input)
        shape = try RowShape(names, options.transform, in: input.name, on: connection)
        if let shape { inference.declare(input.declaredTypes, shape) }
        try inference.add(.columns(names), shape)
      }
      try input.rewind()
    }
    return try inference.statement(
      table: options.table, types: options.types, fallback: options.isAllText ? "TEXT" : nil,
      key: options.key)
  }

  private struct Found: Error {
    let names: [String]
  }

  private func firstColumns(of input: any ImportReading) throws -> [String] {
    do {
      try input.read { if case .columns(let names) = $0 { throw Found(names: names) } }
    } catch let found as Found {
      return found.names
    }
    return []
  }

  // MARK: - The rows

  private func load(into table: ImportTarget) throws {
    let key = options.key.isEmpty ? table.keyColumns : options.key
    if options.policy == .update && key.isEmpty {
      throw CommandFailure(
        .data, "\(table.name) has no primary key to update rows by",
        hint: "Name the columns of a unique index with --key.")
    }
    for given in inputs {
      let input = given.naming(table.columns.map(\.name))
      watch(input, "Importing")
      // JSON may have another set of keys in each object, but seldom does.
      var loaders: [[String]: Loader] = [:]
      var loader: Loader?
      try input.read { record in
        switch record {
        case .columns(let names):
          if let known = loaders[names] {
            loader = known
            return
          }
          let shape = try RowShape(names, options.transform, in: input.name, on: connection)
          let inserter = try RowInserter(
            into: table, columns: table.columns(shape, in: input.name), policy: options.policy,
            key: key, on: connection)
          if loaders.count >= 100 { loaders = [:] }
          let made = Loader(shape: shape, inserter: inserter)
          loaders[names] = made
          loader = made
        case .row(let number, let values, let invalidText):
          guard let loader else { return }
          let row = ImportedValues(values: values, invalidText: invalidText)
          try insert(number, of: input) {
            try loader.inserter.insert(row, computed: loader.shape.computed(row))
          }
        case .fields(let row, let rules):
          guard let loader else { return }
          try insert(row.line, of: input) {
            try loader.inserter.insert(
              row, by: rules, computed: loader.shape.computed(row, by: rules))
          }
        case .bad: try refuseBad(record, in: input)
        }
      }
    }
  }

  /// What loads rows with the same columns.
  private struct Loader {
    let shape: RowShape
    let inserter: RowInserter
  }

  private func insert(
    _ number: Int, of input: any ImportReading, _ body: () throws -> RowInserter.Outcome
  ) throws {
    do {
      summary.count(try body())
    } catch let error as StoreError {
      guard let reason = Self.reason(error), connection.isInTransaction else { throw error }
      return try refuseBad(.bad(number: number, reason: reason), in: input)
    }
    if let size = options.batchSize, !options.isDryRun,
      summary.rowCount - summary.committedCount >= size
    {
      try commit()
      try begin()
    }
  }

  /// Why SQLite refused a row; nil for failures that are not the row's.
  private static func reason(_ error: StoreError) -> String? {
    guard let failure = error.cause as? StoreError.SQLiteFailure else { return nil }
    // 1: an expression fails; 18: larger than SQLite can store; 20: text for a row id.
    let isOfTheRow = error.code.isConstraint || [1, 18, 20].contains(failure.primaryResultCode)
    return isOfTheRow ? failure.message : nil
  }

  private static func hint(ofCommitted count: Int) -> String {
    switch count {
    case 0: "Nothing was written."
    case 1: "The first row is committed."
    default: "The first \(count) rows are committed."
    }
  }

  private func refuseBad(_ record: ImportRecord, in input: any ImportReading) throws {
    guard case .bad(let number, let reason, let hint) = record else { return }
    let text = "\(input.place(number)): \(reason)"
    guard options.skipsBadRows else {
      let count = summary.committedCount
      throw CommandFailure(
        .data, text,
        hint: Self.hint(ofCommitted: count)
          + (hint.map { " \($0);" } ?? "") + " --skip-bad leaves such rows out.")
    }
    // Learning the types met it already, and said nothing.
    guard summary.table.isEmpty == false else { return }
    summary.badCount += 1
    if summary.badCount <= Self.toldBadRows { try tell(text) }
  }

  private func watch(_ input: any ImportReading, _ verb: String) {
    let name = input.name.split(separator: "/").last.map(String.init) ?? input.name
    let label = "\(verb) \(TerminalText.escaped(name))"
    let unit = input.progressUnit
    input.watch { [checkpoint] position, count in try checkpoint(label, position, count, unit) }
  }

  // MARK: - The transaction

  private func begin() throws {
    try connection.run(usesSavepoint ? "SAVEPOINT sectile_import" : "BEGIN IMMEDIATE") { _ in }
  }

  private func commit() throws {
    try connection.run(usesSavepoint ? "RELEASE sectile_import" : "COMMIT") { _ in }
    summary.committedCount = summary.rowCount
  }

  private func rollBack() throws {
    try connection.run(
      usesSavepoint ? "ROLLBACK TO sectile_import; RELEASE sectile_import" : "ROLLBACK"
    ) { _ in }
  }
}
