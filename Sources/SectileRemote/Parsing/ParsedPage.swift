/// What a ``PageParser`` makes of one answer: items, and what the answer says of the list.
///
/// ```swift
/// ParsedPage(items: songs, next: .page(.cursor("b2Zmc2V0")), total: 120)
/// ```
public struct ParsedPage<Item: Sendable, Page: Hashable & Sendable>: Sendable {
  /// What an answer says of the page that follows.
  public enum Next: Hashable, Sendable {
    /// Nothing: the ``PageStyle`` of the service says which page follows.
    case unknown
    /// Which one it is. The page that was asked for is none: it counts as ``unknown``.
    case page(Page)
    /// That there is none.
    case end
  }

  /// The page's items, in the order of the list.
  public var items: [Item]
  /// What the answer says of the page that follows.
  public var next: Next
  /// How many items the whole list has, where the answer says so.
  public var total: Int?
  /// The elements of the answer that are no items and were left out; their places in the page
  /// count.
  public var skipped: SkippedElements

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - items: The page's items, in the order of the list.
  ///   - next: What the answer says of the page that follows.
  ///   - total: How many items the whole list has, where the answer says so.
  ///   - skipped: The elements that were left out.
  public init(
    items: [Item], next: Next = .unknown, total: Int? = nil, skipped: SkippedElements = .none
  ) {
    self.items = items
    self.next = next
    self.total = total
    self.skipped = skipped
  }
}

extension ParsedPage: Equatable where Item: Equatable {}
