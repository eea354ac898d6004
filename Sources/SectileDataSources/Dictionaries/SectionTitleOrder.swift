/// The order in which sections stand that are known by their titles.
public struct SectionTitleOrder: Sendable {
  let precedes: @Sendable (String, String) -> Bool

  private init(_ precedes: @escaping @Sendable (String, String) -> Bool) {
    self.precedes = precedes
  }

  /// By title, character by character.
  public static let byTitle = SectionTitleOrder { $0 < $1 }

  /// By title, backwards.
  public static let byTitleDescending = SectionTitleOrder { $0 > $1 }

  /// As the titles stand in a list; sections that are not in it follow, by title.
  public static func listed(_ titles: some Sequence<String>) -> SectionTitleOrder {
    let places = Dictionary(titles.enumerated().map { ($0.element, $0.offset) }) { first, _ in
      first
    }
    return SectionTitleOrder { left, right in
      switch (places[left], places[right]) {
      case (let left?, let right?): left < right
      case (nil, nil): left < right
      case (let place, _): place != nil
      }
    }
  }

  /// As a closure says.
  ///
  /// - Parameter precedes: Returns whether a section with the one title stands before the section
  ///   with the other; a strict total order, which never changes.
  /// - Returns: The order.
  public static func custom(
    _ precedes: @escaping @Sendable (String, String) -> Bool
  ) -> SectionTitleOrder {
    SectionTitleOrder(precedes)
  }
}
