/// A table from small non-negative integers to small non-negative integers, in pages.
///
/// Two copies share the pages that neither has changed since, so writing to one of them costs a
/// page, not the table.
struct PagedTable: Sendable {
  private static let pageBits = 12
  private static let pageCount = 1 << pageBits

  private var pages: ContiguousArray<ContiguousArray<Int32>> = []

  init() {}

  /// Creates a table of many numbers at once.
  ///
  /// - Parameters:
  ///   - keyCount: One more than the largest key.
  ///   - fill: Writes numbers to a buffer of `keyCount` times -1, at their keys.
  init(keyCount: Int, fill: (UnsafeMutableBufferPointer<Int32>) -> Void) {
    var numbers = ContiguousArray<Int32>(repeating: -1, count: keyCount)
    numbers.withUnsafeMutableBufferPointer { fill($0) }
    pages.reserveCapacity((keyCount + Self.pageCount - 1) / Self.pageCount)
    for start in stride(from: 0, to: keyCount, by: Self.pageCount) {
      var page = ContiguousArray(numbers[start..<min(start + Self.pageCount, keyCount)])
      if page.count < Self.pageCount {
        page.append(contentsOf: repeatElement(-1, count: Self.pageCount - page.count))
      }
      pages.append(page)
    }
  }

  /// The number at a key, or -1.
  subscript(key: Int32) -> Int32 {
    get {
      let page = Int(key) >> Self.pageBits
      guard key >= 0, page < pages.count else { return -1 }
      return pages[page][Int(key) & (Self.pageCount - 1)]
    }
    set {
      precondition(key >= 0, "\(key) is negative")
      let page = Int(key) >> Self.pageBits
      while page >= pages.count {
        pages.append(ContiguousArray(repeating: -1, count: Self.pageCount))
      }
      pages[page][Int(key) & (Self.pageCount - 1)] = newValue
    }
  }
}
