/// What one step changed about a selection.
public struct SelectionChange<ItemID: Hashable & Sendable>: Sendable, Equatable {
  /// Why a selection changed.
  public enum Cause: Hashable, Sendable {
    /// Somebody selected or deselected items.
    ///
    /// Selections that went because a mode's maximum was reached are among them.
    case caller
    /// The source does not contain the items any more.
    case itemsGone
  }

  /// The items that are selected now and were not, in the order of their selection.
  public let selected: [ItemID]
  /// The items that were selected and are not any more, in the order of their selection.
  public let deselected: [ItemID]
  /// Why.
  public let cause: Cause

  /// Creates a change.
  public init(selected: [ItemID] = [], deselected: [ItemID] = [], cause: Cause = .caller) {
    self.selected = selected
    self.deselected = deselected
    self.cause = cause
  }

  /// Whether nothing changed.
  ///
  /// Selections never deliver such a change.
  public var isEmpty: Bool { selected.isEmpty && deselected.isEmpty }
}
