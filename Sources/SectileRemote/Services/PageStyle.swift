/// How a service divides its list into pages: which parameters name a page, and how the next one is
/// found.
///
/// | Style | A page is asked for by | The next one is |
/// |---|---|---|
/// | ``whole`` | nothing: there is only one | none |
/// | ``number(parameter:first:sizeParameter:size:)`` | `?page=3` | the number plus one |
/// | ``offset(parameter:sizeParameter:size:)`` | `?offset=40` | the offset plus the items that came |
/// | ``cursor(parameter:sizeParameter:size:)`` | `?cursor=b2Zm` | what the parser finds in the body |
/// | ``link(sizeParameter:size:)`` | its address | in the `Link` header field, relation `next` |
///
/// Counted pages end with the first page without items, or with the last one that the total leaves
/// room for. Where `size` is given, a page with fewer items is the last one, too: leave it out for
/// a service that may hand out less than it was asked for.
public struct PageStyle: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case whole
    case number(parameter: String, first: Int)
    case offset(parameter: String)
    case cursor(parameter: String)
    case link
  }

  private let kind: Kind
  private var sizeParameter: String?
  /// How many items a page has, the last one excepted, where that is known.
  public private(set) var size: Int?

  /// The list is not divided.
  public static let whole = PageStyle(kind: .whole)

  /// Returns the style of pages that are counted.
  ///
  /// - Parameters:
  ///   - parameter: The name of the parameter with the page's number.
  ///   - first: The number of the first page.
  ///   - sizeParameter: The name of the parameter that asks for a page size, if there is one.
  ///   - size: How many items a page has, and what is asked for.
  /// - Returns: The style.
  public static func number(
    parameter: String = "page", first: Int = 1, sizeParameter: String? = nil, size: Int? = nil
  ) -> PageStyle {
    PageStyle(
      kind: .number(parameter: parameter, first: first), sizeParameter: sizeParameter, size: size)
  }

  /// Returns the style of pages that begin behind so many items.
  ///
  /// - Parameters:
  ///   - parameter: The name of the parameter with the offset.
  ///   - sizeParameter: The name of the parameter that asks for a page size, if there is one.
  ///   - size: How many items a page has, and what is asked for.
  /// - Returns: The style.
  public static func offset(
    parameter: String = "offset", sizeParameter: String? = nil, size: Int? = nil
  ) -> PageStyle {
    PageStyle(kind: .offset(parameter: parameter), sizeParameter: sizeParameter, size: size)
  }

  /// Returns the style of pages that the service names by a cursor, or token, of its own.
  ///
  /// - Parameters:
  ///   - parameter: The name of the parameter with the cursor; the first page is asked for without.
  ///   - sizeParameter: The name of the parameter that asks for a page size, if there is one.
  ///   - size: What is asked for.
  /// - Returns: The style.
  public static func cursor(
    parameter: String = "cursor", sizeParameter: String? = nil, size: Int? = nil
  ) -> PageStyle {
    PageStyle(kind: .cursor(parameter: parameter), sizeParameter: sizeParameter, size: size)
  }

  /// Returns the style of pages whose addresses the service gives in `Link` header fields.
  ///
  /// - Parameters:
  ///   - sizeParameter: The name of the parameter that asks for a page size, if there is one; only
  ///     the first page is asked for with it.
  ///   - size: What is asked for.
  /// - Returns: The style.
  public static func link(sizeParameter: String? = nil, size: Int? = nil) -> PageStyle {
    PageStyle(kind: .link, sizeParameter: sizeParameter, size: size)
  }

  /// The page the list begins with.
  public var firstPage: PageToken {
    switch kind {
    case .whole, .cursor, .link: .start
    case .number(_, let first): .number(first)
    case .offset: .offset(0)
    }
  }

  /// Returns what to ask a service for.
  ///
  /// - Parameters:
  ///   - page: ``firstPage``, or a later page in the same style.
  ///   - bodySizeLimit: How many bytes the body of the answer may have.
  /// - Returns: The request.
  public func request(
    for page: PageToken, bodySizeLimit: Int = PageRequest.defaultBodySizeLimit
  ) -> PageRequest {
    var request = PageRequest(bodySizeLimit: bodySizeLimit)
    if let link = page.link {
      request.link = link
      return request
    }
    let named: (String, String)? =
      switch kind {
      case .whole, .link: nil
      case .number(let parameter, _): page.number.map { (parameter, String($0)) }
      case .offset(let parameter): page.offset.map { (parameter, String($0)) }
      case .cursor(let parameter): page.cursor.map { (parameter, $0) }
      }
    if let (name, value) = named {
      request.parameters.append(PageRequest.Parameter(name: name, value: value))
    }
    if let sizeParameter, let size {
      request.parameters.append(PageRequest.Parameter(name: sizeParameter, value: String(size)))
    }
    return request
  }

  /// Returns the page that follows, where the parser does not know.
  ///
  /// - Parameters:
  ///   - page: The page that was loaded.
  ///   - itemCount: How many items it had.
  ///   - total: How many items the list has, where that is known.
  ///   - response: The answer.
  /// - Returns: The next page, or nil at the end of the list.
  public func next(
    after page: PageToken, itemCount: Int, total: Int?, in response: PageResponse
  ) -> PageToken? {
    if case .link = kind {
      return LinkHeader(response.headers).target(relation: "next").map { .link($0) }
    }
    guard itemCount > 0 else { return nil }
    let isShort = itemCount < (size ?? 0)
    switch kind {
    case .number(_, let first):
      // A token may have been written down and read: its number may be any. What overflows is
      // behind the end of every list.
      guard let next = page.number?.adding(1) else { return nil }
      if let total, let size {
        guard let loaded = next.subtracting(first)?.multiplied(by: size) else { return nil }
        return loaded < total ? .number(next) : nil
      }
      return isShort ? nil : .number(next)
    case .offset:
      guard let next = page.offset?.adding(itemCount) else { return nil }
      if let total { return next < total ? .offset(next) : nil }
      return isShort ? nil : .offset(next)
    case .whole, .cursor, .link:
      return nil
    }
  }

  /// Returns which page has the item behind so many others, where pages are counted and their size
  /// is known.
  func place(ofRank rank: Int) -> PagePlace<PageToken>? {
    guard let size, size > 0 else { return nil }
    let number = rank / size
    switch kind {
    case .number(_, let first):
      guard let page = first.adding(number) else { return nil }
      return PagePlace(page: .number(page), firstRank: number * size)
    case .offset:
      return PagePlace(page: .offset(number * size), firstRank: number * size)
    case .whole, .cursor, .link:
      return nil
    }
  }
}

extension Int {
  /// The sum; nil where it is too large.
  fileprivate func adding(_ other: Int) -> Int? {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? nil : sum
  }

  /// The difference; nil where it is too large.
  fileprivate func subtracting(_ other: Int) -> Int? {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? nil : difference
  }

  /// The product; nil where it is too large.
  fileprivate func multiplied(by other: Int) -> Int? {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? nil : product
  }
}
