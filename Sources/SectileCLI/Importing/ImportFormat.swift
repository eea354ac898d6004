internal import ArgumentParser

/// What an input of `sectile import` is written in.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
  /// Comma-separated values, as in RFC 4180.
  case csv
  /// Tab-separated values, quoted like ``csv``.
  case tsv
  /// One JSON array of objects.
  case json
  /// One JSON object a line.
  case ndjson

  /// Tells the format by the end of a file's name; nil where that says nothing.
  init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    switch fileName[dot...].dropFirst().lowercased() {
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "json": self = .json
    case "ndjson", "jsonl": self = .ndjson
    default: return nil
    }
  }

  /// Tells the format by the first bytes; nil unless they can hardly be anything else.
  ///
  /// JSON gives itself away, separated values do not: a file of one column looks like any text.
  init?(beginning bytes: some Sequence<UInt8>) {
    let signs = bytes.lazy.filter { !JSONText.spaces.contains($0) }.prefix(2)
    switch String(decoding: Array(signs), as: UTF8.self) {
    case "[{", "[]": self = .json
    case "{\"": self = .ndjson
    default: return nil
    }
  }

  /// Whether values come with a type of their own.
  var isTyped: Bool { self == .json || self == .ndjson }

  /// All formats, for help and messages.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// The little that must be known of JSON's grammar besides what SQLite knows.
enum JSONText {
  /// What JSON holds for space, and the byte order mark before it.
  static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]

  /// Returns whether a string in a JSON text holds the character NUL, which SQLite cuts texts at.
  static func holdsNUL(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return false }
    var isEscape = false
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      if isEscape, byte == UInt8(ascii: "u"), rest.starts(with: "0000".utf8) { return true }
      isEscape = byte == UInt8(ascii: "\\") && !isEscape
    }
    return false
  }

  /// Returns the same JSON with the quotes inside of strings written by their number, `\u0022`.
  static func numberingQuotes(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var result: [UInt8] = []
    var isEscape = false
    for byte in text.utf8 {
      if isEscape, byte == UInt8(ascii: "\"") {
        result += Array("u0022".utf8)
      } else {
        result.append(byte)
      }
      isEscape = byte == UInt8(ascii: "\\") && !isEscape
    }
    return String(decoding: result, as: UTF8.self)
  }
}
