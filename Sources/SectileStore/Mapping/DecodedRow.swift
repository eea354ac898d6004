import SectileCore

/// The names of the columns of a query.
struct RowNames: Sendable {
  /// What the query is called.
  let query: String
  let columns: [String]
  let positions: [String: Int]

  init(of query: String, _ columns: [String]) {
    self.query = query
    self.columns = columns
    positions = Dictionary(
      columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// The row that a statement stands on, of which a value is decoded by the names of columns.
///
/// Reading is as strict as an entity's. A decoder that somebody keeps reads nothing afterwards.
final class DecodedRow {
  let names: RowNames
  private let firstColumn: Int
  /// The statement; nil once the value was decoded.
  private var statement: OpaquePointer?

  private init(_ statement: OpaquePointer, firstColumn: Int, _ names: RowNames) {
    self.statement = statement
    self.firstColumn = firstColumn
    self.names = names
  }

  /// Decodes a value of the row that a statement stands on.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - statement: The statement.
  ///   - firstColumn: The position of the first of the columns.
  ///   - names: The columns.
  /// - Returns: The value.
  /// - Throws: `decodingFailed`, naming the column.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from statement: OpaquePointer, firstColumn: Int, _ names: RowNames
  ) throws -> Value {
    let row = DecodedRow(statement, firstColumn: firstColumn, names)
    defer { row.statement = nil }
    do {
      return try Value(from: RowDecoder(row: row))
    } catch let error as StoreError {
      throw error
    } catch {
      // The error's own text may repeat values.
      throw StoreError(
        .decodingFailed,
        message: "A row of \(names.query) is no \(type): \(JSONText.kind(of: error)).",
        hint: "Let the type fit the columns of the query.")
    }
  }

  /// Returns where a column stands.
  ///
  /// - Throws: `decodingFailed` where there is none of the name.
  func position(of key: some CodingKey) throws -> Int {
    if let position = names.positions[key.stringValue] { return position }
    throw StoreError(
      .decodingFailed, message: "The query \(names.query) has no column \(key.stringValue).",
      hint: "Its columns are \(names.columns.joined(separator: ", ")). Name another with AS, or "
        + "name the property's column in CodingKeys.")
  }

  func isNull(_ position: Int) throws -> Bool { try column(position).isNull }

  /// Returns a value as a column holds it.
  func value<Value: StorableValue>(_ type: Value.Type, at position: Int) throws -> Value {
    let column = try column(position)
    do throws(ColumnValueError) {
      return try Value(stored: column)
    } catch {
      throw failure(error, at: position)
    }
  }

  /// Returns a value of any type: as a column holds it, by what it consists of, or from JSON.
  func decodable<Value: Decodable>(_ type: Value.Type, at position: Int) throws -> Value {
    if let storable = type as? any StorableValue.Type,
      let value = try value(storable, at: position) as? Value
    {
      return value
    }
    do {
      return try Value(from: ColumnDecoder(row: self, position: position))
    } catch is NestedValue {
      return try json(type, at: position)
    } catch let error as StoreError {
      throw error
    } catch {
      let column = try column(position)
      throw failure(column.mismatch(expected: "a value of \(type)"), at: position)
    }
  }

  private func json<Value: Decodable>(_ type: Value.Type, at position: Int) throws -> Value {
    let text = try value(String.self, at: position)
    do {
      return try JSONText.decode(type, from: text)
    } catch {
      let kind = JSONText.kind(of: error)
      let column = try column(position)
      throw failure(column.mismatch(expected: "JSON of \(type) (\(kind))"), at: position)
    }
  }

  private func column(_ position: Int) throws -> StoredColumn {
    guard let statement else {
      throw StoreError(
        .decodingFailed, message: "A decoder of \(names.query) was used after its row.",
        hint: "Decode everything in init(from:).")
    }
    return StoredColumn(statement: statement, index: CInt(firstColumn + position))
  }

  private func failure(_ error: ColumnValueError, at position: Int) -> StoreError {
    StoreError(
      .decodingFailed,
      message: "\(names.query).\(names.columns[position]) of a row: \(error.reason).",
      hint: error.hint ?? "Select another value, or change the type of the property.",
      storedValue: error.value)
  }
}

/// Thrown where a value consists of several, which a column holds as JSON.
struct NestedValue: Error {}
