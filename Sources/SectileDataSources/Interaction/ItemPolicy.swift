public import SectileCore

/// A source that says what each of its items allows.
///
/// A source that adopts it and implements nothing allows everything. Of a source that does not adopt
/// it, nothing can be edited and nothing moves. Paths are those of the source itself: whoever asks a
/// composition is led to the source that the item comes from, by ``SectileCore/DataSource/canEdit(at:)``
/// and its siblings.
///
/// ```swift
/// extension Playlist: ItemPolicy {
///   func canEditItem(at path: ItemPath) -> Bool { path.section > 0 }   // the first is fixed
/// }
/// list.editingKind(at: path)  // .delete, wherever the playlist's rows stand in the list
/// ```
///
/// The paths belong to the source's current version. It may have changed since they were looked up:
/// a policy answers for a path that does not exist any more as it likes, and does not trap.
public protocol ItemPolicy: DataSource {
  /// Returns whether an item can be edited; true unless implemented.
  func canEditItem(at path: ItemPath) -> Bool

  /// Returns whether an item can move to another place; unless implemented, whether it can be edited.
  func canMoveItem(at path: ItemPath) -> Bool

  /// Returns what editing an item offers; deleting unless implemented.
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
  /// Returns true.
  public func canEditItem(at path: ItemPath) -> Bool { true }

  /// Returns whether the item can be edited.
  public func canMoveItem(at path: ItemPath) -> Bool { canEditItem(at: path) }

  /// Returns that it can be deleted.
  public func editingKindOfItem(at path: ItemPath) -> EditingKind { .delete }

  /// Returns the proposal.
  public func targetOfMove(from source: ItemPath, proposal: ItemPath) -> ItemPath { proposal }
}
