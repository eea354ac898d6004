public import SectileCore

/// A move of an item inside the source that it comes from.
///
/// ```swift
/// if let move = list.relocation(from: path, to: proposal) {
///   try playlist.move(from: move.from, to: move.to)
/// }
/// ```
public struct ItemRelocation: Sendable {
  /// The source that holds the item, below all compositions.
  public let source: any DataSource
  /// Where the item is in that source.
  public let from: ItemPath
  /// Where it is to be in that source once it was taken out.
  public let to: ItemPath
  /// Whether that is where it was proposed, rather than where the source would have it.
  public let isAsProposed: Bool
}
