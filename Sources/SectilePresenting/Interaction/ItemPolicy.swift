public import SectileCore

/// A source that says what each of its items allows.
///
/// Every source allows what it can do: items can be edited in one that is
/// ``/Sectile/ItemRemoving``, ``/Sectile/ItemInserting`` or ``/Sectile/ItemReplacing``, and move in
/// one that is ``/Sectile/ItemMoving``. A source that allows less says so by
/// ``/Sectile/ItemEditing/allows(_:at:)``; one that offers something else, or has moved items land
/// elsewhere, adopts this protocol and implements where it differs. Paths are those of the source
/// itself: whoever asks a composition, by ``SectileCore/DataSource/canEdit(at:)`` and its siblings,
/// is led to the source that the item comes from.
///
/// ```swift
/// extension Playlist: ItemPolicy {
///   func canEditItem(at path: ItemPath) -> Bool { path.section > 0 }   // the first is fixed
/// }
/// list.editingKind(at: path)  // .delete, wherever the playlist's rows stand in the list
/// ```
///
/// The source may have changed since a path was looked up: a policy answers for a path that does
/// not exist any more as it likes, and does not trap.
public protocol ItemPolicy: DataSource {
  /// Returns whether an item can be edited; unless implemented, whether the source can remove,
  /// insert or replace items.
  func canEditItem(at path: ItemPath) -> Bool

  /// Returns whether an item can move to another place; unless implemented, whether the source can
  /// move items.
  func canMoveItem(at path: ItemPath) -> Bool

  /// Returns what editing an item offers; unless implemented, deleting where the source can remove
  /// items, else inserting where it can do that.
  ///
  /// Asked only for an item that can be edited.
  func editingKindOfItem(at path: ItemPath) -> EditingKind

  /// Returns where an item lands that somebody wants to move; where it was proposed unless
  /// implemented.
  ///
  /// Asked only for an item that can move.
  ///
  /// - Parameters:
  ///   - source: Where the item is.
  ///   - proposal: Where it is to be once it was taken out.
  /// - Returns: Where it lands; `source` for nowhere else.
  func targetOfMove(from source: ItemPath, proposal: ItemPath) -> ItemPath
}

extension ItemPolicy {
  /// Returns whether the source can remove, insert or replace items.
  public func canEditItem(at path: ItemPath) -> Bool { DefaultPolicy(of: self, at: path).canEdit }

  /// Returns whether the source can move items.
  public func canMoveItem(at path: ItemPath) -> Bool { DefaultPolicy(of: self, at: path).canMove }

  /// Returns what the source can do.
  public func editingKindOfItem(at path: ItemPath) -> EditingKind {
    DefaultPolicy(of: self, at: path).editingKind
  }

  /// Returns the proposal.
  public func targetOfMove(from source: ItemPath, proposal: ItemPath) -> ItemPath { proposal }
}
