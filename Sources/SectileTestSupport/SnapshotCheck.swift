public import SectileCore

/// Checks that a snapshot agrees with itself: that counts add up, that paths, ranks, identities
/// and sections lead to each other, and that it says so where there is no item.
///
/// ```swift
/// #expect(checkSnapshot(source.snapshot) == [])
/// ```
///
/// - Parameter snapshot: The snapshot of any data source.
/// - Returns: What is wrong, one sentence each, at most the first twenty: nothing, if all is well.
public func checkSnapshot(_ snapshot: some DataSourceSnapshot) -> [String] {
  let check = SnapshotCheck(snapshot: snapshot)
  check.run()
  return check.violations
}

/// One run of ``checkSnapshot(_:)``.
private final class SnapshotCheck<Snapshot: DataSourceSnapshot> {
  private let snapshot: Snapshot
  private(set) var violations: [String] = []

  init(snapshot: Snapshot) {
    self.snapshot = snapshot
  }

  func run() {
    let sections = snapshot.sections
    let (listed, counted) = (sections.count, snapshot.numberOfSections)
    expect(listed == counted, "numberOfSections is \(counted), but sections has \(listed)")
    guard listed == counted else { return }
    let total = (0..<counted).reduce(0) { $0 + snapshot.numberOfItems(in: $1) }
    let items = snapshot.numberOfItems
    expect(items == total, "numberOfItems is \(items), but the sections have \(total)")
    guard items == total else { return }
    var rank = 0
    for (ordinal, header) in sections.enumerated() {
      let found = snapshot.section(withIdentity: header.identity)
      expect(
        found == ordinal,
        "section(withIdentity: \(header.identity)) is \(word(found)) instead of \(ordinal)")
      for offset in 0..<snapshot.numberOfItems(in: ordinal) {
        check(ItemPath(section: ordinal, item: offset), rank)
        rank += 1
      }
      let end = ItemPath(section: ordinal, item: snapshot.numberOfItems(in: ordinal))
      expect(
        snapshot.rank(of: end) == rank,
        "rank(of: \(end)), the end of a section, is \(snapshot.rank(of: end)) instead of \(rank)")
    }
    checkUnknownSection(sections)
    for violation in PathsOfNothing(in: snapshot).violations(of: snapshot) {
      expect(false, violation)
    }
  }

  private func check(_ path: ItemPath, _ rank: Int) {
    let id = snapshot.id(at: path)
    let found = snapshot.path(of: id)
    expect(found == path, "path(of: \(id)) is \(word(found)) instead of \(path)")
    expect(
      snapshot.rank(of: path) == rank,
      "rank(of: \(path)) is \(snapshot.rank(of: path)) instead of \(rank)")
    expect(
      snapshot.path(atRank: rank) == path,
      "path(atRank: \(rank)) is \(snapshot.path(atRank: rank)) instead of \(path)")
  }

  private func checkUnknownSection(_ sections: SectionList) {
    let unknown = StoredValue.text("a section that no source has")
    guard !sections.contains(where: { $0.identity == unknown }) else { return }
    let found = snapshot.section(withIdentity: unknown)
    expect(found == nil, "an identity that no section has is said to be section \(word(found))")
  }

  private func word<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "nil" }

  private func expect(_ isRight: Bool, _ sentence: @autoclosure () -> String) {
    if !isRight, violations.count < 20 { violations.append(sentence()) }
  }
}
