internal import Sectile

/// The transactions that the demo commits.
///
/// Which rows they touch depends on the data alone.
enum DemoStep: CaseIterable {
  case upgrade, remove, install, changeSection, moveOut, renameSection, changeNothing, rollBack

  /// A transaction and what it is called.
  struct Action {
    let title: String
    let body: (StoreTransaction) throws -> Void
  }

  /// What the last step throws so that its transaction is rolled back.
  struct RolledBack: Error {}

  private typealias Results = SectionedResults<InstalledPackage>

  private static let guestSection = "sectile-demo"
  private static let guest = InstalledPackage(
    name: "sectile-demo", architecture: "all", version: "1.0", section: guestSection,
    installedSize: 1024, priority: "optional", maintainer: "The Sectile authors")

  /// Returns what the step does to the present contents; nil where they have no rows for it.
  func action(on results: SectionedResults<InstalledPackage>) throws -> Action? {
    switch self {
    case .upgrade: try Self.upgrade(results)
    case .remove: try Self.remove(results)
    case .install: Self.install()
    case .changeSection: try Self.changeSection(results)
    case .moveOut: try Self.moveOut(results)
    case .renameSection: Self.renameSection(results)
    case .changeNothing: Self.changeNothing()
    case .rollBack: Self.rollBack()
    }
  }

  private static func upgrade(_ results: Results) throws -> Action? {
    guard let section = largestSection(of: results) else { return nil }
    let package = try results.item(at: ItemPath(section: section, item: 0))
    var newer = package
    newer.version += "+demo1"
    newer.installedSize = (package.installedSize ?? 0) + 64
    let target = newer
    return Action(title: "Upgrade \(package.id) to \(target.version)") { try $0.update(target) }
  }

  private static func remove(_ results: Results) throws -> Action? {
    guard let section = largestSection(of: results) else { return nil }
    let last = results.numberOfItems(in: section) - 1
    let package = try results.item(at: ItemPath(section: section, item: last))
    return Action(title: "Remove \(package.id)") { try $0.delete(package) }
  }

  private static func install() -> Action {
    Action(title: "Install \(guest.id), the first package of section \(guestSection)") {
      try $0.save(guest)
    }
  }

  private static func changeSection(_ results: Results) throws -> Action? {
    guard let section = largestSection(of: results) else { return nil }
    let package = try results.item(at: ItemPath(section: section, item: 0))
    let target = package.section == "oldlibs" ? "libs" : "oldlibs"
    return Action(title: "Move \(package.id) to section \(target)") { transaction in
      var moved = package
      moved.section = target
      try transaction.update(moved)
    }
  }

  private static func moveOut(_ results: Results) throws -> Action? {
    guard results.path(of: guest.id) != nil, let section = largestSection(of: results),
      case .text(let name) = results.sections[section].identity
    else { return nil }
    return Action(title: "Move \(guest.id) to section \(name); its old one is then empty") {
      var moved = guest
      moved.section = name
      try $0.update(moved)
    }
  }

  private static func renameSection(_ results: Results) -> Action? {
    // The smallest section of more than one row shows best what a renaming means for each of them.
    let candidates = results.sections.indices.filter { results.numberOfItems(in: $0) > 1 }
    guard let section = candidates.min(by: { count(results, $0) < count(results, $1) }),
      case .text(let name) = results.sections[section].identity
    else { return nil }
    return Action(title: "Rename section \(name) to \(name)-renamed, in one statement") {
      try $0.execute(
        "UPDATE package SET section = ? WHERE section = ?",
        values: [.text("\(name)-renamed"), .text(name)])
    }
  }

  private static func changeNothing() -> Action {
    Action(title: "Write every row as it is: UPDATE package SET version = version") {
      try $0.execute("UPDATE package SET version = version")
    }
  }

  private static func rollBack() -> Action {
    Action(title: "Delete every row, then throw an error") { transaction in
      try transaction.execute("DELETE FROM package")
      throw RolledBack()
    }
  }

  private static func largestSection(of results: Results) -> Int? {
    // Of equally large ones the first.
    results.sections.indices.max { (count(results, $0), -$0) < (count(results, $1), -$1) }
  }

  private static func count(_ results: Results, _ section: Int) -> Int {
    results.numberOfItems(in: section)
  }
}
