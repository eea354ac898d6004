internal import Foundation
internal import GRDBSQLite
public import SectileCore

/// Related rows that stand in an item, in order: the latest lines of a purchase.
///
/// A column that is selected yields them: `$0.lines.first(3, by: \.cents, .descending)`. They are a
/// collection like any other, are read with the item, and do not change with the file: a change of
/// a row is an update of its item.
public struct Children<Child: Entity>: Sendable {
  /// The rows.
  private let children: [Child]

  /// Creates children, for items of tests and previews.
  public init(_ children: some Sequence<Child>) { self.children = Array(children) }
}

extension Children: RandomAccessCollection {
  /// The position of the first row.
  public var startIndex: Int { children.startIndex }
  /// The position behind the last row.
  public var endIndex: Int { children.endIndex }
  /// The row at a position.
  public subscript(position: Int) -> Child { children[position] }
}

extension Children: ExpressibleByArrayLiteral {
  /// Creates children from a list.
  public init(arrayLiteral children: Child...) { self.init(children) }
}

extension Children: Equatable where Child: Equatable {}
extension Children: Hashable where Child: Hashable {}

extension Children: Encodable where Child: Encodable {
  /// Writes the rows as a list.
  public func encode(to encoder: any Encoder) throws { try children.encode(to: encoder) }
}

extension Children: Decodable where Child: Decodable {
  /// Reads the rows from a list.
  public init(from decoder: any Decoder) throws { children = try [Child](from: decoder) }
}

// MARK: - Reading

extension Children: StorableValue {
  /// Creates children from a column that was selected for them.
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    let rows: [[ListedValue]]
    do {
      rows = try JSONDecoder().decode([[ListedValue]].self, from: Data(try column.text().utf8))
    } catch let error as ColumnValueError {
      throw error
    } catch {
      throw ColumnValueError(
        "expected a list of rows, found JSON in which \(JSONText.kind(of: error))")
    }
    do {
      children = try Self.children(rows.map { $0.map(\.value) }, on: column.statement)
    } catch {
      throw ColumnValueError(
        "expected rows of \(Child.schema.table): \(error.message)", hint: error.hint)
    }
  }

  /// Throws: rows that stand in an item are not written with it.
  public var storedValue: StoredValue {
    get throws(ColumnValueError) {
      throw ColumnValueError(
        "rows of \(Child.schema.table) cannot be stored in a column",
        hint: "Write them to their own table.")
    }
  }

  /// Makes entities of values, by a statement that yields them: so they are read as strictly as
  /// columns of their table are.
  private static func children(
    _ rows: [[StoredValue]], on other: OpaquePointer
  ) throws(StoreError) -> [Child] {
    guard !rows.isEmpty else { return [] }
    let layout = Child.schema.layout
    let marks = layout.columns.map { _ in "?" }.joined(separator: ", ")
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v2(sqlite3_db_handle(other), "SELECT \(marks)", -1, &handle, nil)
    guard let handle else { throw RawStatement.failure(code, of: other) }
    defer { sqlite3_finalize(handle) }
    let statement = RawStatement(handle: handle)
    var children: [Child] = []
    children.reserveCapacity(rows.count)
    for values in rows {
      try statement.bindAll(values)
      guard try statement.step() else { break }
      var row = RowReader(statement: handle, layout: layout)
      do {
        children.append(try Child(row: &row))
      } catch {
        throw StoreError.wrapping(error, file: nil)
      }
      statement.reset()
    }
    return children
  }
}

/// A value in a list of rows: see `SQLRenderer`.
private struct ListedValue: Decodable {
  let value: StoredValue

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = .null
    } else if let integer = try? container.decode(Int64.self) {
      value = .integer(integer)
    } else {
      let text = try container.decode(String.self)
      guard let value = Self.value(of: text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "It does not say what it was stored as.")
      }
      self.value = value
    }
  }

  private static func value(of text: String) -> StoredValue? {
    // By scalars: the first may be one character with the next.
    let rest = String(text.unicodeScalars.dropFirst())
    switch text.unicodeScalars.first {
    case "t": return .text(rest)
    case "r": return Double(rest).map { .real($0) }
    case "b": return StoredValue.bytes(hexadecimal: rest).map { .blob($0) }
    default: return nil
    }
  }
}
