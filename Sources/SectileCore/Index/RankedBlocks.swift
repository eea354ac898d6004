/// An element of ``RankedBlocks``: it has a key of its own, and it may weigh more than one.
protocol RankedElement: Sendable {
  /// Whether weights differ from one. Where they do not, the weights are the counts.
  static var isWeighted: Bool { get }
  /// A small non-negative number, unique in the sequence.
  var key: Int32 { get }
  /// What the element adds to the total weight.
  var weight: Int { get }
  /// Returns the offset of the element with a key in a block, or nil.
  static func offset(of key: Int32, in block: ContiguousArray<Self>) -> Int?
}

extension RankedElement {
  static func offset(of key: Int32, in block: ContiguousArray<Self>) -> Int? {
    block.firstIndex { $0.key == key }
  }
}

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
/// before that place from the tree, and the offset by looking through one block. To find the element
/// at a position: the tree gives the block. An insertion moves half a block at most; a block that is
/// full becomes two, one that is nearly empty joins its neighbour.
///
/// Blocks are shared between copies until one of them changes the block.
struct RankedBlocks<Element: RankedElement>: Sendable {
  typealias Block = ContiguousArray<Element>

  let capacity: Int
  private(set) var blocks: ContiguousArray<Block> = []
  private(set) var blockWeights: ContiguousArray<Int> = []
  private(set) var order: ContiguousArray<Int32> = []
  private(set) var places: ContiguousArray<Int32> = []
  private(set) var freeSlots: ContiguousArray<Int32> = []
  private(set) var slots = PagedTable()
  private(set) var counts = FenwickTree()
  private(set) var weights = FenwickTree()

  init(capacity: Int) {
    precondition(capacity >= 2, "a block of \(capacity) elements cannot be split")
    self.capacity = capacity
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
    return body(blocks[Int(order[place])][offset])
  }

  /// Returns the place and offset of the element with a key, or nil.
  private func locate(key: Int32) -> (place: Int, offset: Int)? {
    let slot = slots[key]
    guard slot >= 0, let offset = Element.offset(of: key, in: blocks[Int(slot)]) else { return nil }
    return (Int(places[Int(slot)]), offset)
  }

  /// Returns the position of the element with a key, or nil.
  func position(ofKey key: Int32) -> Int? {
    guard let (place, offset) = locate(key: key) else { return nil }
    return counts.sum(before: place) + offset
  }

  /// Returns the position that a weight falls into, and what remains of the weight there.
  ///
  /// Elements without weight are passed over.
  func position(atWeight weight: Int) -> (position: Int, remainder: Int) {
    precondition(
      weight >= 0 && weight < self.weight, "weight \(weight) is outside 0..<\(self.weight)")
    let found = weights.position(at: weight)
    let slot = Int(order[found.position])
    var offset = 0
    var remainder = found.remainder
    while remainder >= blocks[slot][offset].weight {
      remainder -= blocks[slot][offset].weight
      offset += 1
    }
    return (counts.sum(before: found.position) + offset, remainder)
  }

