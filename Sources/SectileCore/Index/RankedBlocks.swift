/// A long sequence in which an element is found by its position, by its key, and by weight.
///
/// ```text
/// order      [ 0 ]      [ 2 ]      [ 1 ]          slots, in sequence order
///              │          │          │
/// blocks     a b c d    e f        g h i          at most `capacity` elements each
///
/// counts       4          2          3            a Fenwick tree over the order
/// slots      a→0 … e→2 f→2 g→1 …                  by key: which block holds it
/// ```
///
/// To find an element's position: its slot from the table, the slot's place in the order, the count
/// before that place from the tree, and the offset by looking through one block. To find the
/// element at a position: the tree gives the block. An insertion moves half a block at most; a
/// block that is full becomes two, one that is nearly empty joins its neighbour.
///
/// Blocks are shared between copies until one of them changes the block.
struct RankedBlocks<Element: RankedElement>: Sendable {
  typealias Block = ContiguousArray<Element>

  /// The most elements of a block.
  ///
  /// Doubles up to ``largestCapacity`` where there are many blocks: a search looks through one of
  /// them, and a new block is put into a list of all.
  private(set) var capacity: Int
  let largestCapacity: Int
  private(set) var blocks = BlockList<Element>()
  private(set) var order: ContiguousArray<Int32> = []
  private(set) var places: ContiguousArray<Int32> = []
  private(set) var freeSlots: ContiguousArray<Int32> = []
  private(set) var slots = PagedTable()
  private(set) var counts = FenwickTree()
  private(set) var weights = FenwickTree()

  /// How many blocks there may be before they become larger.
  private static var smallBlockLimit: Int { 256 }

  init(capacity: Int, upTo largestCapacity: Int) {
    precondition(capacity >= 2, "a block of \(capacity) elements cannot be split")
    self.capacity = capacity
    self.largestCapacity = largestCapacity
  }

  /// Creates a sequence of elements, in blocks of another's capacity that are filled to three
  /// quarters.
  ///
  /// - Complexity: O(*n*).
  init(_ elements: ContiguousArray<Element>, like other: Self) {
    self.init(capacity: other.capacity, upTo: other.largestCapacity)
    guard !elements.isEmpty else { return }
    while elements.count > capacity * Self.smallBlockLimit, enlarge() {}
    let length = max(1, capacity * 3 / 4)
    for start in stride(from: 0, to: elements.count, by: length) {
      let block = Block(elements[start..<min(start + length, elements.count)])
      counts.append(block.count)
      if Element.isWeighted { weights.append(block.reduce(0) { $0 + $1.weight }) }
      blocks.append(block)
    }
    order = ContiguousArray(0..<Int32(blocks.count))
    places = order
    slots = elements.withUnsafeBufferPointer {
      Self.table(of: $0, blockLength: length, blockCount: blocks.count)
    }
  }

  private static func table(
    of elements: UnsafeBufferPointer<Element>, blockLength: Int, blockCount: Int
  ) -> PagedTable {
    var lowest: Int32 = 0
    var highest: Int32 = -1
    for element in elements {
      lowest = min(lowest, element.key)
      highest = max(highest, element.key)
    }
    precondition(lowest >= 0, "\(lowest) is negative")
    return PagedTable(keyCount: Int(highest) + 1, limit: blockCount) { numbers in
      var (slot, start) = (Int32(0), 0)
      while start < elements.count {
        let end = min(start + blockLength, elements.count)
        for position in start..<end { numbers[Int(elements[position].key)] = slot }
        start = end
        slot += 1
      }
    }
  }

  /// The number of elements.
  var count: Int { counts.total }

  /// The weight of all elements.
  var weight: Int { Element.isWeighted ? weights.total : counts.total }

  // MARK: - Finding

  /// Returns the place and the offset in its block of the element at a position.
  func locate(_ position: Int) -> (place: Int, offset: Int) {
    precondition(
      position >= 0 && position < count, "position \(position) is outside 0..<\(count)")
    let found = counts.position(at: position)
    return (found.position, found.remainder)
  }

  /// Returns what a closure reads from the element at a position.
  @inline(__always)
  func withElement<Value>(at position: Int, _ body: (borrowing Element) -> Value) -> Value {
    let (place, offset) = locate(position)
    // Of an array's element a copy would be made.
    return blocks[Int(order[place])].withUnsafeBufferPointer { body($0[offset]) }
  }

