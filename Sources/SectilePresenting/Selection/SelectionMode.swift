/// How many items may be selected at a time.
///
/// Below the minimum nothing is deselected; beyond the maximum the oldest selection goes. A minimum
/// does not select anything by itself: a selection begins empty.
///
/// ```swift
/// Selection(of: songs, mode: .single)
/// Selection(of: toppings, mode: .range(1...3))
/// ```
public struct SelectionMode: Hashable, Sendable {
  /// With so many items, or fewer, selected, nothing is deselected.
  public let minimum: Int
  /// With so many items selected, the oldest goes when another is selected; nil is no limit.
  public let maximum: Int?

  private init(minimum: Int, maximum: Int?) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Nothing can be selected.
  public static let none = SelectionMode(minimum: 0, maximum: 0)
  /// One item at most; selecting another deselects it.
  public static let single = SelectionMode(minimum: 0, maximum: 1)
  /// Any number of items.
  public static let multiple = SelectionMode(minimum: 0, maximum: nil)

  /// At least the lower bound, once as many are selected, and at most the upper one.
  ///
  /// - Precondition: No bound is negative.
  public static func range(_ limits: ClosedRange<Int>) -> SelectionMode {
    precondition(limits.lowerBound >= 0, "the minimum \(limits.lowerBound) is negative")
    return SelectionMode(minimum: limits.lowerBound, maximum: limits.upperBound)
  }

  /// At least the lower bound, once as many are selected.
  ///
  /// - Precondition: The bound is not negative.
  public static func range(_ limits: PartialRangeFrom<Int>) -> SelectionMode {
    precondition(limits.lowerBound >= 0, "the minimum \(limits.lowerBound) is negative")
    return SelectionMode(minimum: limits.lowerBound, maximum: nil)
  }
}
