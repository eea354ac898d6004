internal import SectileCore

/// Paths at which a snapshot has no item: what a client may send, or what was there in another
/// version.
struct PathsOfNothing {
  let paths: [ItemPath]
  /// Ordinals that no section has.
  let sections: [Int]

  init(in snapshot: some DataSourceSnapshot) {
    let count = snapshot.numberOfSections
    let sections = [.min, -1, count, count + 1, .max]
    var paths = sections.flatMap { section in
      [.min, -1, 0, 1, .max].map { ItemPath(section: section, item: $0) }
    }
    for section in Set([0, count / 2, count - 1]) where section >= 0 && section < count {
      let end = snapshot.numberOfItems(in: section)
      paths += [.min, -1, end, end + 1, .max].map { ItemPath(section: section, item: $0) }
    }
    self.paths = paths
    self.sections = sections
  }

  /// Returns what is wrong with how a snapshot answers.
  func violations(of snapshot: some DataSourceSnapshot) -> [String] {
    var violations: [String] = []
    for section in sections where snapshot.numberOfItems(in: section) != 0 {
      violations.append(
        "numberOfItems(in: \(section)) is \(snapshot.numberOfItems(in: section)), but there is no "
          + "such section")
    }
    for path in paths {
      if snapshot.contains(path) { violations.append("it contains \(path), where no item is") }
      violations += Self.problem(at: path) { try snapshot.item(at: path) }
    }
    return violations
  }

  /// Returns what is wrong with how a source answers.
  func violations(of source: some DataSource) -> [String] {
    paths.flatMap { path in
      // Asked for what it does to the process.
      _ = source.origin(at: path)
      return Self.problem(at: path) { try source.item(at: path) }
    }
  }

  private static func problem<Item>(at path: ItemPath, _ item: () throws -> Item) -> [String] {
    do {
      return ["item(at: \(path)) is \(try item()), but there is no item"]
    } catch let error as DataSourceError where error.code == .noSuchPath {
      return []
    } catch {
      return ["item(at: \(path)) throws “\(error)” instead of an error with the code noSuchPath"]
    }
  }
}