  /// Returns the position of the element with a key, or nil.
  @inline(__always)
  func position(ofKey key: Int32) -> Int? {
    let slot = slots[key]
    guard slot >= 0 else { return nil }
    let block = blocks[Int(slot)]
    // The block is asked for first and looked through last: it comes from memory while the blocks
    // before it are counted.
    guard !block.isEmpty else { return nil }
    let start = counts.sum(before: Int(places[Int(slot)]))
    return Element.offset(of: key, in: block).map { start + $0 }
  }

  /// Returns the position that a weight falls into, and what remains of the weight there.
  ///
  /// Elements without weight are passed over.
  func position(atWeight weight: Int) -> (position: Int, remainder: Int) {
    precondition(
      weight >= 0 && weight < self.weight, "weight \(weight) is outside 0..<\(self.weight)")
    let found = weights.position(at: weight)
    let (offset, remainder) = block(at: found.position).withUnsafeBufferPointer { elements in
      var offset = 0
      var remainder = found.remainder
      while remainder >= elements[offset].weight {
        remainder -= elements[offset].weight
        offset += 1
      }
      return (offset, remainder)
    }
    return (counts.sum(before: found.position) + offset, remainder)
  }

  /// Returns the weight of all elements before a position, which may be the end.
  func weight(before position: Int) -> Int {
    if !Element.isWeighted { return position }
    if position == count { return weight }
    let (place, offset) = locate(position)
    var sum = weights.sum(before: place)
    let block = block(at: place)
    for before in 0..<offset { sum += block[before].weight }
    return sum
  }

  /// Calls a closure with the elements at the positions of a range, block by block.
  func forEach(in range: Range<Int>, _ body: (Element) -> Void) {
    guard !range.isEmpty else { return }
    var (place, offset) = locate(range.lowerBound)
    var remaining = range.count
    while remaining > 0 {
      let block = blocks[Int(order[place])]
      let end = min(block.count, offset + remaining)
      for position in offset..<end { body(block[position]) }
      remaining -= end - offset
      place += 1
      offset = 0
    }
  }

  /// Narrows a range of positions to those among which a place may still be, by halving.
  ///
  /// - Parameters:
  ///   - range: The positions of elements that the place is before, among or behind.
  ///   - side: On which side of an element the place is; nil where that is not known.
  /// - Returns: An empty range at the place, or the positions of the elements that were left when
  ///   an element could not be told.
  /// - Complexity: O(log *n*) questions.
  func narrow(_ range: Range<Int>, by side: (Element) -> PlaceSide?) -> Range<Int> {
    guard !range.isEmpty else { return range }
    let (first, firstOffset) = locate(range.lowerBound)
    let (last, lastOffset) = locate(range.upperBound - 1)
    // The block that begins before the place and ends behind it.
    var (low, high) = (first, last)
    while low < high {
      let middle = (low + high + 1) / 2
      switch block(at: middle).withUnsafeBufferPointer({ side($0[0]) }) {
      case .before: high = middle - 1
      case .behind: low = middle
      case nil:
        let start = low == first ? range.lowerBound : counts.sum(before: low)
        let end = high == last ? range.upperBound : counts.sum(before: high + 1)
        return start..<end
      }
    }
    let start = range.lowerBound - firstOffset
    let base = low == first ? start : counts.sum(before: low)
    return block(at: low).withUnsafeBufferPointer { elements in
      var lower = low == first ? firstOffset : 1
      var upper = low == last ? lastOffset + 1 : elements.count
      while lower < upper {
        let middle = (lower + upper) / 2
        switch side(elements[middle]) {
        case .before: upper = middle
        case .behind: lower = middle + 1
        case nil: return (base + lower)..<(base + upper)
        }
      }
      return (base + lower)..<(base + lower)
    }
  }

  // MARK: - Changing

  /// Inserts an element so that it is found at a position.
  mutating func insert(_ element: Element, at position: Int) {
    precondition(
      position >= 0 && position <= count, "position \(position) is outside 0...\(count)")
    if order.isEmpty { insertBlock([], at: 0) }
    var (place, offset) = position == count ? (order.count - 1, 0) : locate(position)
    if position == count { offset = block(at: place).count }
    if offset == 0, place > 0, block(at: place - 1).count < capacity {
      place -= 1
      offset = block(at: place).count
    }
    if block(at: place).count >= capacity, order.count >= Self.smallBlockLimit { enlarge() }
    if block(at: place).count >= capacity {
      splitBlock(at: place, isLast: position == count)
      let kept = block(at: place).count
      if offset > kept || (offset == kept && position == count) {
        place += 1
        offset -= kept
      }
    }
    let slot = order[place]
    let (page, number) = Self.index(ofSlot: slot)
    blocks.pages[page][number].insert(element, at: offset)
    slots[element.key] = slot
    counts.add(1, at: place)
    addWeight(element.weight, to: place)
  }

