/// All trees of a file, each with its pages: those that its first page leads to, and those that
/// only a damaged page led to.
///
/// Such a page belongs to a tree that lacks something, whose rows look the same, and which has none
/// of its row ids elsewhere. If the file is in auto-vacuum mode, it says itself who led to a page.
/// A page that several trees could have belongs to none.
struct TreeSearch {
  /// The trees.
  let trees: [StoredTree]
  /// What is left of each.
  private(set) var found: [StoredParts]
  /// Leaves with row ids that belong to no tree.
  private(set) var unowned: [Int] = []

  private let file: PageFile
  private let claims: PageClaims

  /// Looks through a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - trees: Its trees.
  ///   - isStopped: Whether nobody waits for it any more; what was not looked at is damaged then.
  init(
    _ file: PageFile, trees: [StoredTree], isStopped: @escaping () -> Bool = { false }
  ) {
    self.file = file
    self.trees = trees
    let claims = PageClaims(pageCount: file.pageCount, isStopped: isStopped)
    self.claims = claims
    found = trees.indices.map { tree in
      TreeWalk(trees[tree], in: file) { claims.claim($0, for: tree, isBounded: $1) }.found
    }
    settle()
    let lacking = trees.indices.filter { found[$0].hasHoles }
    if lacking.contains(where: { !trees[$0].isIndex }) { findStrays(of: lacking) }
  }

  /// Returns what is left of a table; nil for one that is not in the file.
  func parts(of table: String) -> (tree: StoredTree, parts: StoredParts)? {
    let place = trees.indices.first { !trees[$0].isIndex && trees[$0].name == table }
    return place.map { (trees[$0], found[$0]) }
  }

  // MARK: - Pages that two trees lead to

  /// Takes each page that two trees lead to away from the one that it does not belong to.
  private mutating func settle() {
    var lost: [Int: Set<Int>] = [:]
    for contest in claims.contests {
      guard let page = file.treePage(contest.page) else { continue }
      let rivals = [contest.first, contest.second]
      let winner = owner(of: page, among: rivals, contest)
      for rival in rivals where rival != winner { lost[rival, default: []].insert(contest.page) }
      if winner == nil, page.kind == .tableLeaf { unowned.append(contest.page) }
    }
    for (tree, pages) in lost {
      found[tree].isWhole = false
      found[tree].parts = found[tree].parts.map { (part) -> StoredParts.Part in
        switch part {
        case .leaf(let leaf) where pages.contains(leaf.page):
          return .hole(above: leaf.above, upTo: leaf.upTo)
        case .row(let page, _) where pages.contains(page): return .hole(above: nil, upTo: nil)
        default: return part
        }
      }
    }
  }

  private func owner(
    of page: TreePage, among rivals: [Int], _ contest: PageClaims.Contest
  ) -> Int? {
    if let owner = ownerByPointers(of: page.number), rivals.contains(owner) { return owner }
    if !page.kind.isInner || !page.kind.hasRowIDs {
      let fitting = rivals.filter { fits(page, trees[$0]) }
      if fitting.count == 1 { return fitting[0] }
    }
    // What lies between two row ids is no accident.
    if contest.isFirstBounded != contest.isSecondBounded {
      return contest.isFirstBounded ? contest.first : contest.second
    }
    return nil
  }

  private func ownerByPointers(of number: Int) -> Int? {
    var page = number
    for _ in 0..<20 {
      switch file.pointer(of: page) {
      case .root: return trees.firstIndex { $0.root == page }
      case .below(let parent): page = parent
      case .free, nil: return nil
      }
    }
    return nil
  }

  private func fits(_ page: TreePage, _ tree: StoredTree) -> Bool {
    guard page.kind.hasRowIDs == tree.hasRowIDs, let shape = tree.shape else { return false }
    return (0..<page.cellCount).allSatisfy { position in
      guard let payload = page.cell(at: position)?.payload,
        let head = RecordHead(page.bytes, in: payload.local, length: payload.length)
      else { return true }
      return head.isComplete
        ? shape.fits(head.types) : head.types.count <= shape.columns.count
    }
  }

  // MARK: - Pages that no tree leads to

  private mutating func findStrays(of lacking: [Int]) {
    let free = file.freePages()
    var strays: [Int: [StoredLeaf]] = [:]
    let taken = Dictionary(
      uniqueKeysWithValues: lacking.map { tree in
        (tree, found[tree].leavesByRowID.leaves.compactMap(\.rowIDs))
      })
    for number in 1...file.pageCount
    where !claims.isClaimed(number) && !free.isFree[number] && file.mayBeOfTree(number) {
      if claims.isStopped() { return }
      guard let page = file.treePage(number), let leaf = Self.stray(page) else { continue }
      let pointer = file.pointer(of: number)
      if pointer == .free { continue }
      var owners = lacking.filter {
        fits(page, trees[$0]) && !Self.overlaps(leaf.rowIDs, taken[$0] ?? [])
      }
      if let owner = ownerByPointers(of: number) {
        owners = owners.filter { $0 == owner }
      } else if !free.isWhole {
        // It may be an old page, with rows that were deleted.
        owners = []
      } else if owners.count > 1 {
        owners = owners.filter { hasHole(for: leaf.rowIDs, $0) }
      }
      if owners.count == 1 {
        strays[owners[0], default: []].append(leaf)
      } else if page.kind == .tableLeaf {
        unowned.append(number)
      }
    }
    for (tree, leaves) in strays where !trees[tree].isIndex { add(leaves, to: tree) }
  }

