/// Follows one tree from its first page, and notes what is whole.
///
/// A page counts as one of the tree if its kind is right and its row ids lie between those that led
/// to it. What a damaged page leads to is a hole here; ``TreeSearch`` looks for it elsewhere.
struct TreeWalk {
  /// How deep SQLite's trees are at most.
  private static let depthLimit = 20

  /// What was found.
  private(set) var found = StoredParts()

  private let file: PageFile
  private let tree: StoredTree
  private let claim: (_ page: Int, _ isBounded: Bool) -> Bool

  /// Follows a tree.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - file: The file.
  ///   - claim: Hears each page of the tree, and whether it lies between two row ids; false where
  ///     it was heard before.
  init(
    _ tree: StoredTree, in file: PageFile, claim: @escaping (_ page: Int, _ isBounded: Bool) -> Bool
  ) {
    self.tree = tree
    self.file = file
    self.claim = claim
    visit(tree.root, above: nil, upTo: nil, depth: 0)
  }

  private mutating func noteHole(_ above: Int64?, _ upTo: Int64?) {
    found.isWhole = false
    found.parts.append(.hole(above: above, upTo: upTo))
  }

  private mutating func visit(_ number: Int, above: Int64?, upTo: Int64?, depth: Int) {
    guard depth < Self.depthLimit, number > 1 || depth == 0, let page = file.treePage(number),
      page.kind.hasRowIDs == tree.hasRowIDs
    else { return noteHole(above, upTo) }
    if !page.kind.isInner {
      visitLeaf(page, above: above, upTo: upTo)
    } else if tree.hasRowIDs {
      visitInner(page, above: above, upTo: upTo, depth: depth)
    } else {
      visitInnerOfIndex(page, depth: depth)
    }
  }

  private mutating func visitInner(_ page: TreePage, above: Int64?, upTo: Int64?, depth: Int) {
    guard claim(page.number, above != nil && upTo != nil) else { return noteHole(above, upTo) }
    let cells = (0..<page.cellCount).map { page.cell(at: $0) }
    let keys = cells.map { (cell) -> Int64? in
      guard let id = cell?.rowID, Self.lies(id, above: above, upTo: upTo) else { return nil }
      return id
    }
    let isKept = Self.ascending(keys)
    if isKept.contains(false) { found.isWhole = false }
    // For each cell the next key that makes sense.
    var ends: [Int64?] = []
    var end = upTo
    for (key, isKept) in zip(keys, isKept).reversed() {
      if isKept { end = key }
      ends.append(end)
    }
    ends.reverse()
    var start = above
    for (position, cell) in cells.enumerated() {
      if let child = cell?.child {
        visit(child, above: start, upTo: ends[position], depth: depth + 1)
      } else {
        noteHole(start, ends[position])
      }
      if isKept[position] { start = keys[position] }
    }
    visit(page.rightChild ?? 0, above: start, upTo: upTo, depth: depth + 1)
    // It may have had more cells.
    if !page.isFilled { noteHole(above, upTo) }
  }

  private mutating func visitInnerOfIndex(_ page: TreePage, depth: Int) {
    guard claim(page.number, false) else { return noteHole(nil, nil) }
    for position in 0..<page.cellCount {
      guard let cell = page.cell(at: position), let child = cell.child,
        let payload = cell.payload,
        RecordHead(page.bytes, in: payload.local, length: payload.length) != nil
      else {
        noteHole(nil, nil)
        continue
      }
      visit(child, above: nil, upTo: nil, depth: depth + 1)
      if tree.isIndex { continue }
      if !file.hasRest(of: payload) { found.isWhole = false }
      found.parts.append(.row(page: page.number, position: position))
    }
    visit(page.rightChild ?? 0, above: nil, upTo: nil, depth: depth + 1)
    if !page.isFilled { noteHole(nil, nil) }
  }

  private mutating func visitLeaf(_ page: TreePage, above: Int64?, upTo: Int64?) {
    if page.cellCount == 0 {
      // Only a tree without rows has a leaf without some.
      guard page.number == tree.root, page.isFilled, claim(page.number, false) else {
        return noteHole(above, upTo)
      }
      return
    }
    let keys = Self.keys(of: page)
    let isKept = Self.ascending(keys)
    let isSound = !isKept.contains(false) && page.isFilled
    let inside = zip(keys, isKept).compactMap { (key, isKept) -> Int64? in
      guard isKept, let key, Self.lies(key, above: above, upTo: upTo) else { return nil }
      return key
    }
    // A page that is sound, but has other rows than it should, is another one.
    guard let first = inside.first, let last = inside.last,
      !isSound || inside.count == page.cellCount,
      claim(page.number, above != nil && upTo != nil)
    else { return noteHole(above, upTo) }
    if !isSound { found.isWhole = false }
    if found.isWhole && !tree.isIndex { found.isWhole = hasRests(page) }
    found.parts.append(
      .leaf(
        StoredLeaf(
          page: page.number, above: above, upTo: upTo,
          rowIDs: tree.hasRowIDs ? first...last : nil, isDamaged: !isSound)))
  }

  private func hasRests(_ page: TreePage) -> Bool {
    (0..<page.cellCount).allSatisfy { position in
      page.cell(at: position)?.payload.map { $0.rest == 0 || file.hasRest(of: $0) } ?? false
    }
  }

  // MARK: - Keys

  /// Reads what orders the cells of a page: their row ids, or their positions.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - isStrict: Whether the length of each record must be right to the byte.
  /// - Returns: The key of each cell; nil for one that makes no sense.
  static func keys(of page: TreePage, isStrict: Bool = false) -> [Int64?] {
    (0..<page.cellCount).map { (position) -> Int64? in
      guard let cell = page.cell(at: position), let payload = cell.payload,
        let head = RecordHead(page.bytes, in: payload.local, length: payload.length),
        !isStrict || head.isExact || !head.isComplete
      else { return nil }
      return page.kind.hasRowIDs ? cell.rowID : Int64(position)
    }
  }

  /// Returns whether a row id lies where it should.
  static func lies(_ id: Int64, above: Int64?, upTo: Int64?) -> Bool {
    (above.map { id > $0 } ?? true) && (upTo.map { id <= $0 } ?? true)
  }

  /// Returns for each key whether it is kept: one that is greater than the next is wrong, and so
  /// are those that are not greater than the last.
  static func ascending(_ keys: [Int64?]) -> [Bool] {
    var isKept = keys.map { _ in false }
    let known = keys.indices.filter { keys[$0] != nil }
    var last: Int64?
    for (place, position) in known.enumerated() {
      guard let key = keys[position], last.map({ key > $0 }) ?? true else { continue }
      if place + 1 < known.count, let next = keys[known[place + 1]], next <= key,
        last.map({ next > $0 }) ?? true
      {
        continue
      }
      isKept[position] = true
      last = key
    }
    return isKept
  }
}
