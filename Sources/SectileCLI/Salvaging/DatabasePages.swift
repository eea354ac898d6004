internal import Foundation
internal import Sectile

/// The pages of a damaged file as bytes, for leaves that no readable page leads to.
///
/// A page of a table's tree begins with its kind: 5 for one that leads on, 13 for a leaf with rows.
/// Numbers are big-endian.
struct DatabasePages {
  /// A leaf with rows.
  struct Leaf {
    /// The number of its page.
    let page: Int
    /// The row ids on it, from the first to the last.
    let rowIDs: ClosedRange<Int64>
    /// How many columns its longest record has.
    let columnCount: Int
    /// The columns that are NULL in a record, from zero.
    let nullColumns: Set<Int>
    /// The columns that are something else in a record.
    let filledColumns: Set<Int>
  }

  /// How many bytes of a page SQLite uses.
  let usableSize: Int
  /// How many bytes a page has.
  let pageSize: Int

  private let bytes: Data
  private let pageCount: Int
  private var isKnown: [Bool]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: Its path; SQLite must not have it open.
  ///   - roots: The first pages of all tables and indexes.
  /// - Throws: ``CommandFailure`` where its head makes no sense, or the list of free pages is
  ///   damaged, so that old pages cannot be told from others; what reading throws.
  init(path: String, roots: [Int]) throws {
    bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    guard bytes.count >= 512 else { throw Self.unusable("it is too short") }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65_536 : size
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else {
      throw Self.unusable("its head is damaged")
    }
    usableSize = pageSize - Int(bytes[20])
    pageCount = bytes.count / pageSize
    guard pageCount > 0 else { throw Self.unusable("it is too short") }
    isKnown = Array(repeating: false, count: pageCount + 1)
    try noteFreePages()
    for root in roots { noteTree(from: root) }
  }

  /// The leaves that nothing leads to, whose rows make sense.
  var strayLeaves: [Leaf] {
    guard pageCount > 1 else { return [] }
    // SQLite keeps its locks at this place, and no page there.
    let lockPage = 0x4000_0000 / pageSize + 1
    return (2...pageCount).compactMap { page in
      isKnown[page] || page == lockPage ? nil : leaf(at: page)
    }
  }

  /// Returns a page that leads to leaves with rows; nil for more than it has room for.
  ///
  /// - Parameter leaves: The leaves, in the order of their rows; at least one.
  /// - Returns: Its bytes; those of the leaf itself for a single one.
  func parent(of leaves: ArraySlice<Leaf>) -> [UInt8]? {
    guard let last = leaves.last else { return nil }
    if leaves.count == 1 { return Array(page(last.page)) }
    var head: [UInt8] = []
    var cells: [UInt8] = []
    for leaf in leaves.dropLast() {
      let cell = Self.bytes(of: leaf.page, count: 4) + Self.variable(leaf.rowIDs.upperBound)
      cells = cell + cells
      head += Self.bytes(of: usableSize - cells.count, count: 2)
    }
    let start = usableSize - cells.count
    head =
      [5, 0, 0] + Self.bytes(of: leaves.count - 1, count: 2) + Self.bytes(of: start, count: 2)
      + [0] + Self.bytes(of: last.page, count: 4) + head
    guard head.count <= start else { return nil }
    return head + Array(repeating: 0, count: start - head.count) + cells
      + Array(repeating: 0, count: pageSize - usableSize)
  }

  // MARK: - What is known

  private static func unusable(_ reason: String) -> CommandFailure {
    CommandFailure(.data, reason)
  }

  private mutating func noteFreePages() throws {
    let count = number(at: 36, of: 1, size: 4)
    var found = 0
    var trunk = number(at: 32, of: 1, size: 4)
    while trunk != 0 {
      guard mark(trunk) else { throw Self.unusable("its list of free pages is damaged") }
      let leafCount = number(at: 4, of: trunk, size: 4)
      guard leafCount <= usableSize / 4 - 2 else {
        throw Self.unusable("its list of free pages is damaged")
      }
      for place in 0..<leafCount {
        if mark(number(at: 8 + place * 4, of: trunk, size: 4)) { found += 1 }
      }
      found += 1
      trunk = number(at: 0, of: trunk, size: 4)
    }
    guard found == count else { throw Self.unusable("its list of free pages is damaged") }
  }

  /// Notes a page; false where there is none of the number, or it was noted already.
  private mutating func mark(_ page: Int) -> Bool {
    guard (1...pageCount).contains(page), !isKnown[page] else { return false }
    isKnown[page] = true
    return true
  }

