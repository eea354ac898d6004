internal import Sectile

/// Reads JSON as records.
///
/// A key that an object does not have is not NULL: the record has fewer columns then. Tags become
/// what they stand for, other arrays and objects inside a row JSON text, `true` and `false` 1
/// and 0.
final class JSONInput {
  /// How large a row gets: a blob of the size that SQLite stores, in hexadecimal.
  static let sizeLimit = 2_100_000_000

  private let reader = JSONReader()
  private var names: [String] = []

  /// Calls a closure with each record of an input that has one object a line.
  func readLines(of source: InputSource, _ body: (ImportRecord) throws -> Void) throws {
    var splitter = LineSplitter(limit: Self.sizeLimit)
    var number = 0
    do {
      try source.read { chunk in
        try splitter.append(chunk) { line in
          number += 1
          try takeLine(line, number: number, body)
        }
      }
      try splitter.finish { try takeLine($0, number: number + 1, body) }
    } catch let error as LineSplitter.TooLong {
      throw CommandFailure(
        .data, "\(source.name):\(error.line): a line of more than \(Self.sizeLimit) bytes")
    }
  }

  /// Calls a closure with each record of an input that is one array of objects.
  func readDocument(of source: InputSource, _ body: (ImportRecord) throws -> Void) throws {
    var splitter = JSONElementSplitter(limit: Self.sizeLimit)
    var number = 0
    var isFirst = true
    do {
      try source.read { chunk in
        let bytes = isFirst ? ByteOrderMark.withoutMark(chunk) : chunk
        isFirst = false
        try splitter.append(bytes) { element in
          number += 1
          try take(element, number: number, body)
        }
      }
      try splitter.finish()
    } catch let error as JSONElementSplitter.Mistake {
      throw CommandFailure(
        .data, "\(source.name) is not a JSON array of objects: \(error.reason)",
        hint: "jq '.items' takes an array out of an object; --format ndjson reads an object a line."
      )
    }
  }

  private func takeLine(
    _ line: UnsafeRawBufferPointer, number: Int, _ body: (ImportRecord) throws -> Void
  ) throws {
    if JSONText.firstSign(of: line) == nil { return }
    try take(line, number: number, body)
  }

  /// Makes a record of a text that should be an object.
  private func take(
    _ text: UnsafeRawBufferPointer, number: Int, _ body: (ImportRecord) throws -> Void
  ) throws {
    let members: [JSONReader.Member]
    do {
      members = try reader.members(of: text)
    } catch {
      return try body(.bad(number: number, reason: error.reason))
    }
    if members.isEmpty { return try body(.bad(number: number, reason: "an object without keys")) }
    if !members.lazy.map(\.name).elementsEqual(names) {
      let names = members.map(\.name)
      if Set(names).count < names.count {
        return try body(.bad(number: number, reason: "a key is there twice"))
      }
      self.names = names
      try body(.columns(names))
    }
    var invalidText: [Int] = []
    var values: [StoredValue] = []
    values.reserveCapacity(members.count)
    for (position, member) in members.enumerated() {
      switch member.value {
      case .value(let value): values.append(value)
      case .json(let text): values.append(.text(text))
      case .invalidText(let bytes):
        values.append(.blob(bytes))
        invalidText.append(position)
      }
    }
    try body(.row(number: number, values: values, invalidText: invalidText))
  }
}