  private mutating func add(_ leaves: [StoredLeaf], to tree: Int) {
    guard trees[tree].hasRowIDs else {
      found[tree].parts += leaves.map(StoredParts.Part.leaf)
      return
    }
    var end: Int64?
    let sorted = leaves.sorted {
      ($0.rowIDs?.lowerBound ?? .min) < ($1.rowIDs?.lowerBound ?? .min)
    }
    // Of two with the same row ids one is an old one.
    var isClear = sorted.map { _ in true }
    for (place, leaf) in sorted.enumerated() {
      guard let rowIDs = leaf.rowIDs else { continue }
      if place > 0, let end, rowIDs.lowerBound <= end {
        isClear[place] = false
        isClear[place - 1] = false
      }
      end = max(end ?? .min, rowIDs.upperBound)
    }
    for (leaf, isClear) in zip(sorted, isClear) {
      if isClear { found[tree].parts.append(.leaf(leaf)) } else { unowned.append(leaf.page) }
    }
  }

  /// Returns a page as a leaf that nothing leads to; nil where not all of it makes sense.
  private static func stray(_ page: TreePage) -> StoredLeaf? {
    guard page.cellCount > 0, page.kind != .innerTable, page.isFilled else { return nil }
    let keys = TreeWalk.keys(of: page, isStrict: true)
    guard !TreeWalk.ascending(keys).contains(false), let first = keys.first ?? nil,
      let last = keys.last ?? nil
    else { return nil }
    return StoredLeaf(
      page: page.number, rowIDs: page.kind.hasRowIDs ? first...last : nil, isStray: true)
  }

  private static func overlaps(_ range: ClosedRange<Int64>?, _ others: [ClosedRange<Int64>])
    -> Bool
  {
    guard let range else { return false }
    var (low, high) = (0, others.count)
    while low < high {
      let middle = (low + high) / 2
      if others[middle].upperBound < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < others.count && others[low].lowerBound <= range.upperBound
  }

  /// How many holes of a tree are asked whether a page may come from them.
  private static let askedHoles = 1000

  private func hasHole(for range: ClosedRange<Int64>?, _ tree: Int) -> Bool {
    guard let range else { return false }
    let holes = found[tree].parts.lazy.filter { if case .hole = $0 { true } else { false } }
    return holes.prefix(Self.askedHoles).contains { part in
      guard case .hole(let above, let upTo) = part else { return false }
      return TreeWalk.lies(range.lowerBound, above: above, upTo: upTo)
        && TreeWalk.lies(range.upperBound, above: above, upTo: upTo)
    }
  }
}

/// Which tree each page was found in.
final class PageClaims {
  /// A page that two trees lead to.
  struct Contest {
    /// Its number.
    let page: Int
    /// The tree that came first, and whether the page lies between two of its row ids.
    let first: Int
    let isFirstBounded: Bool
    /// The other tree.
    let second: Int
    let isSecondBounded: Bool
  }

  /// The pages that two trees lead to.
  private(set) var contests: [Contest] = []
  /// Whether nobody waits any more.
  let isStopped: () -> Bool

  // For each page the number of its tree, from one; negative where two row ids led to it.
  private var owners: [Int32]
  private var contested: Set<Int> = []

  /// Creates an empty list.
  init(pageCount: Int, isStopped: @escaping () -> Bool) {
    self.isStopped = isStopped
    owners = Array(repeating: 0, count: pageCount + 1)
  }

  /// Notes that a tree leads to a page; false where it did so before, and where two others do, and
  /// for all pages when nobody waits any more.
  func claim(_ page: Int, for tree: Int, isBounded: Bool) -> Bool {
    if isStopped() { return false }
    let mark = Int32(tree + 1)
    let known = owners[page]
    if known == 0 {
      owners[page] = isBounded ? -mark : mark
      return true
    }
    guard abs(known) != mark, contested.insert(page).inserted else { return false }
    contests.append(
      Contest(
        page: page, first: Int(abs(known)) - 1, isFirstBounded: known < 0, second: tree,
        isSecondBounded: isBounded))
    return true
  }

  /// Returns whether a tree leads to a page.
  func isClaimed(_ page: Int) -> Bool { owners[page] != 0 }
}
