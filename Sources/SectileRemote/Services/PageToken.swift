/// Says which page of a remote list is meant, in the ways in which services say it.
///
/// A token can be written down and read back, so that a list may be continued later:
///
/// ```swift
/// let token = PageToken.offset(40)
/// token.description                     // "offset:40"
/// PageToken("offset:40") == token       // true
/// ```
public struct PageToken: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case start
    case number(Int)
    case offset(Int)
    case cursor(String)
    case link(String)
  }

  private let kind: Kind

  /// The first page of a list whose pages are named by the server.
  public static let start = PageToken(kind: .start)

  /// Returns a token for a page that is counted.
  public static func number(_ number: Int) -> PageToken { PageToken(kind: .number(number)) }

  /// Returns a token for the page that begins behind so many items.
  public static func offset(_ offset: Int) -> PageToken { PageToken(kind: .offset(offset)) }

  /// Returns a token for the page that a server named by a cursor, or token, of its own.
  public static func cursor(_ cursor: String) -> PageToken { PageToken(kind: .cursor(cursor)) }

  /// Returns a token for the page at an address, as in a `Link` header field.
  public static func link(_ target: String) -> PageToken { PageToken(kind: .link(target)) }

  /// The page's number, where pages are counted.
  public var number: Int? {
    if case .number(let number) = kind { number } else { nil }
  }

  /// How many items come before the page, where that is how it is named.
  public var offset: Int? {
    if case .offset(let offset) = kind { offset } else { nil }
  }

  /// The server's name for the page, where it has one.
  public var cursor: String? {
    if case .cursor(let cursor) = kind { cursor } else { nil }
  }

  /// The page's address, where it has one: absolute, or relative to the page before.
  public var link: String? {
    if case .link(let target) = kind { target } else { nil }
  }
}

extension PageToken: LosslessStringConvertible {
  /// Reads a token that was written down.
  ///
  /// - Parameter description: What ``description`` was; anything else gives nil.
  public init?(_ description: String) {
    if description == "start" {
      kind = .start
      return
    }
    guard let colon = description.firstIndex(of: ":") else { return nil }
    let value = String(description[description.index(after: colon)...])
    switch description[..<colon] {
    case "number":
      guard let number = Int(value) else { return nil }
      kind = .number(number)
    case "offset":
      guard let offset = Int(value) else { return nil }
      kind = .offset(offset)
    case "cursor": kind = .cursor(value)
    case "link": kind = .link(value)
    default: return nil
    }
  }

  /// The token in a form that can be written down: `start`, `number:2`, `cursor:b2Zm`.
  public var description: String {
    switch kind {
    case .start: "start"
    case .number(let number): "number:\(number)"
    case .offset(let offset): "offset:\(offset)"
    case .cursor(let cursor): "cursor:\(cursor)"
    case .link(let target): "link:\(target)"
    }
  }
}
