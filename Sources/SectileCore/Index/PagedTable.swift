/// A table from small non-negative integers to small non-negative integers, in pages.
///
/// Two copies share the pages that neither has changed since, so writing to one of them costs a
/// page, not the table.
struct PagedTable: Sendable {
  private static let pageBits = 12
  private static let pageCount = 1 << pageBits

  private var pages: ContiguousArray<ContiguousArray<Int32>> = []

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
