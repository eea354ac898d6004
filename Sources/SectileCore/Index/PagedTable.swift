/// A table from small non-negative integers to small non-negative integers, in pages.
///
/// Two copies share the pages that neither has changed since, so writing to one of them costs a
/// page, not the table.
///
/// Numbers take two bytes as long as all of them fit. Whoever looks up keys at random waits for
/// memory, and of a table half as large more is in the processor's cache.
struct PagedTable: Sendable {
  private var narrow = NumberPages<UInt16>()
  private var wide = NumberPages<UInt32>()
  private var isWide = false

  init() {}

  /// Creates a table of many numbers at once.
  ///
  /// - Parameters:
  ///   - keyCount: One more than the largest key.
  ///   - limit: More than the largest number.
  ///   - fill: Writes numbers to a buffer of `keyCount` times -1, at their keys.
  init(keyCount: Int, limit: Int, fill: (UnsafeMutableBufferPointer<Int32>) -> Void) {
    var numbers = ContiguousArray<Int32>(repeating: -1, count: keyCount)
    numbers.withUnsafeMutableBufferPointer { fill($0) }
    isWide = limit > NumberPages<UInt16>.limit
    if isWide { wide = NumberPages(numbers) } else { narrow = NumberPages(numbers) }
  }

  /// The number at a key, or -1.
  subscript(key: Int32) -> Int32 {
    get { isWide ? wide[key] : narrow[key] }
    set {
      precondition(key >= 0, "\(key) is negative")
      if !isWide, newValue >= NumberPages<UInt16>.limit {
        wide = NumberPages(narrow.numbers)
        narrow = NumberPages()
        isWide = true
      }
      if isWide { wide[key] = newValue } else { narrow[key] = newValue }
    }
  }
}

/// Numbers of one width in pages.
///
/// A page holds up to its last number only, in powers of two: most lists are short, and there may
/// be ten thousand of them.
private struct NumberPages<Number: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  private typealias Page = ContiguousArray<Number>

  private static var pageBits: Int { 12 }
  private static var pageCount: Int { 1 << pageBits }
  private static var leastCount: Int { 16 }

  /// More than the largest number.
  static var limit: Int { Int(Number.max) }

  /// Numbers by key, each one more than it is: zero is none.
  private var pages: ContiguousArray<Page> = []

  init() {}

  init(_ numbers: ContiguousArray<Int32>) {
    pages.reserveCapacity((numbers.count + Self.pageCount - 1) / Self.pageCount)
    for start in stride(from: 0, to: numbers.count, by: Self.pageCount) {
      let end = min(start + Self.pageCount, numbers.count)
      var page = Page(repeating: 0, count: Self.length(toHold: end - start))
      for position in start..<end {
        page[position - start] = Number(truncatingIfNeeded: numbers[position] &+ 1)
      }
      pages.append(page)
    }
  }

  /// The length of a page that holds so many numbers.
  private static func length(toHold count: Int) -> Int {
    var length = leastCount
    while length < count { length *= 2 }
    return length
  }

  /// The numbers at all keys there is room for.
  var numbers: ContiguousArray<Int32> {
    ContiguousArray((0..<Int32(pages.count * Self.pageCount)).map { self[$0] })
  }

  /// The number at a key, or -1.
  subscript(key: Int32) -> Int32 {
    @inline(__always)
    get {
      let page = Int(key) >> Self.pageBits
      guard key >= 0, page < pages.count else { return -1 }
      let position = Int(key) & (Self.pageCount - 1)
      guard position < pages[page].count else { return -1 }
      return Int32(truncatingIfNeeded: pages[page][position]) &- 1
    }
    @inline(__always)
    set {
      let page = Int(key) >> Self.pageBits
      let position = Int(key) & (Self.pageCount - 1)
      if page >= pages.count || position >= pages[page].count { makeRoom(page, position) }
      pages[page][position] = Number(truncatingIfNeeded: newValue &+ 1)
    }
  }

  private mutating func makeRoom(_ page: Int, _ position: Int) {
    while page >= pages.count { pages.append([]) }
    let missing = Self.length(toHold: position + 1) - pages[page].count
    pages[page].append(contentsOf: repeatElement(0, count: max(0, missing)))
  }
}
