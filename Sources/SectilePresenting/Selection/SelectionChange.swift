internal import SectileCore

/// What one step changed about a selection.
public struct SelectionChange<ItemID: Hashable & Sendable>: Sendable, Equatable {
  /// Why a selection changed.
  public enum Cause: Hashable, Sendable {
    /// Somebody selected or deselected items.
    ///
    /// Selections that went because a mode's maximum was reached are among them.
    case caller
    /// The source does not contain the items any more.
    ///
    /// Those that one commit took from one place of a composition to another are selected there,
    /// under the identity that they have there.
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

  /// Returns whether two changes say the same of the same items, for the same reason.
  ///
  /// Texts in identities are compared by their UTF-8 bytes, whatever Swift finds equal.
  public static func == (left: SelectionChange, right: SelectionChange) -> Bool {
    left.cause == right.cause && haveSameItems(left.selected, right.selected)
      && haveSameItems(left.deselected, right.deselected)
  }

  private static func haveSameItems(_ left: [ItemID], _ right: [ItemID]) -> Bool {
    left.elementsEqual(right) { IdentityKey($0) == IdentityKey($1) }
  }
}
