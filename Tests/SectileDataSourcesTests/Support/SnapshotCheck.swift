import SectileCore

/// Checks that a snapshot's answers agree with each other.
enum SnapshotCheck {
  static func violations<ItemID, Item>(
    of snapshot: some DataSourceSnapshot<ItemID, Item>
  ) -> [String] {
    var found: [String] = []
    var rank = 0
    for section in 0..<snapshot.numberOfSections {
      let header = snapshot.sections[section]
      if snapshot.section(withIdentity: header.identity) != section {
        found.append("section \(section) is not found by its identity")
      }
      for item in 0..<snapshot.numberOfItems(in: section) {
        let path = ItemPath(section: section, item: item)
        if snapshot.path(atRank: rank) != path { found.append("rank \(rank) is not \(path)") }
        if snapshot.rank(of: path) != rank { found.append("\(path) is not rank \(rank)") }
        let id = snapshot.id(at: path)
        if snapshot.path(of: id) != path { found.append("\(id) is not found at \(path)") }
        rank += 1
      }
    }
    if snapshot.numberOfItems != rank {
      found.append("there are \(rank) items, not \(snapshot.numberOfItems)")
    }
    return found
  }
}
