#if Server
  internal import Foundation
  internal import Sectile
  internal import SectileInspecting

  /// Which rows of a table are asked for: by the values of some columns, as foreign keys name rows.
  struct KeyLookup: Sendable {
    /// How many keys are looked for at once.
    static let keyLimit = 200

    /// The table or view, in any case.
    let table: String
    /// The columns; none for those of the table's key.
    let columns: [String]
    /// The values of the columns, of each row that is asked for.
    let keys: [[StoredValue]]

    /// Reads what is asked for.
    ///
    /// - Parameter parameters: The parameters `table`, `column` and `keys`: a list of keys in JSON,
    ///   each a list of values.
    /// - Throws: ``Refusal`` for what makes no sense.
    init(_ parameters: QueryParameters) throws(Refusal) {
      guard let table = try parameters.tableName("table") else {
        throw Refusal(.badRequest, "no table is named", hint: "Add table=NAME.")
      }
      let text = try parameters.one("keys") ?? ""
      guard
        let keys = try? JSONDecoder().decode([[StoredValue]].self, from: Data(text.utf8))
      else {
        throw Refusal(
          .badRequest, "'keys' is no list of keys",
          hint: "A key is a list of values, one for each column: keys=[[1],[2]].")
      }
      guard keys.count <= Self.keyLimit else {
        throw Refusal(
          .badRequest, "there are \(keys.count) keys", hint: "Give at most \(Self.keyLimit).")
      }
      self.table = table
      columns = parameters.all("column").filter { !$0.isEmpty }
      self.keys = keys
    }

    /// What the schema says of the table, and the condition that holds for the rows of a key.
    struct Resolved {
      let shape: TableShape
      /// The columns, as the schema writes them.
      let columns: [String]
      /// The condition, with a `?` mark for each column.
      let condition: String
    }

    /// Asks the schema for the table and the columns.
    ///
    /// - Parameter connection: The connection.
    /// - Returns: What it says.
    /// - Throws: ``Refusal`` and `RequestError` for what is not there; `StoreError`.
    func resolved(on connection: InspectionConnection) throws -> Resolved {
      let shape = try TableShape(of: table, in: "the file", on: connection)
      let names = columns.isEmpty ? shape.keyColumns : try shape.columns(named: columns)
      guard !names.isEmpty else {
        throw Refusal(.noKey, "\(shape.name) has no key", hint: "Name columns: column=NAME.")
      }
      guard keys.allSatisfy({ $0.count == names.count }) else {
        throw Refusal(
          .badRequest, "a key does not have \(names.count) value\(names.count == 1 ? "" : "s")",
          hint: "Give one value for each of \(names.joined(separator: ", ")).")
      }
      let condition = names.map { "\(SQLName.quote(shape.name, $0)) = ?" }
      return Resolved(
        shape: shape, columns: names, condition: condition.joined(separator: " AND "))
    }

    /// Calls a closure with a connection, in one state of the file, and ends what takes too long.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - body: Reads; its statements are interrupted after `lookupTime`.
    /// - Returns: What the closure returns.
    /// - Throws: What it throws; `StoreError`.
    static func read<Value>(
      _ source: FileSource, _ body: (InspectionConnection) throws -> Value
    ) throws -> Value {
      let connection = try source.inspection()
      try connection.prepare("BEGIN").run()
      defer { try? connection.prepare("ROLLBACK").run() }
      let end = ContinuousClock.now + source.limits.lookupTime
      connection.setProgress(every: 1_000) { .now < end }
      defer { connection.setProgress(nil) }
      return try body(connection)
    }
  }
#endif
