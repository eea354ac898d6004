import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct ArrayDataSourceEditingTests {
  typealias Food = ArrayDataSourceTests.Food
  typealias Source = ArrayDataSourceTests.Source
  typealias Recorder = ArrayDataSourceTests.Recorder

  static func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  // MARK: - Batches

  @Test func batchIsOneChangesetInOneLifecycle() throws {
    let lines = try ArrayDataSourceTests.lines("a: v w x y | b: z") {
      try $0.batch { edit in
        try edit.remove(at: Self.path(0, 0))
        try edit.move(from: Self.path(0, 2), to: Self.path(0, 0))
        try edit.replace(at: Self.path(0, 1), with: Food(id: "w", kind: "a", grade: 2))
        try edit.append(contentsOf: [Food(id: "n", kind: "b"), Food(id: "m", kind: "c")])
      }
    }
    #expect(
      lines == [
        "insert section c", "delete a/0", "insert b/1", "insert c/0", "move a/3 → a/0",
        "update a/1",
      ])
  }

  @Test func batchReadsWhatItChanged() throws {
    let source = ArrayDataSourceTests.source("a: x y")
    try source.batch { edit in
      try edit.insert(Food(id: "w", kind: "a"), at: Self.path(0, 1))
      #expect(edit.numberOfItems == 3)
      #expect(edit.numberOfSections == 1)
      #expect(edit.numberOfItems(in: 0) == 3)
      #expect(try edit.item(at: Self.path(0, 1)).id == "w")
      #expect(edit.path(of: "y") == Self.path(0, 2))
      try edit.replace(with: [Food(id: "q", kind: "a")])
    }
    source.load()
    #expect(try ArrayDataSourceTests.draw(source) == "a: q")
  }

  @Test func batchThatThrowsChangesNothing() throws {
    struct Refusal: Error {}
    let lines = try ArrayDataSourceTests.lines("a: x y") { source in
      #expect(throws: Refusal.self) {
        try source.batch { edit in
          try edit.remove(at: Self.path(0, 0))
          throw Refusal()
        }
      }
      #expect(throws: DataSourceError.self) {
        try source.append(contentsOf: [Food(id: "z", kind: "a"), Food(id: "x", kind: "a")])
      }
    }
    #expect(lines == [])
  }

  @Test func batchWithoutANetEffectDeliversNothing() throws {
    let lines = try ArrayDataSourceTests.lines("a: x | b: y") {
      try $0.batch { edit in
        let item = try edit.remove(at: Self.path(0, 0))
        try edit.insert(item, at: Self.path(0, 0))
        try edit.append(Food(id: "z", kind: "c"))
        try edit.remove(at: Self.path(2, 0))
      }
    }
    #expect(lines == [])
  }

  // MARK: - Sections by a closure

  @Test func sectionFollowsItsFirstItem() throws {
    let lines = try ArrayDataSourceTests.lines("a: x | b: y") {
      try $0.insert(Food(id: "z", kind: "b"), at: Self.path(0, 0))
    }
    #expect(lines == ["move section b 1 → 0", "insert b/0"])
  }

  @Test func replacingAnItemMayChangeItsSection() throws {
    let lines = try ArrayDataSourceTests.lines("a: x y | b: z") {
      try $0.replace(at: Self.path(0, 1), with: Food(id: "y", kind: "b"))
    }
    #expect(lines == ["move a/1 → b/0 *"])
  }

  @Test func replacingByAnotherIdentityDeletesAndInserts() throws {
    let lines = try ArrayDataSourceTests.lines("a: x y") { source in
      try source.replace(at: Self.path(0, 1), with: Food(id: "z", kind: "a"))
      let error = #expect(throws: DataSourceError.self) {
        try source.replace(at: Self.path(0, 1), with: Food(id: "x", kind: "a"))
      }
      #expect(error?.code == .duplicateIdentity)
    }
    #expect(lines == ["delete a/1", "insert a/1"])
  }

  @Test func movingToAPlaceThatDoesNotExistIsRefused() {
    let source = ArrayDataSourceTests.source("a: x y | b: z")
    source.load()
    for target in [Self.path(0, 2), Self.path(1, 2), Self.path(2, 0), Self.path(0, -1)] {
      let error = #expect(throws: DataSourceError.self) {
        try source.move(from: Self.path(0, 0), to: target)
      }
      #expect(error?.code == .noSuchPath)
    }
    #expect(source.version == 1)
  }

  // MARK: - Against a model

  /// What a source with or without sections shows of an array.
  static func expected(_ items: [Food], isSectioned: Bool) -> [[Food]] {
    guard isSectioned else { return items.isEmpty ? [] : [items] }
    var order: [String] = []
    for item in items where !order.contains(item.kind) { order.append(item.kind) }
    return order.map { kind in items.filter { $0.kind == kind } }
  }

  /// Makes one change of an array and says how to make it of a source.
  static func change(
    _ items: inout [Food], isSectioned: Bool, _ next: inout Int, _ random: inout SeededRandom
  ) -> (inout ArrayEdit<Food>) throws -> Void {
    let shown = expected(items, isSectioned: isSectioned)
    let kind = ["a", "b", "c"].randomElement(using: &random) ?? "a"
    let item = Food(id: "\(next)", kind: kind, grade: Int.random(in: 0..<3, using: &random))
    guard let old = items.randomElement(using: &random), random.chance(0.7) else {
      next += 1
      guard let before = items.randomElement(using: &random), random.chance(0.6) else {
        items.append(item)
        return { try $0.append(item) }
      }
      let path = path(of: before, in: shown)
      items.insert(item, at: items.firstIndex(of: before) ?? 0)
      return { try $0.insert(item, at: path) }
    }
    let position = items.firstIndex(of: old) ?? 0
    let source = path(of: old, in: shown)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      items.remove(at: position)
      return { try $0.remove(at: source) }
    case 1:
      let new = Food(id: old.id, kind: random.chance(0.7) ? old.kind : kind, grade: item.grade)
      items[position] = new
      return { try $0.replace(at: source, with: new) }
    default:
      // Before another item, wherever that is.
      guard let other = items.filter({ $0.id != old.id }).randomElement(using: &random) else {
        return { _ in }
      }
      var target = path(of: other, in: shown)
      if target.section == source.section, target.item > source.item {
        // The place of the other, once the item is taken out; the item goes behind that place.
        target.item -= 1
        guard target != source else { return { _ in } }
      }
      items.remove(at: position)
      items.insert(old, at: items.firstIndex(of: other) ?? 0)
      return { try $0.move(from: source, to: target) }
    }
  }

  static func path(of item: Food, in sections: [[Food]]) -> ItemPath {
    for (section, items) in sections.enumerated() {
      if let offset = items.firstIndex(of: item) { return path(section, offset) }
    }
    return path(-1, -1)
  }

  @Test(arguments: [true, false])
  func randomEditsShowWhatTheModelSays(_ isSectioned: Bool) throws {
    for seed in 0..<500 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let source =
        isSectioned ? ArrayDataSourceTests.source("") : Source(name: "food", items: [])
      let recorder = Recorder()
      source.delegate = recorder
      source.load()
      var items: [Food] = []
      var next = 0
      for _ in 0..<12 {
        let version = source.version
        try source.batch { edit in
          for _ in 0..<Int.random(in: 1...4, using: &random) {
            try Self.change(&items, isSectioned: isSectioned, &next, &random)(&edit)
          }
        }
        #expect(source.version - version <= 1, "\(random)")
        let shown = source.snapshot.contents.sections.map { $0.rows.map(\.item) }
        try #require(
          shown == Self.expected(items, isSectioned: isSectioned), "\(random)")
      }
      #expect(checkSnapshot(source.snapshot) == [], "\(random)")
      try recorder.check(against: source)
    }
  }

  @Test func snapshotsKeepWhatTheyShowWhileTheSourceChanges() throws {
    let source = Source(name: "food", items: (0..<300).map { Food(id: "\($0)") })
    source.load()
    var kept: [(snapshot: Source.Snapshot, ids: [String])] = []
    var random = SeededRandom(seed: 1)
    for number in 0..<200 {
      let ids = source.snapshot.contents.sections.flatMap { $0.rows.map(\.id) }
      kept.append((source.snapshot, ids))
      let offset = Int.random(in: 0..<source.numberOfItems, using: &random)
      if random.chance(0.5) {
        try source.remove(at: Self.path(0, offset))
      } else {
        try source.insert(Food(id: "new \(number)"), at: Self.path(0, offset))
      }
    }
    for (snapshot, ids) in kept {
      #expect(snapshot.contents.sections.flatMap { $0.rows.map(\.id) } == ids)
    }
    #expect(kept.map(\.snapshot.version) == Array(1...200))
  }
}
