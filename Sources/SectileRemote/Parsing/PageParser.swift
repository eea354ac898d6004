/// Makes items of what a server answered, apart from how the answer was fetched.
///
/// It says of the page that follows what the answer says, and leaves the rest to the ``PageStyle``
/// of the service.
///
/// ```swift
/// struct Lines: PageParser {
///   func parse(_ response: PageResponse, of page: PageToken) -> ParsedPage<Substring, PageToken> {
///     let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
///     guard let next = response.headers["X-Next"] else {
///       return ParsedPage(items: lines, next: .end)
///     }
///     return ParsedPage(items: lines, next: .page(.cursor(next)))
///   }
/// }
/// ```
///
/// A parser sees answers with a status of success only; the others are errors before that.
public protocol PageParser<Item, Page>: Sendable {
  /// What the list consists of.
  associatedtype Item: Sendable
  /// What says which page is meant.
  associatedtype Page: Hashable & Sendable

  /// Parses one page.
  ///
  /// - Parameters:
  ///   - response: The whole answer: status, header fields and body.
  ///   - page: The page that was asked for.
  /// - Returns: The page's items, in the order of the list, the page that follows and the number of
  ///   items of the whole list, where the answer says so.
  /// - Throws: ``RemoteError`` with `malformedBody` where the body is not in the expected format at
  ///   all, and with `unexpectedShape` where it is but means something else. Any other error is
  ///   delivered as the cause of one with `parserFailed`.
  func parse(_ response: PageResponse, of page: Page) throws -> ParsedPage<Item, Page>
}
