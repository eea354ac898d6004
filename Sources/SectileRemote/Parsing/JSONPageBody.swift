internal import FoundationEssentials

/// What a page's body says, found where a ``JSONPageShape`` tells.
struct JSONPageBody<Item: Decodable & Sendable>: DecodableWithConfiguration {
  let items: [Item]
  /// The elements that are no items, where these are left out.
  private(set) var skippedOffsets: [Int] = []
  /// What is wrong with the first of them.
  private(set) var faults: [JSONFault] = []
  let cursor: String?
  let link: String?
  let total: Int?

  init(from decoder: any Decoder, configuration shape: JSONPageShape) throws {
    if let limit = shape.reportLimit {
      var items: [Item] = []
      var elements = try Self.elements(in: decoder, at: shape.items)
      // One by one, so that of a body full of faults only the first are kept.
      while !elements.isAtEnd {
        let offset = elements.currentIndex
        switch try elements.decode(JSONElement<Item>.self).item {
        case .success(let item): items.append(item)
        case .failure(let fault):
          skippedOffsets.append(offset)
          if faults.count < limit { faults.append(fault) }
        }
      }
      self.items = items
    } else {
      items = try Self.items(in: decoder, at: shape.items)
    }
    cursor = try shape.cursor.flatMap { try Self.value(in: decoder, at: $0, Self.text) }
    link = try shape.link.flatMap { try Self.value(in: decoder, at: $0, Self.text) }
    total = try shape.total.flatMap { path in
      try Self.value(in: decoder, at: path) { try $0.decode(Int.self, forKey: $1) }
    }
  }

  private typealias Container = KeyedDecodingContainer<JSONName>

  private static func items(in decoder: any Decoder, at path: [String]) throws -> [Item] {
    guard let name = path.last else {
      return try decoder.singleValueContainer().decode([Item].self)
    }
    return try container(in: decoder, around: path).decode([Item].self, forKey: JSONName(name))
  }

  /// Returns the elements of the array of items.
  private static func elements(
    in decoder: any Decoder, at path: [String]
  ) throws -> any UnkeyedDecodingContainer {
    guard let name = path.last else { return try decoder.unkeyedContainer() }
    return try container(in: decoder, around: path).nestedUnkeyedContainer(forKey: JSONName(name))
  }

  /// Returns the object with what a path leads to.
  private static func container(in decoder: any Decoder, around path: [String]) throws -> Container
  {
    var container = try decoder.container(keyedBy: JSONName.self)
    for step in path.dropLast() {
      container = try container.nestedContainer(keyedBy: JSONName.self, forKey: JSONName(step))
    }
    return container
  }

  /// Returns what is at the end of a path, or nil where the way there, or the end, is missing or
  /// null.
  private static func value<Value>(
    in decoder: any Decoder, at path: [String],
    _ read: (Container, JSONName) throws -> Value?
  ) throws -> Value? {
    guard let last = path.last else { return nil }
    var container = try decoder.container(keyedBy: JSONName.self)
    for step in path.dropLast() {
      let name = JSONName(step)
      guard container.contains(name), try !container.decodeNil(forKey: name) else { return nil }
      container = try container.nestedContainer(keyedBy: JSONName.self, forKey: name)
    }
    let name = JSONName(last)
    guard container.contains(name), try !container.decodeNil(forKey: name) else { return nil }
    return try read(container, name)
  }

  /// Reads a text, or a number as text; an empty text counts as none.
  private static func text(_ container: Container, _ name: JSONName) throws -> String? {
    if let number = try? container.decode(Int64.self, forKey: name) { return String(number) }
    let text = try container.decode(String.self, forKey: name)
    return text.isEmpty ? nil : text
  }
}

/// The same, with numbers that do not fit told by their places.
struct LocatedPageBody<Item: Decodable & Sendable>: DecodableWithConfiguration {
  init(from decoder: any Decoder, configuration shape: JSONPageShape) throws {
    _ = try JSONPageBody<Item>(from: LocatingDecoder(base: decoder), configuration: shape)
  }
}

/// A name in a JSON object.
private struct JSONName: CodingKey {
  let stringValue: String
  let intValue: Int? = nil

  init(_ name: String) {
    stringValue = name
  }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    nil
  }
}

extension RemoteError {
  /// Says in what a body is not as it was expected.
  init(decoding error: DecodingError, status: Int) {
    let (context, missing): (DecodingError.Context, String?) =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context): (context, nil)
      case .keyNotFound(let name, let context): (context, name.stringValue)
      case .dataCorrupted(let context): (context, nil)
      @unknown default: (DecodingError.Context(codingPath: [], debugDescription: "\(error)"), nil)
      }
    let place = Self.place(context.codingPath, missing)
    if case .dataCorrupted = error, context.codingPath.isEmpty {
      self.init(
        code: .malformedBody, message: "The body is not JSON.",
        hint: "Check that the address is that of the service, and not of a page for readers.",
        cause: error, status: status)
    } else {
      self.init(
        code: .unexpectedShape,
        message: "The body is not as expected \(place): \(context.debugDescription)",
        hint: "Compare the parser's names and the item's type with what the service answers.",
        cause: error, status: status)
    }
  }

  /// Says which number is none of the type it should be.
  ///
  /// - Parameters:
  ///   - number: Where it is.
  ///   - literal: The number as it is written; nil where that was not found.
  ///   - status: The status of the answer.
  init(_ number: UnfitNumber, written literal: String?, status: Int) {
    self.init(
      code: .unexpectedShape,
      message: "The body is not as expected \(Self.place(number.path, nil)): "
        + number.sentence(written: literal),
      hint: "Let the item read it as a type that can hold it, or ask the service why it sends it.",
      cause: nil, status: status)
  }

  private static func place(_ path: [any CodingKey], _ missing: String?) -> String {
    var way = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
    if let missing { way.append(missing) }
    return way.isEmpty ? "at its beginning" : "at \(way.joined(separator: "."))"
  }
}

extension UnfitNumber {
  /// Says what the number is not.
  ///
  /// - Parameter literal: The number as it is written; nil where that was not found.
  /// - Returns: A sentence.
  func sentence(written literal: String?) -> String {
    let value =
      switch literal {
      case nil: "The number there"
      case let literal? where literal.utf8.count > 40:
        "A number of \(literal.utf8.count) characters"
      case let literal?: literal
      }
    return "\(value) is not a value of \(type)."
  }
}
