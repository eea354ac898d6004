import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// The small structures of tracking: key map, cache, versions, the choice of the cheaper way.
@Suite(.timeLimit(.minutes(60))) struct TrackingValueTests {
  @Test func keyMapHandsOutHandlesOnce() {
    var map = RowKeyMap()
    var model: [RowKey: Int32] = [:]
    var random = SeededRandom(seed: 3)
    for step in 0..<5000 {
      let key = RowKey([.integer(Int64.random(in: 0...40, using: &random))])
      if Bool.random(using: &random) {
        let (handle, isNew) = map.insert(key)
        #expect(isNew == (model[key] == nil), "step \(step)")
        #expect(model[key] == nil || model[key] == handle)
        #expect(!isNew || !model.values.contains(handle))
        model[key] = handle
      } else if let handle = model.removeValue(forKey: key) {
        map.remove(handle)
      }
      #expect(map.count == model.count)
      #expect(map.capacity <= 41)
    }
    let copy = map
    for (key, handle) in model { map.remove(handle); #expect(copy.handle(of: key) == handle) }
    for (key, handle) in model { #expect(copy.key(of: handle) == key) }
  }

  @Test func wholeNumbersAreOneKeyInBothForms() {
    #expect(RowKey([.real(1)]) == RowKey([.integer(1)]))
    #expect(RowKey([.real(1.5)]) != RowKey([.integer(1)]))
    #expect(RowKey([.text("1")]) != RowKey([.integer(1)]))
    #expect(RowKey([.text("\u{E9}")]) != RowKey([.text("e\u{301}")]))
    #expect(RowKey([.null]).hasNull && !RowKey([.integer(0)]).hasNull)
  }

  @Test func cacheForgetsWhatWasNotAskedForLately() {
    let cache = ItemCache<Int>(limit: 10)
    for key in 0..<1000 as Range<Int64> {
      cache.insert(Int(key), for: .integer(key))
      #expect(cache.item(.integer(key)) == Int(key))
      #expect(cache.item(.integer(0)) == 0)
    }
    let kept = (0..<1000 as Range<Int64>).filter { cache.item(.integer($0)) != nil }
    #expect(kept.count <= 11)
    cache.insert(-1, for: .integer(0))
    #expect(cache.item(.integer(0)) == -1)
    cache.remove(.integer(0))
    #expect(cache.item(.integer(0)) == nil)
  }

  /// What is replaced must not come back from the older generation.
  @Test func cacheNeverAnswersWithAnOlderItem() {
    let cache = ItemCache<Int>(limit: 4)
    var model: [Int64: Int] = [:]
    var random = SeededRandom(seed: 11)
    for step in 0..<5000 {
      let key = Int64.random(in: 0...6, using: &random)
      switch Int.random(in: 0...3, using: &random) {
      case 0:
        cache.insert(step, for: .integer(key))
        model[key] = step
      case 1:
        cache.remove(.integer(key))
        model[key] = nil
      default:
        if let item = cache.item(.integer(key)) { #expect(item == model[key]) }
      }
    }
  }

  @Test func cacheHandsOverWhatItForgets() {
    let cache = ItemCache<Int>(limit: 8)
    for round in 0..<10 {
      for key in Int64(0)..<5 where cache.item(.integer(key)) == nil {
        cache.insert(round, for: .integer(key))
      }
      #expect(cache.takeForgotten().count <= 12)
      #expect(cache.takeForgotten().isEmpty)
    }
    cache.insert(-1, for: .integer(1))
    cache.removeAll()
    #expect(cache.takeForgotten().contains(-1))
    #expect(cache.isEmpty)
  }

  @Test func oldRowsAreFoundAlongTheLinks() {
    let nodes = (0..<4).map { _ in VersionNode() }
    func preImages(_ rows: KeyValuePairs<Int64, Int64>) -> PreImages {
      let preImages = PreImages(columns: ["a", "b"])
      for (key, value) in rows {
        preImages.note(.integer(key)) { $0 == 0 ? .integer(value) : .null }
      }
      preImages.noteAbsent(.integer(9))
      return preImages
    }
    func value(_ key: Int64, at node: VersionNode) -> Int64? {
      guard case (.image(let offset), let preImages)? = node.entry(of: .integer(key)) else {
        return nil
      }
      return preImages.withImage(at: offset) { columns in
        if case .integer(let value) = columns[0], columns[1].isNull { value } else { nil }
      }
    }
    nodes[0].connect(to: nodes[1], before: preImages([1: 10]))
    nodes[1].connect(to: nodes[2], before: preImages([1: 11, 2: 20]))
    #expect(value(1, at: nodes[0]) == 10)
    #expect(value(2, at: nodes[0]) == 20)
    #expect(nodes[2].entry(of: .integer(1)) == nil)
    if case (.absent, _)? = nodes[0].entry(of: .integer(9)) {
    } else {
      Issue.record("row 9 was there")
    }
    nodes[2].connect(to: nodes[3], before: .unknown)
    if case (.lost, _)? = nodes[0].entry(of: .integer(3)) {} else { Issue.record("row 3 is known") }
    nodes[1].disconnect()
    #expect(value(2, at: nodes[0]) == nil)
  }

  /// Commits, some rolled back, some unknown, some dropped for room, and rows of old versions in
  /// between.
  @Test(arguments: 0..<8)
  func oldRowsAreFoundAfterManyCommits(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var nodes = [VersionNode()]
    var touched: [[Int64: Int64]] = []
    var values: [Int64: Int64] = [:]
    // Versions of which some are asked early, and all again and again.
    var isDropped: Set<Int> = []
    func expected(_ key: Int64, since version: Int) -> String {
      for commit in version..<touched.count {
        if isDropped.contains(commit) { return "lost" }
        if let value = touched[commit][key] { return value == 0 ? "absent" : "\(value)" }
      }
      return "untouched"
    }
    func found(_ key: Int64, since version: Int) -> String {
      switch nodes[version].entry(of: .integer(key), columns: ["a"]) {
      case nil, (.untouched, _)?: "untouched"
      case (.absent, _)?: "absent"
      case (.lost, _)?, (.partial, _)?: "lost"
      case (.image(let offset), let preImages)?:
        preImages.withImage(at: offset) {
          if case .integer(let value) = $0[0] { "\(value)" } else { "?" }
        }
      }
    }
    for round in 0..<400 {
      var rows: [Int64: Int64] = [:]
      let preImages = PreImages(columns: ["a"])
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        let key = Int64(Int.random(in: 0..<60, using: &random))
        guard rows[key] == nil else { continue }
        rows[key] = values[key] ?? 0
        if let value = values[key] {
          preImages.note(.integer(key)) { _ in .integer(value) }
        } else {
          preImages.noteAbsent(.integer(key))
        }
      }
      let next = VersionNode()
      nodes[nodes.count - 1].connect(to: next, before: preImages)
      // A reader follows the link too early.
      let early = Int.random(in: 0..<nodes.count, using: &random)
      _ = nodes[early].entry(of: .integer(Int64(Int.random(in: 0..<60, using: &random))))
      if Int.random(in: 0..<5, using: &random) == 0 {
        nodes[nodes.count - 1].disconnect()
        continue
      }
      nodes.append(next)
      touched.append(rows)
      for key in rows.keys { values[key] = Int64(round + 1) }
      if Int.random(in: 0..<60, using: &random) == 0 {
        let start = Int.random(in: 0..<nodes.count, using: &random)
        let end = min(nodes.count - 1, start + 2)
        nodes[start].dropImages(before: nodes[end])
        isDropped.formUnion(start..<max(start, end))
      }
      let version = Int.random(in: 0..<nodes.count, using: &random)
      for key in 0..<Int64(60) {
        let (expected, found) = (expected(key, since: version), found(key, since: version))
        // More may be known than what the links still say: the row was not among those of the
        // commit.
        if expected != found { #expect(expected == "lost") }
      }
    }
  }

  @Test func oldestImagesOfManySmallCommitsAreDroppedForRoom() {
    let value = UnsafeMutableRawBufferPointer.allocate(byteCount: 100_000, alignment: 1)
    value.initializeMemory(as: UInt8.self, repeating: 0x61)
    defer { value.deallocate() }
    let commits = Int64(ImageBudget.byteLimit / value.count + 50)
    var budget = ImageBudget()
    var nodes = [VersionNode()]
    for commit in 0..<commits {
      let preImages = PreImages(columns: ["a"])
      preImages.note(.integer(commit)) { _ in .text(UnsafeRawBufferPointer(value)) }
      let next = VersionNode()
      nodes[nodes.count - 1].connect(to: next, before: preImages)
      budget.add(preImages.byteCount, since: nodes[nodes.count - 1])
      nodes.append(next)
    }
    // As many as are too many are gone, and no more than what lies between two marks besides.
    var lost = 0
    for (commit, node) in nodes.dropLast().enumerated() {
      switch node.entry(of: .integer(Int64(commit))) {
      case (.lost, _)?: lost += 1
      case (.image, _)?: break
      default: Issue.record("row \(commit) was not touched")
      }
    }
    #expect((45...70).contains(lost), "\(lost) of \(commits)")
    if case (.image, _)? = nodes[Int(commits) - 1].entry(of: .integer(commits - 1)) {
    } else {
      Issue.record("the newest row is lost")
    }
  }

  @Test func imagesKeepEveryKindOfValue() {
    let preImages = PreImages(columns: ["a", "b", "c", "d", "e"])
    let text = Array("a\0b".utf8)
    preImages.note(.integer(1)) { column in
      switch column {
      case 0: .null
      case 1: .integer(.min)
      case 2: .real(-0.5)
      case 3: text.withUnsafeBytes { .text($0) }
      default: .blob(UnsafeRawBufferPointer(start: nil, count: 0))
      }
    }
    preImages.note(.integer(1)) { _ in .integer(0) }
    preImages.note(.integer(2)) { $0 == 3 ? nil : .integer(0) }
    #expect(preImages.count == 2)
    if case .partial = preImages.entry(of: .integer(2), at: [4, 3]) {
    } else {
      Issue.record("the fourth column of row 2 is known")
    }
    if case .image = preImages.entry(of: .integer(2), at: [4, 2]) {
    } else {
      Issue.record("row 2 is lost")
    }
    if case .untouched = preImages.entry(of: .integer(3), at: [0]) {
    } else {
      Issue.record("row 3 was touched")
    }
    guard case .image(let offset) = preImages.entry(of: .integer(1), at: [0, 1, 2, 3, 4]) else {
      Issue.record("row 1 is not known")
      return
    }
    preImages.withImage(at: offset) { columns in
      #expect(columns[0].isNull)
      #expect(columns[1].isIdentical(to: .integer(.min)))
      #expect(columns[2].isIdentical(to: .real(-0.5)))
      text.withUnsafeBytes { #expect(columns[3].isIdentical(to: .text($0))) }
      #expect(columns[4].isIdentical(to: .blob(UnsafeRawBufferPointer(start: nil, count: 0))))
    }
  }

  @Test func columnsHoldWhatTheyHold() {
    let values: [StoredValue] = [
      .null, 1, 2, 1.0, -0.0, 0.0, "", "a", "A", "\u{e9}", "e\u{301}", .blob([]), .blob([97]),
    ]
    for (position, value) in values.enumerated() {
      for (other, candidate) in values.enumerated() {
        #expect(withColumn(value) { $0.holds(candidate) } == (position == other))
      }
    }
  }

  private func withColumn(_ value: StoredValue, _ body: (RawColumn) -> Bool) -> Bool {
    switch value {
    case .null: body(.null)
    case .integer(let integer): body(.integer(integer))
    case .real(let real): body(.real(real))
    case .text(let text): Array(text.utf8).withUnsafeBytes { body(.text($0)) }
    case .blob(let bytes): bytes.withUnsafeBytes { body(.blob($0)) }
    }
  }

  @Test func smallCommitsAreWorkedOutRowByRow() {
    guard !InternalChecks.isOn else { return }
    #expect(!MaintenanceCost.prefersRebuild(touched: 48, of: 0))
    #expect(MaintenanceCost.prefersRebuild(touched: 49, of: 0))
    #expect(!MaintenanceCost.prefersRebuild(touched: 5000, of: 100_000))
    #expect(MaintenanceCost.prefersRebuild(touched: 5001, of: 100_000))
  }
}
