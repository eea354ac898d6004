internal import Sectile

/// A value of a JSON document, whose members keep the order they are written in.
enum JSONValue {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A name of an object, and what it stands for.
  struct Member {
    let name: String
    let value: JSONValue
  }

  /// Creates a number.
  init(_ number: Int) { self = .integer(Int64(number)) }

  /// Creates a string; null where there is none.
  init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// Creates the value of a cell, tagged where JSON has no word for it; see ``ValueText``.
  init(_ value: StoredValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number) where JSONTag.isExact(number): .integer(number)
      case .integer(let number):
        .object([Member(name: JSONTag.integer, value: .string("\(number)"))])
      case .real(let number) where number.isFinite && !JSONTag.isPlain(number):
        .object([Member(name: JSONTag.real, value: .string(JSONTag.text(ofReal: number)))])
      case .real(let number): .real(number)
      case .text(let text): .string(text)
      case .blob(let bytes):
        .object([Member(name: JSONTag.blob, value: .string(StoredValue.hexadecimal(bytes)))])
      }
  }

  /// Creates a number of milliseconds.
  init(milliseconds duration: Duration) { self = .real(duration / .milliseconds(1)) }

  /// The document in one line, with everything a terminal could act upon escaped.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let number): "\(number)"
    case .real(let number): ValueText.json(.real(number))
    case .string(let text): ValueText.json(text)
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.map { "\(ValueText.json($0.name)):\($0.value.text)" }.joined(separator: ",") + "}"
    }
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member(name: $0.0, value: $0.1) })
  }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  init(integerLiteral value: Int64) { self = .integer(value) }
}
