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
  /// Where in the page elements were left out that are no items: their places, from zero,
  /// ascending, ``items`` being at the others.
  public var skippedOffsets: [Int]

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - items: The page's items, in the order of the list.
  ///   - nextPage: The page that follows; nil at the end of the list.
  ///   - total: How many items the whole list has, where that is known.
  ///   - skippedOffsets: Where in the page elements were left out.
  public init(
    items: [Item], nextPage: Page?, total: Int? = nil, skippedOffsets: [Int] = []
  ) {
    self.items = items
    self.nextPage = nextPage
    self.total = total
    self.skippedOffsets = skippedOffsets
  }

  /// How many places the page has in its list: those of items, and those that were left out.
  var placeCount: Int { items.count + skippedOffsets.count }

  /// The items with their ranks in the list.
  ///
  /// - Parameter firstRank: How many items come before the page.
  /// - Returns: The items, ascending by rank.
  func ranked(from firstRank: Int) -> [(rank: Int, item: Item)] {
    var ranked: [(rank: Int, item: Item)] = []
    ranked.reserveCapacity(items.count)
    var skipped = skippedOffsets[...]
    var place = 0
    for item in items {
      while let offset = skipped.first, offset <= place {
        skipped.removeFirst()
        if offset == place { place += 1 }
      }
      ranked.append((firstRank + place, item))
      place += 1
    }
    return ranked
  }
}

extension LoadedPage: Equatable where Item: Equatable {}
