internal import Sectile

/// The values that statements ask for, by name or by number.
struct StatementParameters {
  private static let signs = [":", "@", "$", "?"]

  /// What was set, by the names as they were written.
  private(set) var values: [String: ExactValue] = [:]

  /// Sets a value.
  ///
  /// - Parameters:
  ///   - name: `:name`, `@name`, `$name` or `?1`; without its sign it stands for all of them.
  ///   - text: The value: NULL, a number, `'text'` or `x'00ff'` as SQL writes them; else the text
  ///     itself.
  /// - Throws: ``CommandFailure`` for what is no name.
  mutating func set(_ name: String, to text: String) throws {
    let bare = Self.nameWithoutSign(name)
    let isName =
      !bare.isEmpty
      && bare.unicodeScalars.allSatisfy { scalar in
        scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      }
    guard isName else {
      throw CommandFailure(
        .usage, "'\(name)' is no name of a parameter", hint: "Write it as in limit=10, or 1=10.")
    }
    values[name] = try Self.value(of: ByteArguments.bytes(of: text))
  }

  /// Returns the name of a parameter without the sign before it.
  static func nameWithoutSign(_ name: String) -> String {
    signs.contains(String(name.prefix(1))) ? String(name.dropFirst()) : name
  }

  /// Forgets a value; returns whether there was one.
  mutating func remove(_ name: String) -> Bool { values.removeValue(forKey: name) != nil }

  /// Forgets all values.
  mutating func removeAll() { values = [:] }

  /// Returns the values that a statement asks for, in the order of their positions.
  ///
  /// - Throws: ``CommandFailure`` for one that was not set.
  func values(for statement: InspectionStatement) throws -> [ExactValue] {
    guard statement.parameterCount > 0 else { return [] }
    let names = statement.parameterNames
    return try names.enumerated().map { offset, name in
      let number = "\(offset + 1)"
      // Of ?7 alone SQLite counts seven positions, of which six are nobody's.
      let isAsked = name != nil || !names.contains { $0?.hasPrefix("?") == true }
      let written = name ?? "?" + number
      if let value = values[written] ?? values[String(written.dropFirst())] ?? values[number] {
        return value
      }
      guard isAsked else { return .null }
      throw CommandFailure(
        .data, "the statement's parameter \(name ?? "?" + number) has no value",
        hint: "Set it with --param \(String(written.dropFirst()))=VALUE or .parameter set.")
    }
  }

  /// Returns the value that a text stands for.
  ///
  /// Nothing is evaluated: what is no number, no NULL and stands in no quotes is text.
  static func value(of bytes: [UInt8]) throws -> ExactValue {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return .invalidText(isQuoted(bytes[...]) ? unquoted(bytes) : bytes)
    }
    guard isLiteral(text) else { return .value(.text(text)) }
    var value = StoredValue.text(text)
    let statement = try? InspectionConnection.inMemory().prepare("SELECT \(text)")
    try statement?.run { value = $0[0] }
    return .value(value)
  }

  private static func isLiteral(_ text: String) -> Bool {
    if text.contains("\0") { return false }
    if text.uppercased() == "NULL" { return true }
    if text.wholeMatch(of: #/[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?/#) != nil {
      return true
    }
    if text.wholeMatch(of: #/0[xX][0-9a-fA-F]{1,16}/#) != nil { return true }
    if text.wholeMatch(of: #/[xX]'([0-9a-fA-F]{2})*'/#) != nil { return true }
    return isQuoted(Array(text.utf8)[...])
  }

  /// Whether a text is one in single quotes, those inside of it doubled.
  private static func isQuoted(_ text: ArraySlice<UInt8>) -> Bool {
    let quote = UInt8(ascii: "'")
    guard text.count >= 2, text.first == quote, text.last == quote else { return false }
    var rest = text.dropFirst().dropLast()
    while let index = rest.firstIndex(of: quote) {
      rest = rest[(index + 1)...]
      guard rest.popFirst() == quote else { return false }
    }
    return true
  }

  /// Returns the bytes of a text in single quotes without them.
  private static func unquoted(_ text: [UInt8]) -> [UInt8] {
    let quote = UInt8(ascii: "'")
    var result: [UInt8] = []
    var rest = text.dropFirst().dropLast()
    while let byte = rest.popFirst() {
      result.append(byte)
      if byte == quote { rest = rest.dropFirst() }
    }
    return result
  }
}
