/// A page loader that can tell which page holds an item by its position alone: a page number or an
/// offset can be worked out, a cursor cannot.
///
/// It is what a source with placeholders needs in order to load what the user scrolls to, and not
/// all that comes before.
public protocol RandomAccessPageLoader<Item, Page>: PageLoader {
  /// Returns the page with the item that has so many items before it.
  ///
  /// - Parameter rank: A position in the list, from zero.
  /// - Returns: The page, and where in the list its first item is.
  func place(ofRank rank: Int) -> PagePlace<Page>
}

/// A page and where in its list it begins.
public struct PagePlace<Page: Hashable & Sendable>: Hashable, Sendable {
  /// The page.
  public var page: Page
  /// How many items come before the page.
  public var firstRank: Int

  /// Creates a place.
  public init(page: Page, firstRank: Int) {
    self.page = page
    self.firstRank = firstRank
  }
}
