/// A page of a table's or an index's tree.
///
/// ```
/// kind  free  count  start  fragments  right child   cells' offsets …   unused   … cells
///   1    2      2      2        1      4, if inner       2 each
/// ```
///
/// Nothing that it says is trusted: what would leave the page is nil.
struct TreePage {
  /// What a page is, by its first byte.
  enum Kind: UInt8 {
    case innerIndex = 2
    case innerTable = 5
    case indexLeaf = 10
    case tableLeaf = 13

    /// Whether it leads to others.
    var isInner: Bool { self == .innerIndex || self == .innerTable }
    /// Whether its tree is ordered by row ids.
    var hasRowIDs: Bool { self == .innerTable || self == .tableLeaf }
  }

  /// A record, or where it is.
  struct Payload {
    /// How many bytes the record has.
    let length: Int
    /// Those on the page.
    let local: Range<Int>
    /// The first page with the rest; 0 where there is none.
    let rest: Int
  }

  /// A row, or what leads to some.
  struct Cell {
    /// Where it begins.
    let offset: Int
    /// How many bytes of the page it takes.
    let size: Int
    /// The page that it leads to.
    let child: Int?
    /// Its row id, or the last one below it.
    let rowID: Int64?
    /// Its record.
    let payload: Payload?
  }

  /// The number of the page.
  let number: Int
  /// What it is.
  let kind: Kind
  /// How many cells it says it has.
  let cellCount: Int
  /// The page behind all cells.
  let rightChild: Int?
  /// Its bytes.
  let bytes: [UInt8]

  private let usableSize: Int
  private let head: Int
  private var offsets: Int { head + (kind.isInner ? 12 : 8) }
  private var cellsStart: Int { offsets + 2 * cellCount }

  /// Reads a page; nil where it cannot be one of a tree.
  ///
  /// - Parameters:
  ///   - bytes: Its bytes.
  ///   - number: Its number.
  ///   - usableSize: How many of its bytes SQLite uses, 480 at least.
  init?(_ bytes: [UInt8], number: Int, usableSize: Int) {
    let head = number == 1 ? 100 : 0
    guard usableSize >= 480, usableSize <= bytes.count, let kind = Kind(rawValue: bytes[head]),
      let count = FileNumber.fixed(bytes, at: head + 3, size: 2)
    else { return nil }
    self.number = number
    self.kind = kind
    self.bytes = bytes
    self.usableSize = usableSize
    self.head = head
    cellCount = count
    rightChild = kind.isInner ? FileNumber.fixed(bytes, at: head + 8, size: 4) : nil
    guard cellsStart <= usableSize else { return nil }
  }

  /// Reads a cell.
  ///
  /// - Parameter position: Its position, from zero up to ``cellCount``.
  /// - Returns: The cell; nil where it makes no sense.
  func cell(at position: Int) -> Cell? {
    guard let offset = FileNumber.fixed(bytes, at: offsets + 2 * position, size: 2),
      offset >= cellsStart, offset < usableSize
    else { return nil }
    var end = offset
    var child: Int?
    if kind.isInner {
      guard offset + 4 <= usableSize else { return nil }
      child = FileNumber.fixed(bytes, at: offset, size: 4)
      end += 4
    }
    var length: Int64?
    if kind != .innerTable {
      length = FileNumber.variable(bytes, at: &end, before: usableSize)
      guard length != nil else { return nil }
    }
    var rowID: Int64?
    if kind.hasRowIDs {
      rowID = FileNumber.variable(bytes, at: &end, before: usableSize)
      guard rowID != nil else { return nil }
    }
    var payload: Payload?
    if let length {
      guard let found = self.payload(of: length, at: end) else { return nil }
      end = found.local.upperBound + (found.rest == 0 ? 0 : 4)
      payload = found
    }
    return Cell(
      offset: offset, size: max(4, end - offset), child: child, rowID: rowID, payload: payload)
  }

  private func payload(of length: Int64, at start: Int) -> Payload? {
    guard length > 0, length <= Int64(Int32.max) else { return nil }
    let length = Int(length)
    let most = kind.hasRowIDs ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    if length <= most {
      guard start + length <= usableSize else { return nil }
      return Payload(length: length, local: start..<start + length, rest: 0)
    }
    let least = (usableSize - 12) * 32 / 255 - 23
    let wanted = least + (length - least) % (usableSize - 4)
    let end = start + (wanted <= most ? wanted : least)
    guard end + 4 <= usableSize, let rest = FileNumber.fixed(bytes, at: end, size: 4), rest > 1
    else { return nil }
    return Payload(length: length, local: start..<end, rest: rest)
  }

  /// Whether cells, free blocks and fragments fill what the page says is in use, to the byte.
  ///
  /// A page whose count of cells was damaged fails here.
  var isFilled: Bool {
    guard let start = FileNumber.fixed(bytes, at: head + 5, size: 2),
      var block = FileNumber.fixed(bytes, at: head + 1, size: 2)
    else { return false }
    let first = start == 0 ? 65_536 : start
    guard first >= cellsStart, first <= usableSize else { return false }
    var used = Int(bytes[head + 7])
    var last = 0
    while block != 0 {
      guard block >= first, block > last, block + 4 <= usableSize,
        let next = FileNumber.fixed(bytes, at: block, size: 2),
        let size = FileNumber.fixed(bytes, at: block + 2, size: 2), size >= 4
      else { return false }
      used += size
      last = block
      block = next
    }
    for position in 0..<cellCount {
      guard let cell = cell(at: position), cell.offset >= first else { return false }
      used += cell.size
    }
    return first + used == usableSize
  }
}
