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

  /// Tells the format by the end of a file's name, that of a packed file left out; nil where that
  /// says nothing.
  init?(fileName: String) {
    let fileName = Compression.plainName(fileName)
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
