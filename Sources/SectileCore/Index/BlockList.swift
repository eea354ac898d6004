/// Blocks of elements by number, in pages.
///
/// A long sequence has thousands of blocks. A copy that changes one of them would have to retain
/// each, were they in one array; so it retains the pages, and the blocks of the page it changes.
struct BlockList<Element: Sendable>: Sendable {
  typealias Block = ContiguousArray<Element>

  private static var pageBits: Int { 6 }
  private static var pageCount: Int { 1 << pageBits }

  // Whoever changes a block names it by page and offset: storage is changed in place without
  // an accessor in between.
  var pages: ContiguousArray<ContiguousArray<Block>> = []

  /// The number of blocks.
  private(set) var count = 0

  /// The page of a block.
  @inline(__always)
  static func page(of number: Int) -> Int { number >> pageBits }

  /// The place of a block in its page.
  @inline(__always)
  static func offset(of number: Int) -> Int { number & (pageCount - 1) }

  /// The block with a number.
  @inline(__always)
  subscript(number: Int) -> Block { pages[Self.page(of: number)][Self.offset(of: number)] }

  /// Appends a block; its number is the count before.
  mutating func append(_ block: Block) {
    if Self.offset(of: count) == 0 {
      pages.append([])
      pages[pages.count - 1].reserveCapacity(Self.pageCount)
    }
    pages[pages.count - 1].append(block)
    count += 1
  }
}
