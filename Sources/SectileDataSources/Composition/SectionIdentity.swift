public import SectileCore

/// What sections are called in a composition in which several sources stand side by side, so that
/// two of them may have sections of the same identity:
///
/// ```text
/// 0            the section without an identity of the first source
/// 1/admin      the section 'admin' of the second
/// 1/5          the section 5
/// 1/'5'        the section '5', a text: text is as it is where it reads as nothing else
/// 2/1/admin    the section 1/admin of the third, a composition
/// chat 7/5     the section 5 of the part "chat 7"; 'a/b'/5 that of the part "a/b"
/// ```
extension StoredValue {
  /// Creates the identity that a section of one of several composed sources has in the composition.
  ///
  /// It is a text that people can read: the number of the source, then, unless the identity is
  /// NULL, a slash and the identity. Text stands there as it is. Where it would read as a number or
  /// another value, it is an SQL literal, as blobs are: `1/'5'`, `1/x'00ff'`.
  ///
  /// ```swift
  /// let list = drinks.concatenated(with: dishes)
  /// let selection = Selection(of: list) { section in
  ///   section == StoredValue(section: "pizza", ofSource: 1) ? .single : .multiple   // "1/pizza"
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - identity: The identity of the section in its source; NULL is that of the only section of
  ///     most sources without sections.
  ///   - source: Which of the sources it is, counted from zero.
  public init(section identity: StoredValue = .null, ofSource source: Int) {
    self = identity.qualified(by: "\(source)")
  }

  /// Creates the identity that a section of a part has in a list of parts.
  ///
  /// See ``init(section:ofSource:)``: the part's identity, as it is printed, takes the place of the
  /// number. It stands in quotes where it contains a slash.
  ///
  /// ```swift
  /// StoredValue(ofPart: "ada")                       // ada
  /// StoredValue(section: "today", ofPart: "ada")     // ada/today
  /// StoredValue(section: 5, ofPart: "/var/log")      // '/var/log'/5
  /// ```
  ///
  /// - Parameters:
  ///   - identity: The identity of the section in its part.
  ///   - part: The part.
  public init(section identity: StoredValue = .null, ofPart part: some Hashable & Sendable) {
    self = identity.qualified(by: Self.prefix(ofPart: part))
  }
}

extension StoredValue {
  /// Returns what the sections of a part begin with; different for parts that are printed
  /// differently.
  static func prefix(ofPart part: some Hashable & Sendable) -> String {
    let text = IdentityText.text(of: part)
    let isPlain = !text.isEmpty && text.utf8.first != quote && !text.utf8.contains(slash)
    return isPlain ? text : StoredValue.text(text).description
  }

  func qualified(by prefix: String) -> StoredValue {
    self == .null ? .text(prefix) : .text("\(prefix)/\(word)")
  }

  /// Returns what an identity begins with, and what that of the section is in its own source; nil
  /// for one that no section of a composition has.
  var unqualified: (prefix: String, section: StoredValue)? {
    guard case .text(let text) = self else { return nil }
    let bytes = Array(text.utf8)
    let end = Self.endOfPrefix(bytes)
    guard end > 0 else { return nil }
    let prefix = String(decoding: bytes[..<end], as: UTF8.self)
    guard end < bytes.count else { return (prefix, .null) }
    guard bytes[end] == Self.slash else { return nil }
    let section = Self.reading(String(decoding: bytes[(end + 1)...], as: UTF8.self))
    // What reads as the same may be written otherwise: `05` is no section.
    guard let section, section.qualified(by: prefix) == self else { return nil }
    return (prefix, section)
  }

  private static let quote = UInt8(ascii: "'")
  private static let slash = UInt8(ascii: "/")

  /// Returns where the first slash is that is not in quotes, or the end.
  private static func endOfPrefix(_ bytes: [UInt8]) -> Int {
    let hasQuotes = bytes.first == quote
    var isQuoted = false
    for (place, byte) in bytes.enumerated() {
      if hasQuotes, byte == quote { isQuoted.toggle() }
      if byte == slash, !isQuoted { return place }
    }
    return bytes.count
  }

  /// The value behind a slash.
  private var word: String {
    switch self {
    case .text(let value): Self.reading(value) == self ? value : description
    case .real(let value): Int64(exactly: value).map { "\($0)" } ?? description
    case .null, .integer, .blob: description
    }
  }

  /// Returns the value that a word stands for; nil where it is none.
  private static func reading(_ word: String) -> StoredValue? {
    let bytes = Array(word.utf8)
    if bytes.isEmpty || word == "NULL" { return nil }
    if let value = Int64(word) { return .integer(value) }
    if let value = Double(word) { return .real(value) }
    guard bytes.count > 1, bytes.last == quote else {
      return bytes[0] == quote ? nil : .text(word)
    }
    if bytes[0] == quote { return .text(unquoted(bytes[1..<bytes.count - 1])) }
    if bytes.count > 2, bytes.starts(with: [UInt8(ascii: "x"), quote]) {
      let digits = String(decoding: bytes[2..<bytes.count - 1], as: UTF8.self)
      return StoredValue.bytes(hexadecimal: digits).map { .blob($0) } ?? .text(word)
    }
    return .text(word)
  }

  /// Returns a text whose quotes are doubled with single ones.
  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    var isSecond = false
    for byte in bytes {
      isSecond = byte == quote && !isSecond
      if !isSecond { result.append(byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension SourceSection {
  /// Returns the header for a composition in which sections of several inputs stand side by side.
  func qualified(by prefix: String) -> SourceSection {
    SourceSection(
      identity: identity.qualified(by: prefix), title: title, indexTitle: indexTitle,
      footer: footer, aggregates: aggregates)
  }
}
