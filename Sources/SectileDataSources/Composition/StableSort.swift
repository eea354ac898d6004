/// Sorts so that elements of which neither comes first keep their order.
///
/// Swift's own sorting does not promise that; and with places to tell equal keys apart the keys of
/// half of all pairs would be compared twice.
enum StableSort {
  /// What is as short as that is sorted by insertion.
  private static let shortest = 8

  /// Sorts elements: a merge sort.
  ///
  /// - Parameters:
  ///   - elements: The elements: numbers, or what is as cheap to copy.
  ///   - isBefore: Returns whether an element comes before another one.
  /// - Complexity: O(*n* log *n*) comparisons; O(*n*) where the elements are sorted already.
  @inline(__always)
  static func sort<Element>(
    _ elements: inout ContiguousArray<Element>, by isBefore: (Element, Element) -> Bool
  ) {
    guard let first = elements.first, elements.count > 1 else { return }
    var buffer = ContiguousArray(repeating: first, count: elements.count / 2)
    elements.withUnsafeMutableBufferPointer { elements in
      buffer.withUnsafeMutableBufferPointer { buffer in
        sort(elements, 0..<elements.count, buffer, isBefore)
      }
    }
  }

  private static func sort<Element>(
    _ elements: UnsafeMutableBufferPointer<Element>, _ range: Range<Int>,
    _ buffer: UnsafeMutableBufferPointer<Element>, _ isBefore: (Element, Element) -> Bool
  ) {
    if range.count <= shortest { return insert(elements, range, isBefore) }
    let middle = range.lowerBound + range.count / 2
    sort(elements, range.lowerBound..<middle, buffer, isBefore)
    sort(elements, middle..<range.upperBound, buffer, isBefore)
    if isBefore(elements[middle], elements[middle - 1]) {
      merge(elements, range, middle, buffer, isBefore)
    }
  }

  @inline(__always)
  private static func insert<Element>(
    _ elements: UnsafeMutableBufferPointer<Element>, _ range: Range<Int>,
    _ isBefore: (Element, Element) -> Bool
  ) {
    for position in range.dropFirst() {
      let element = elements[position]
      var place = position
      while place > range.lowerBound, isBefore(element, elements[place - 1]) {
        elements[place] = elements[place - 1]
        place -= 1
      }
      elements[place] = element
    }
  }

  /// Merges two sorted halves; the buffer has room for the first of them.
  @inline(__always)
  private static func merge<Element>(
    _ elements: UnsafeMutableBufferPointer<Element>, _ range: Range<Int>, _ middle: Int,
    _ buffer: UnsafeMutableBufferPointer<Element>, _ isBefore: (Element, Element) -> Bool
  ) {
    let count = middle - range.lowerBound
    for offset in 0..<count { buffer[offset] = elements[range.lowerBound + offset] }
    var (left, right, place) = (0, middle, range.lowerBound)
    while left < count {
      if right < range.upperBound, isBefore(elements[right], buffer[left]) {
        elements[place] = elements[right]
        right += 1
      } else {
        elements[place] = buffer[left]
        left += 1
      }
      place += 1
    }
  }
}
