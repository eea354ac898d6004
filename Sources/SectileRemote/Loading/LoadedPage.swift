/// One page of a list: its items, and which page follows.
///
/// ```swift
/// let page = LoadedPage(items: songs, nextPage: PageToken.cursor("b2Zmc2V0"), total: 120)
/// ```
public struct LoadedPage<Item: Sendable, Page: Hashable & Sendable>: Sendable {
  /// The page's items, in the order of the list.
  public var items: [Item]
  /// The page that follows; nil at the end of the list.
  ///
  /// A page without items may have a next page: the list then goes on there.
  public var nextPage: Page?
  /// How many items the whole list has, where the server says so.
  public var total: Int?

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - items: The page's items, in the order of the list.
  ///   - nextPage: The page that follows; nil at the end of the list.
  ///   - total: How many items the whole list has, where that is known.
  public init(items: [Item], nextPage: Page?, total: Int? = nil) {
    self.items = items
    self.nextPage = nextPage
    self.total = total
  }
}

extension LoadedPage: Equatable where Item: Equatable {}
