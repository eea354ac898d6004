internal import SectileCore
internal import Synchronization

/// One version of an array source's contents, with the paths of its items, found when first asked
/// for.
final class ArraySnapshot<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  let contents: SectionedContents<Item.ID, Item>
  private let paths = Mutex<[Item.ID: ItemPath]?>(nil)

  init(_ contents: SectionedContents<Item.ID, Item>) {
    self.contents = contents
  }

  func path(of id: Item.ID) -> ItemPath? {
    if let known = paths.withLock({ $0 }) { return known[id] }
    var found: [Item.ID: ItemPath] = [:]
    found.reserveCapacity(contents.count)
    for (section, rows) in contents.sections.enumerated() {
      for (item, row) in rows.rows.enumerated() {
        found[row.id] = ItemPath(section: section, item: item)
      }
    }
    let paths = found
    self.paths.withLock { $0 = paths }
    return paths[id]
  }
}
