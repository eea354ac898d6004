extension SectionedIndex {
  /// Stops the process where the structure contradicts itself.
  ///
  /// For tests and internal checks.
  ///
  /// - Complexity: O(*n* log *n*).
  package func checkInvariants() {
    storage[0].rows.checkInvariants()
    storage[0].sections.checkInvariants()
    precondition(
      storage[0].sections.weight == storage[0].rows.count,
      "the sections have \(storage[0].sections.weight) rows, the index \(storage[0].rows.count)")
    precondition(
      storage[0].sectionKeys.count == storage[0].sections.count,
      "\(storage[0].sections.count) sections have \(storage[0].sectionKeys.count) identities")
    for ordinal in 0..<sectionCount {
      let identity = header(ofSection: ordinal).identity
      precondition(
        sectionOrdinal(of: identity) == ordinal, "section \(identity) is not found at \(ordinal)")
    }
  }
}

extension RankedBlocks {
  /// Stops the process where the blocks, the table and the trees contradict each other.
  func checkInvariants() {
    precondition(order.count + freeSlots.count == blocks.count, "a block is lost")
    precondition(places.count == blocks.count, "a table is too short")
    var countBefore = 0
    var weightBefore = 0
    for (place, slot) in order.enumerated() {
      let block = blocks[Int(slot)]
      precondition(!block.isEmpty, "the block at \(place) is empty")
      precondition(block.count <= capacity, "a block of \(block.count) elements is too long")
      precondition(places[Int(slot)] == place, "slot \(slot) is not at place \(place)")
      precondition(counts.sum(before: place) == countBefore, "wrong count before \(place)")
      if Element.isWeighted {
        precondition(weights.sum(before: place) == weightBefore, "wrong weight before \(place)")
      }
      for (offset, element) in block.enumerated() {
        precondition(slots[element.key] == slot, "key \(element.key) is not known in \(slot)")
        precondition(position(ofKey: element.key) == countBefore + offset, "wrong position")
        precondition(weight(before: countBefore + offset) == weightBefore, "wrong weight")
        weightBefore += element.weight
      }
      countBefore += block.count
    }
    precondition(counts.total == countBefore, "wrong count")
    precondition(!Element.isWeighted || weights.total == weightBefore, "wrong weight")
    for slot in freeSlots { precondition(blocks[Int(slot)].isEmpty, "a free block has elements") }
  }
}
