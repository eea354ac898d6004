/// Makes items of what a server answered, apart from how the answer was fetched.
///
/// The page is an in-out value: on entry the page that was asked for, on return the page that
/// follows, or nil at the end of the list. A parser that leaves it as it is leaves it to the
/// ``PageStyle`` of the service which page follows.
///
/// ```swift
/// struct Lines: PageParser {
///   func parse(
///     _ response: PageResponse, page: inout PageToken?, total: inout Int?
///   ) throws -> [Substring] {
///     page = response.headers["X-Next"].map { .cursor($0) }
///     return String(decoding: response.body, as: UTF8.self).split(separator: "\n")
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
  ///   - page: The page that was asked for; on return the one that follows, nil at the end.
  ///   - total: Nil; on return how many items the whole list has, where the answer says so.
  /// - Returns: The page's items, in the order of the list.
  /// - Throws: ``RemoteError`` with `malformedBody` where the body is not in the expected format at
  ///   all, and with `unexpectedShape` where it is but means something else. Any other error is
  ///   delivered as the cause of one with `parserFailed`.
  func parse(_ response: PageResponse, page: inout Page?, total: inout Int?) throws -> [Item]
}
