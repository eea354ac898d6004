/// One step of a changeset that is applied step by step.
///
/// Positions suppose that all earlier steps were applied. The change that a step carries is the one
/// of the changeset; its own paths are those of the whole, before and after.
public enum SequentialEdit<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// Insert an empty section.
  case insertSection(at: Int, SectionInsert)
  /// Take a section out with its rows, then insert it at `to`.
  case moveSection(from: Int, to: Int, SectionMove)
  /// Remove a row.
  case deleteRow(at: ItemPath, ItemDelete<ItemID>)
  /// Take a row out, then insert it at `to`; its item may be another.
  case moveRow(from: ItemPath, to: ItemPath, ItemMove<ItemID, Item>)
  /// Insert a row.
  case insertRow(at: ItemPath, ItemInsert<ItemID, Item>)
  /// Remove a section, which is empty by now.
  case deleteSection(at: Int, SectionDelete)
  /// Replace a row's item.
  case updateRow(at: ItemPath, ItemUpdate<ItemID, Item>)
  /// Replace a section's header.
  case updateSection(at: Int, SectionUpdate)
}

extension SequentialEdit: CustomStringConvertible {
  /// The step in the notation of a changeset's description.
  public var description: String {
    switch self {
    case .insertSection(let section, let change): "S+ \(section) (\(change.header.identity.label))"
    case .moveSection(let from, let to, let change):
      "S> \(from)→\(to) (\(change.header.identity.label))"
    case .deleteRow(let path, let change): "R- \(path) #\(IdentityText.text(of: change.id))"
    case .moveRow(let from, let to, let change):
      "R> \(from)→\(to) #\(IdentityText.text(of: change.id))\(change.isContentChanged ? "*" : "")"
    case .insertRow(let path, let change): "R+ \(path) #\(IdentityText.text(of: change.id))"
    case .deleteSection(let section, let change): "S- \(section) (\(change.header.identity.label))"
    case .updateRow(let path, let change): "R~ \(path) #\(IdentityText.text(of: change.id))"
    case .updateSection(let section, let change): "S~ \(section) (\(change.header.identity.label))"
    }
  }
}
