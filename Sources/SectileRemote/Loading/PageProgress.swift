internal import SectileCore

/// How far a list was loaded.
package struct PageProgress<Page: Hashable & Sendable>: Sendable {
  /// The page to load next; nil at the end of the list.
  package private(set) var next: Page?
  /// How many pages with items were loaded.
  private(set) var pageCount = 0
  /// How many pages in a row were without items, lately.
  private(set) var emptyPages = 0
  /// How many items the list has, as the server last said.
  package private(set) var total: Int?
  /// All pages that were loaded, with their numbers from 1 on.
  private var visited: [IdentityKey<Page>: Int] = [:]

  package init(firstPage: Page) {
    next = firstPage
  }

  /// Whether any page was loaded.
  var hasStarted: Bool { !visited.isEmpty }

  /// Takes note of a page.
  ///
  /// - Returns: What is wrong with where the page leads: the next page is then still the same.
  package mutating func advance(
    past page: Page, nextPage: Page?, isEmpty: Bool, total: Int?, _ limits: RemoteConfiguration
  ) -> RemoteError? {
    if let total { self.total = total }
    let number = visited[IdentityKey(page)] ?? visited.count + 1
    if let nextPage,
      let former = IdentityKey(nextPage) == IdentityKey(page)
        ? number : visited[IdentityKey(nextPage)]
    {
      // Not the tokens themselves: they may hold secrets.
      return RemoteError(
        code: .tokenLoop,
        message: "Page \(number) of the list names page \(former) as its next, loaded before.",
        hint: "The service leads in a circle; report it, or end the list in the parser.")
    }
    if isEmpty, nextPage != nil, emptyPages >= limits.emptyPageLimit {
      return RemoteError(
        code: .tooManyEmptyPages,
        message: "More than \(limits.emptyPageLimit) pages in a row have no items.",
        hint: "Raise emptyPageLimit if that is right, or end the list in the parser.")
    }
    if nextPage != nil, visited.count + 1 >= limits.pageCountLimit {
      return RemoteError(
        code: .tooManyPages,
        message: "The list has more than \(limits.pageCountLimit) pages.",
        hint: "Raise pageCountLimit, or ask for larger pages.")
    }
    visited[IdentityKey(page)] = number
    next = nextPage
    emptyPages = isEmpty ? emptyPages + 1 : 0
    pageCount += isEmpty ? 0 : 1
    return nil
  }
}