  /// Removes and returns the element at a position.
  @discardableResult
  mutating func remove(at position: Int) -> Element {
    let (place, offset) = locate(position)
    let (page, number) = Self.index(ofSlot: order[place])
    let element = blocks.pages[page][number].remove(at: offset)
    slots[element.key] = -1
    counts.add(-1, at: place)
    addWeight(-element.weight, to: place)
    if blocks.pages[page][number].count <= capacity / 4 { joinBlock(at: place) }
    return element
  }

  /// Changes the element at a position; its key stays.
  mutating func update(at position: Int, _ body: (inout Element) -> Void) {
    let (place, offset) = locate(position)
    let (page, number) = Self.index(ofSlot: order[place])
    let before = blocks.pages[page][number][offset].weight
    body(&blocks.pages[page][number][offset])
    addWeight(blocks.pages[page][number][offset].weight - before, to: place)
  }

  private mutating func addWeight(_ difference: Int, to place: Int) {
    guard Element.isWeighted, difference != 0 else { return }
    weights.add(difference, at: place)
  }

  // MARK: - Blocks

  @inline(__always)
  private func block(at place: Int) -> Block { blocks[Int(order[place])] }

  @inline(__always)
  private static func index(ofSlot slot: Int32) -> (page: Int, number: Int) {
    (BlockList<Element>.page(of: Int(slot)), BlockList<Element>.offset(of: Int(slot)))
  }

  private static func weight(of block: Block) -> Int {
    Element.isWeighted ? block.reduce(0) { $0 + $1.weight } : block.count
  }

  private mutating func insertBlock(_ block: Block, at place: Int) {
    let slot: Int32
    if let free = freeSlots.popLast() {
      slot = free
      let (page, number) = Self.index(ofSlot: slot)
      blocks.pages[page][number] = block
    } else {
      slot = Int32(blocks.count)
      blocks.append(block)
      places.append(0)
    }
    order.insert(slot, at: place)
    for element in block { slots[element.key] = slot }
    renumberPlaces(from: place)
    counts.insert(block.count, at: place)
    if Element.isWeighted { weights.insert(Self.weight(of: block), at: place) }
  }

  private mutating func renumberPlaces(from start: Int) {
    for place in start..<order.count { places[Int(order[place])] = Int32(place) }
  }

  /// Lets blocks become larger; false where they are as large as may be.
  @discardableResult
  private mutating func enlarge() -> Bool {
    guard capacity < largestCapacity else { return false }
    capacity = min(2 * capacity, largestCapacity)
    return true
  }

  /// Makes room in a full block: its second half becomes a block of its own, or, where the sequence
  /// grows at its end, the new block starts empty.
  private mutating func splitBlock(at place: Int, isLast: Bool) {
    let (page, number) = Self.index(ofSlot: order[place])
    let count = blocks.pages[page][number].count
    let kept = isLast ? count : count / 2
    let moved = Block(blocks.pages[page][number][kept...])
    blocks.pages[page][number].removeSubrange(kept...)
    counts.add(kept - count, at: place)
    addWeight(-Self.weight(of: moved), to: place)
    insertBlock(moved, at: place + 1)
  }

  /// Gives a nearly empty block's elements to a neighbour that has room, or drops an empty block.
  private mutating func joinBlock(at place: Int) {
    let count = block(at: place).count
    if count > 0 {
      let limit = capacity / 2
      if place > 0, block(at: place - 1).count + count <= limit {
        join(place, into: place - 1)
      } else if place + 1 < order.count, block(at: place + 1).count + count <= limit {
        join(place, into: place + 1)
      } else {
        return
      }
    }
    let slot = order.remove(at: place)
    let (page, number) = Self.index(ofSlot: slot)
    blocks.pages[page][number] = []
    freeSlots.append(slot)
    renumberPlaces(from: place)
    counts.remove(at: place)
    if Element.isWeighted { weights.remove(at: place) }
  }

  private mutating func join(_ place: Int, into target: Int) {
    let elements = block(at: place)
    let slot = order[target]
    for element in elements { slots[element.key] = slot }
    let (page, number) = Self.index(ofSlot: slot)
    let start = target > place ? 0 : blocks.pages[page][number].count
    blocks.pages[page][number].insert(contentsOf: elements, at: start)
    counts.add(elements.count, at: target)
    addWeight(Self.weight(of: elements), to: target)
  }
}