  private mutating func noteTree(from root: Int) {
    var waiting = [root]
    while let page = waiting.popLast() {
      guard mark(page) else { continue }
      waiting += children(of: page) ?? []
    }
  }

  /// The pages that a page leads to; nil for a leaf, and for a page that makes no sense.
  private func children(of page: Int) -> [Int]? {
    let head = page == 1 ? 100 : 0
    let kind = number(at: head, of: page, size: 1)
    guard kind == 5 || kind == 2 else { return nil }
    let count = number(at: head + 3, of: page, size: 2)
    guard count <= usableSize / 6 else { return nil }
    var children = [number(at: head + 8, of: page, size: 4)]
    for place in 0..<count {
      let cell = number(at: head + 12 + place * 2, of: page, size: 2)
      guard cell >= head + 12 + count * 2, cell <= usableSize - 4 else { return nil }
      children.append(number(at: cell, of: page, size: 4))
    }
    return children.allSatisfy { (2...max(2, pageCount)).contains($0) } ? children : nil
  }

  // MARK: - Leaves

  private func leaf(at page: Int) -> Leaf? {
    guard number(at: 0, of: page, size: 1) == 13 else { return nil }
    let count = number(at: 3, of: page, size: 2)
    guard count > 0, count <= usableSize / 4 else { return nil }
    var (first, last): (Int64?, Int64?)
    var columnCount = 0
    var nullColumns: Set<Int> = []
    var filledColumns: Set<Int> = []
    for place in 0..<count {
      var offset = number(at: 8 + place * 2, of: page, size: 2)
      guard offset >= 8 + count * 2, offset <= usableSize - 4,
        let length = variable(at: &offset, of: page), length > 0,
        let rowID = variable(at: &offset, of: page), last.map({ $0 < rowID }) ?? true,
        let types = types(at: offset, of: page)
      else { return nil }
      first = first ?? rowID
      last = rowID
      columnCount = max(columnCount, types.count)
      for (column, type) in types.enumerated() {
        if type == 0 { nullColumns.insert(column) } else { filledColumns.insert(column) }
      }
    }
    guard let first, let last else { return nil }
    return Leaf(
      page: page, rowIDs: first...last, columnCount: columnCount, nullColumns: nullColumns,
      filledColumns: filledColumns)
  }

  /// The types of a record's values, as far as its head is on the page; nil for none that SQLite
  /// writes.
  private func types(at start: Int, of page: Int) -> [Int64]? {
    var offset = start
    guard let length = variable(at: &offset, of: page), length > 0, length < 1 << 20 else {
      return nil
    }
    let end = min(start + Int(length), usableSize)
    var types: [Int64] = []
    while offset < end {
      guard let type = variable(at: &offset, of: page), type >= 0, type != 10, type != 11 else {
        return nil
      }
      types.append(type)
    }
    return types
  }

  // MARK: - Numbers

  private func page(_ number: Int) -> Data {
    bytes[(number - 1) * pageSize..<number * pageSize]
  }

  private func number(at offset: Int, of page: Int, size: Int) -> Int {
    let start = (page - 1) * pageSize + offset
    guard offset >= 0, offset + size <= pageSize else { return 0 }
    return bytes[start..<start + size].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Reads a number of one to nine bytes, each but the last with its highest bit set.
  private func variable(at offset: inout Int, of page: Int) -> Int64? {
    var value: UInt64 = 0
    for position in 0..<9 {
      guard offset < usableSize else { return nil }
      let byte = UInt64(bytes[(page - 1) * pageSize + offset])
      offset += 1
      if position == 8 { return Int64(bitPattern: value << 8 | byte) }
      value = value << 7 | byte & 0x7F
      if byte & 0x80 == 0 { break }
    }
    return Int64(bitPattern: value)
  }

  private static func variable(_ number: Int64) -> [UInt8] {
    var rest = UInt64(bitPattern: number)
    if rest >> 56 != 0 {
      var result = [UInt8(truncatingIfNeeded: rest)]
      rest >>= 8
      for _ in 0..<8 {
        result.insert(UInt8(truncatingIfNeeded: rest & 0x7F) | 0x80, at: 0)
        rest >>= 7
      }
      return result
    }
    var result = [UInt8(rest & 0x7F)]
    rest >>= 7
    while rest != 0 {
      result.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return result
  }

  private static func bytes(of number: Int, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