  /// Returns the weight of all elements before a position, which may be the end.
  func weight(before position: Int) -> Int {
    if !Element.isWeighted { return position }
    if position == count { return weight }
    let (place, offset) = locate(position)
    var sum = weights.sum(before: place)
    let slot = Int(order[place])
    for before in 0..<offset { sum += blocks[slot][before].weight }
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

  // MARK: - Changing

  /// Inserts an element so that it is found at a position.
  mutating func insert(_ element: Element, at position: Int) {
    precondition(
      position >= 0 && position <= count, "position \(position) is outside 0...\(count)")
    if order.isEmpty { insertBlock([], at: 0) }
    var (place, offset) = position == count ? (order.count - 1, 0) : locate(position)
    if position == count { offset = blocks[Int(order[place])].count }
    if offset == 0, place > 0, blocks[Int(order[place - 1])].count < capacity {
      place -= 1
      offset = blocks[Int(order[place])].count
    }
    if blocks[Int(order[place])].count >= capacity {
      splitBlock(at: place, isLast: position == count)
      let kept = blocks[Int(order[place])].count
      if offset > kept || (offset == kept && position == count) {
        place += 1
        offset -= kept
      }
    }
    let slot = order[place]
    blocks[Int(slot)].insert(element, at: offset)
    slots[element.key] = slot
    counts.add(1, at: place)
    addWeight(element.weight, to: place)
  }

  /// Removes and returns the element at a position.
  @discardableResult
  mutating func remove(at position: Int) -> Element {
    let (place, offset) = locate(position)
    let slot = Int(order[place])
    let element = blocks[slot].remove(at: offset)
    slots[element.key] = -1
    counts.add(-1, at: place)
    addWeight(-element.weight, to: place)
    if blocks[slot].count <= capacity / 4 { joinBlock(at: place) }
    return element
  }

  /// Changes the element at a position; its key stays.
  mutating func update(at position: Int, _ body: (inout Element) -> Void) {
    let (place, offset) = locate(position)
    let slot = Int(order[place])
    let before = blocks[slot][offset].weight
    body(&blocks[slot][offset])
    addWeight(blocks[slot][offset].weight - before, to: place)
  }

  private mutating func addWeight(_ difference: Int, to place: Int) {
    guard Element.isWeighted, difference != 0 else { return }
    weights.add(difference, at: place)
    blockWeights[Int(order[place])] += difference
  }

  // MARK: - Blocks

  /// Appends a whole block.
  ///
  /// The trees do not know of it until ``rebuildTrees()``.
  mutating func appendBlock(_ block: Block) {
    let slot = Int32(blocks.count)
    blocks.append(block)
    blockWeights.append(Self.weight(of: block))
    places.append(Int32(order.count))
    order.append(slot)
    for element in block { slots[element.key] = slot }
  }

  /// Counts all blocks anew.
  mutating func rebuildTrees() {
    counts.rebuild(count: order.count) { blocks[Int(order[$0])].count }
    guard Element.isWeighted else { return }
    weights.rebuild(count: order.count) { blockWeights[Int(order[$0])] }
  }

  private static func weight(of block: Block) -> Int {
    Element.isWeighted ? block.reduce(0) { $0 + $1.weight } : block.count
  }

  private mutating func insertBlock(_ block: Block, at place: Int) {
    let slot: Int32
    if let free = freeSlots.popLast() {
      slot = free
      blocks[Int(slot)] = block
    } else {
      slot = Int32(blocks.count)
      blocks.append(block)
      places.append(0)
      blockWeights.append(0)
    }
    blockWeights[Int(slot)] = Self.weight(of: block)
    order.insert(slot, at: place)
    for element in block { slots[element.key] = slot }
    renumberPlaces(from: place)
    rebuildTrees()
  }

  private mutating func renumberPlaces(from start: Int) {
    for place in start..<order.count { places[Int(order[place])] = Int32(place) }
  }

  /// Makes room in a full block: its second half becomes a block of its own, or, where the sequence
  /// grows at its end, the new block starts empty.
  private mutating func splitBlock(at place: Int, isLast: Bool) {
    let slot = Int(order[place])
    let kept = isLast ? blocks[slot].count : blocks[slot].count / 2
    let moved = Block(blocks[slot][kept...])
    blocks[slot].removeSubrange(kept...)
    blockWeights[slot] = Self.weight(of: blocks[slot])
    insertBlock(moved, at: place + 1)
  }

  /// Gives a nearly empty block's elements to a neighbour that has room, or drops an empty block.
  private mutating func joinBlock(at place: Int) {
    let slot = Int(order[place])
    if !blocks[slot].isEmpty {
      let limit = capacity / 2
      if place > 0, blocks[Int(order[place - 1])].count + blocks[slot].count <= limit {
        join(slot, into: Int(order[place - 1]), atStart: false)
      } else if place + 1 < order.count,
        blocks[Int(order[place + 1])].count + blocks[slot].count <= limit
      {
        join(slot, into: Int(order[place + 1]), atStart: true)
      } else {
        return
      }
    }
    blocks[slot] = []
    blockWeights[slot] = 0
    freeSlots.append(Int32(slot))
    order.remove(at: place)
    renumberPlaces(from: place)
    rebuildTrees()
  }

  private mutating func join(_ slot: Int, into target: Int, atStart: Bool) {
    let elements = blocks[slot]
    for element in elements { slots[element.key] = Int32(target) }
    blocks[target].insert(contentsOf: elements, at: atStart ? 0 : blocks[target].count)
    blockWeights[target] = Self.weight(of: blocks[target])
  }
}
