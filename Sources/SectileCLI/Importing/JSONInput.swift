internal import Foundation
internal import Sectile

/// Reads JSON as records, by the JSON functions of SQLite, which keep the order of keys and integers
/// as they are.
///
/// A key that an object does not have is not NULL: the record has fewer columns then. Arrays and
/// objects inside a row become JSON text, `true` and `false` 1 and 0.
final class JSONInput {
  /// How large a document, or a line, gets: SQLite parses each of them in memory.
  static let sizeLimit = 1 << 28

  private let connection: InspectionConnection
  private let pairs: InspectionStatement
  private var names: [String] = []

  /// Creates a reader.
  init() throws {
    connection = try InspectionConnection.inMemory()
    // The number as it is written: SQLite's own conversion may miss the last bit, and makes a real
    // of an integer that is too large.
    pairs = try connection.prepare(
      """
      SELECT key, type, value, CASE typeof(value) WHEN 'real' THEN ?1 -> fullkey END
      FROM json_each(?1)
      """)
  }

  /// Calls a closure with each record of an input that has one object a line.
  func readLines(of source: InputSource, _ body: (ImportRecord) throws -> Void) throws {
    var splitter = LineSplitter(limit: Self.sizeLimit)
    var number = 0
    do {
      try source.read { chunk in
        try splitter.append(chunk) { line in
          number += 1
          try take(line, number: number, body)
        }
      }
      try splitter.finish { try take($0, number: number + 1, body) }
    } catch let error as LineSplitter.TooLong {
      throw CommandFailure(
        .data, "\(source.name):\(error.line): a line of more than \(Self.sizeLimit) bytes")
    }
  }

  private func take(
    _ line: UnsafeRawBufferPointer, number: Int, _ body: (ImportRecord) throws -> Void
  ) throws {
    if line.allSatisfy({ JSONText.spaces.contains($0) }) { return }
    guard let text = String(validating: line.bindMemory(to: UInt8.self), as: UTF8.self) else {
      return try body(.bad(number: number, reason: "not UTF-8"))
    }
    try take(text, number: number, body)
  }

  /// Calls a closure with each record of an input that is one array of objects.
  func readDocument(of source: InputSource, _ body: (ImportRecord) throws -> Void) throws {
    let text = try wholeText(of: source)
    let elements = try connection.prepare("SELECT type, value FROM json_each(?1)")
    var number = 0
    try elements.start([.text(text)])
    while let element = try next(of: elements, text, source.name) {
      number += 1
      guard element[0] == .text("object"), case .text(let object) = element[1] else {
        try body(.bad(number: number, reason: "not an object"))
        continue
      }
      try take(object, number: number, body)
      try source.checkpoint()
    }
  }

  private func next(
    of elements: InspectionStatement, _ text: String, _ name: String
  ) throws -> [StoredValue]? {
    do {
      return try elements.next()
    } catch {
      guard error.code == .statementFailed else { throw error }
      throw CommandFailure(.data, "\(name) is not JSON\(Self.place(ofMistakeIn: text))")
    }
  }

  /// SQLite says only that there is a mistake; Foundation says where.
  private static func place(ofMistakeIn text: String) -> String {
    do {
      _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
      return ""
    } catch {
      let detail = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
      return detail.map { ": \($0)" } ?? ""
    }
  }

  private func wholeText(of source: InputSource) throws -> String {
    let hint =
      "One object a line has no such limit: jq -c '.[]' makes it, --format ndjson reads it."
    func refuse() -> CommandFailure {
      CommandFailure(
        .data, "\(source.name): a JSON document of more than \(Self.sizeLimit >> 20) MiB",
        hint: hint)
    }
    if let count = source.byteCount, count > Self.sizeLimit { throw refuse() }
    var bytes: [UInt8] = []
    try source.read { chunk in
      bytes += chunk
      if bytes.count > Self.sizeLimit { throw refuse() }
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard let first = bytes.first(where: { !JSONText.spaces.contains($0) }),
      first == UInt8(ascii: "[")
    else {
      throw CommandFailure(
        .data, "\(source.name) is not a JSON array of objects",
        hint: "jq '.items' takes an array out of an object; --format ndjson reads an object a line."
      )
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(.data, "\(source.name) is not UTF-8")
    }
    return text
  }

  /// Makes a record of a text that should be an object.
  private func take(
    _ text: String, number: Int, _ body: (ImportRecord) throws -> Void
  ) throws {
    if text.utf8.first(where: { !JSONText.spaces.contains($0) }) != UInt8(ascii: "{") {
      return try body(.bad(number: number, reason: "not an object"))
    }
    if JSONText.holdsNUL(text) {
      return try body(.bad(number: number, reason: "a text holds the character NUL"))
    }
    var names: [String] = []
    var values: [StoredValue] = []
    do {
      // A key with a quote in it makes no path, unless the quote is written by its number.
      try read(JSONText.numberingQuotes(text), &names, &values)
    } catch let error as StoreError where error.code == .statementFailed {
      return try body(.bad(number: number, reason: "not JSON"))
    }
    if names.isEmpty { return try body(.bad(number: number, reason: "an object without keys")) }
    if Set(names).count < names.count {
      return try body(.bad(number: number, reason: "a key is there twice"))
    }
    if names != self.names {
      self.names = names
      try body(.columns(names))
    }
    try body(.row(number: number, values: values))
  }

  private func read(
    _ text: String, _ names: inout [String], _ values: inout [StoredValue]
  ) throws {
    try pairs.run([.text(text)]) { row in
      guard case .text(let name) = row[0], case .text(let type) = row[1] else { return }
      names.append(name)
      values.append(Self.value(row[2], type: type, raw: row[3]))
    }
  }

  private static func value(_ value: StoredValue, type: String, raw: StoredValue) -> StoredValue {
    guard case .real = value, case .text(let raw) = raw else { return value }
    if type == "integer" { return .text(raw) }
    // Beyond what a double can hold.
    guard let exact = Double(raw), exact.isFinite else { return .text(raw) }
    return .real(exact)
  }
}
