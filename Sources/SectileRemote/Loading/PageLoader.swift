/// Loads a list page by page: a page value goes in, items and the next page value come out.
///
/// The page value is the loader's own: a number, an offset, a cursor that the server handed out, a
/// link. Whoever drives the loader hands back what it was given and looks into none of it; it only
/// compares page values, to notice a server that leads in a circle.
///
/// ```swift
/// struct Numbers: PageLoader {
///   let firstPage = 0
///   func loadPage(_ page: Int) async throws -> LoadedPage<Int, Int> {
///     let start = page * 10
///     return LoadedPage(items: Array(start..<start + 10), nextPage: page < 9 ? page + 1 : nil)
///   }
/// }
/// ```
///
/// A loader makes one attempt per call and does not wait, retry or limit the time: who drives it
/// does. It should answer cancellation of its task soon, but nobody depends on it.
public protocol PageLoader<Item, Page>: Sendable {
  /// What the list consists of.
  associatedtype Item: Sendable
  /// What says which page is meant.
  associatedtype Page: Hashable & Sendable

  /// The page the list begins with.
  var firstPage: Page { get }

  /// Loads one page.
  ///
  /// - Parameter page: ``firstPage``, or what an earlier page gave as its next.
  /// - Returns: The page's items, and which page follows.
  /// - Throws: ``RemoteError`` where the loader knows what went wrong, or an error of its own.
  func loadPage(_ page: Page) async throws -> LoadedPage<Item, Page>
}
