/// A value of a JSON document, whose members keep the order they are written in, and are there also
/// where they are null.
package enum JSONValue: Sendable {
  case bool(Bool)
  /// A number that is written as it is, however large.
  case integer(Int64)
  /// A value that is tagged where JSON has no word for it; see ``JSONTag``.
  case value(StoredValue)
  case array([JSONValue])
  case object([(name: String, value: JSONValue)])

  /// Nothing.
  package static let null = JSONValue.value(.null)

  /// Returns a number.
  package static func real(_ number: Double) -> JSONValue { .value(.real(number)) }

  /// Returns a string.
  package static func string(_ text: String) -> JSONValue { .value(.text(text)) }

  /// Creates a number.
  package init(_ number: Int) { self = .integer(Int64(number)) }

  /// Creates a string; null where there is none.
  package init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// Creates an array of strings.
  package init(_ texts: [String]) { self = .array(texts.map { .string($0) }) }

  /// Returns the JSON in UTF-8, without spaces and line breaks.
  package func bytes(_ escaping: JSONEscaping = .shortest) -> [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes, escaping)
    return bytes
  }

  private func append(to bytes: inout [UInt8], _ escaping: JSONEscaping) {
    switch self {
    case .bool(let value): JSONBytes.append(value, to: &bytes)
    case .integer(let number): bytes += String(number).utf8
    case .value(let value): JSONBytes.append(value, to: &bytes, escaping)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (position, value) in values.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        value.append(to: &bytes, escaping)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (position, member) in members.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONBytes.append(member.name, to: &bytes, escaping)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes, escaping)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { (name: $0.0, value: $0.1) })
  }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int64) { self = .integer(value) }
}
