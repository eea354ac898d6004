internal import Foundation
package import Sectile
internal import SectilePresenting

/// Writes values as SQL that yields exactly them.
package struct SQLLiterals {
  private let encoding: String
  private let reading: InspectionStatement

  /// Creates a writer for the values of a database.
  package init(_ connection: InspectionConnection) throws {
    var encoding = ""
    try connection.run("PRAGMA encoding") { encoding = $0[0].plainText }
    self.encoding = encoding
    reading = try connection.prepare("SELECT CAST(? AS REAL)")
  }

  /// Returns a value as SQL.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - bytes: Returns the bytes of a text, which need not be UTF-8.
  /// - Returns: The text of an expression.
  /// - Throws: ``StoreError`` where SQLite does not answer how it reads a number.
  package func text(of value: StoredValue, bytes: () -> [UInt8]) throws -> String {
    switch value {
    case .null: return "NULL"
    case .integer(let number): return "\(number)"
    case .real(let number): return try text(of: number)
    case .blob(let bytes): return "X'\(StoredValue.hexadecimal(bytes))'"
    case .text(let text):
      if text.unicodeScalars.contains("\u{FFFD}") {
        let bytes = bytes()
        if !bytes.elementsEqual(text.utf8) { return Self.cast(bytes) }
      }
      let isPlain = text.unicodeScalars.allSatisfy { scalar in
        !TerminalText.isUnsafe(scalar) || scalar == "\n" || scalar == "\t"
      }
      return isPlain ? Self.quoted(text) : Self.cast(self.bytes(of: text))
    }
  }

  /// Writes a value as SQL; a large one is not there once more as text.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - output: Where it goes.
  ///   - bytes: Returns the bytes of a text, which need not be UTF-8.
  /// - Throws: What ``text(of:bytes:)`` and the output throw.
  package func write(_ value: StoredValue, to output: any RowOutput, bytes: () -> [UInt8]) throws {
    switch value {
    case .blob(let bytes):
      try output.write("X'")
      try output.write(hexadecimal: bytes)
      try output.write("'")
    case .text(let text) where Self.isPlainASCII(text):
      try output.write(text, in: UInt8(ascii: "'"))
    default: try output.write(self.text(of: value, bytes: bytes))
    }
  }

  /// Whether a text is of printable ASCII and line breaks alone.
  private static func isPlainASCII(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x09 }
  }

  /// Returns text in single quotes.
  package static func quoted(_ text: String) -> String { text.quoted(by: UInt8(ascii: "'")) }

  private static func cast(_ bytes: [UInt8]) -> String {
    "CAST(X'\(StoredValue.hexadecimal(bytes))' AS TEXT)"
  }

  /// The bytes that the database's own encoding has for a text.
  private func bytes(of text: String) -> [UInt8] {
    switch encoding {
    case "UTF-16le": text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    case "UTF-16be": text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    default: Array(text.utf8)
    }
  }

  /// A number as SQLite reads it back: the shortest text is not always read exactly.
  private func text(of number: Double) throws -> String {
    if number.isInfinite { return number < 0 ? "-1e999" : "1e999" }
    if number == number.rounded() && abs(number) < 1e15 { return "\(number)" }
    for digits in [nil, 16, 17, 18, 19] as [Int?] {
      let text = digits.map { Self.text(of: number, digits: $0) } ?? "\(number)"
      var read = StoredValue.null
      try reading.run([.text(text)]) { read = $0[0] }
      if case .real(let result) = read, result.bitPattern == number.bitPattern { return text }
    }
    return Self.text(of: number, digits: 20)
  }

  private static func text(of number: Double, digits: Int) -> String {
    String(format: "%.\(digits)e", number)
  }
}
