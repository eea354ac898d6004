internal import SectileCore

/// An item of a list, or the place where one will be.
///
/// ```swift
/// switch row {
/// case .placeholder(let rank): draw("… \(rank)")
/// case .item(let song): draw(song.title)
/// }
/// ```
///
/// What identifies a placeholder is its rank, what identifies an item its own `id`. So an item that
/// takes the place of a placeholder is, in a changeset, a delete and an insert at the same path;
/// and an item that is found at another place later moves there.
public enum RemoteListRow<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// The item with so many before it is not loaded.
  case placeholder(rank: Int)
  /// A loaded item.
  case item(Item)

  /// The item, where it is loaded.
  public var item: Item? {
    if case .item(let item) = self { item } else { nil }
  }

  /// Whether the item is not loaded.
  public var isPlaceholder: Bool { item == nil }
}

extension RemoteListRow: Identifiable {
  /// What identifies the row.
  public var id: RemoteListRowID<Item.ID> {
    switch self {
    case .placeholder(let rank): .placeholder(rank: rank)
    case .item(let item): .item(item.id)
    }
  }
}

extension RemoteListRow: Equatable where Item: Equatable {}
extension RemoteListRow: Hashable where Item: Hashable {}

/// What identifies a ``RemoteListRow``: a placeholder its rank, an item its own `id`.
public enum RemoteListRowID<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The place of an item that is not loaded.
  case placeholder(rank: Int)
  /// An item's own `id`.
  case item(ID)

  /// Returns whether two identities are those of one placeholder, or of one item.
  ///
  /// Texts are compared by their UTF-8 bytes, whatever Swift finds equal.
  public static func == (left: RemoteListRowID, right: RemoteListRowID) -> Bool {
    switch (left, right) {
    case (.placeholder(let left), .placeholder(let right)): left == right
    case (.item(let left), .item(let right)): IdentityKey(left) == IdentityKey(right)
    default: false
    }
  }

  /// Feeds the identity to a hasher.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .placeholder(let rank):
      hasher.combine(0)
      hasher.combine(rank)
    case .item(let id):
      hasher.combine(1)
      hasher.combine(IdentityKey(id))
    }
  }
}

extension RemoteListRowID: ByteIdentity {}
