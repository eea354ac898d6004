/// The links in an answer's `Link` header fields, as RFC 8288 describes them.
///
/// ```swift
/// // Link: <https://radio.example/songs?page=3>; rel="next", <…?page=9>; rel="last"
/// LinkHeader(response.headers).target(relation: "next")  // "https://radio.example/songs?page=3"
/// ```
///
/// What does not follow the grammar is passed over up to the next link; nothing of it is an error.
public struct LinkHeader: Hashable, Sendable {
  /// One link.
  public struct Link: Hashable, Sendable {
    /// The address as it was written: absolute, or relative to that of the answer.
    public let target: String
    /// The parameters in order, their names in lower case.
    public let parameters: [HeaderFields.Field]

    /// Returns the first value of a parameter, or nil.
    public func parameter(_ name: String) -> String? {
      parameters.first { $0.name == name.lowercased() }?.value
    }

    /// The relations the link stands for, in lower case.
    public var relations: [String] {
      (parameter("rel") ?? "").split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
    }
  }

  /// The links, in order.
  public let links: [Link]

  /// Reads the links of all `Link` fields.
  public init(_ headers: HeaderFields) {
    links = headers.values(of: "Link").flatMap { value in
      var reader = LinkReader(value)
      return reader.links()
    }
  }

  /// Returns the address of the first link of a relation from the answer itself, or nil.
  ///
  /// A link with an `anchor` leads from somewhere else and does not count.
  ///
  /// - Parameter relation: The relation's name, in any case: `next`, say.
  /// - Returns: The address as it was written.
  public func target(relation: String) -> String? {
    let relation = relation.lowercased()
    let link = links.first {
      $0.relations.contains(relation) && $0.parameter("anchor") == nil && !$0.target.isEmpty
    }
    return link?.target
  }
}

/// Reads one value of a `Link` header field, byte by byte.
private struct LinkReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ value: String) {
    bytes = Array(value.utf8)
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func links() -> [LinkHeader.Link] {
    var links: [LinkHeader.Link] = []
    while current != nil {
      skip { $0 == comma || isSpace($0) }
      if let link = link() { links.append(link) }
      skipToNextLink()
    }
    return links
  }

  /// Reads `<target>; name=value; name="value"`.
  private mutating func link() -> LinkHeader.Link? {
    guard take(UInt8(ascii: "<")) else { return nil }
    let target = text { $0 != UInt8(ascii: ">") }
    guard take(UInt8(ascii: ">")) else { return nil }
    var parameters: [HeaderFields.Field] = []
    skip(isSpace)
    while take(UInt8(ascii: ";")) {
      skip(isSpace)
      let name = text { !isSpace($0) && $0 != equals && $0 != semicolon && $0 != comma }
      skip(isSpace)
      var value = ""
      if take(equals) {
        skip(isSpace)
        value = quoted() ?? text { !isSpace($0) && $0 != semicolon && $0 != comma }
      }
      skip(isSpace)
      if !name.isEmpty {
        parameters.append(HeaderFields.Field(name: name.lowercased(), value: value))
      }
    }
    let trimmed = target.drop { $0 == " " }
    return LinkHeader.Link(target: String(trimmed), parameters: parameters)
  }

  /// Reads `"text with \"quotes\""`; one that is not closed ends with the field.
  private mutating func quoted() -> String? {
    guard take(quote) else { return nil }
    var value: [UInt8] = []
    while let byte = current, byte != quote {
      position += 1
      if byte == UInt8(ascii: "\\"), let escaped = current {
        value.append(escaped)
        position += 1
      } else {
        value.append(byte)
      }
    }
    _ = take(quote)
    return String(decoding: value, as: UTF8.self)
  }

  /// Goes on to the comma before the next link; commas in quotes do not count.
  private mutating func skipToNextLink() {
    while let byte = current, byte != comma {
      if byte == quote { _ = quoted() } else { position += 1 }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while let byte = current, isSkipped(byte) { position += 1 }
  }

  private mutating func text(_ isPart: (UInt8) -> Bool) -> String {
    let start = position
    skip(isPart)
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }
}

private let comma = UInt8(ascii: ",")
private let semicolon = UInt8(ascii: ";")
private let equals = UInt8(ascii: "=")
private let quote = UInt8(ascii: "\"")

private func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}
