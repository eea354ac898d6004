/// Elements by small numbers that are given out and taken back.
///
/// ```text
/// number     0    1    2    3    4          free: 3 → 1
/// slot       a   (4)   c   (1)   e          a free slot names the next free one
/// ```
///
/// The slots lie in pages, the pages in groups. Two copies share what neither has changed since:
/// changing one of a million elements copies one page, one group and a list of some hundred groups.
package struct SlotTable<Element: Sendable>: Sendable {
  private enum Slot: Sendable {
    case free(next: Int32)
    case used(Element)
  }

  private typealias Page = ContiguousArray<Slot>
  private typealias Group = ContiguousArray<Page>

  private static var bits: Int { 6 }
  private static var size: Int { 1 << bits }
  private static var mask: Int { size - 1 }

  private var groups: ContiguousArray<Group> = []
  /// The numbers below were given out at least once.
  private var end: Int32 = 0
  private var firstFree: Int32 = -1

  package init() {}

  /// Creates a table of elements whose numbers are their places.
  ///
  /// - Complexity: O(*n*).
  package init(_ elements: ContiguousArray<Element>) {
    var page: Page = []
    for element in elements {
      if page.isEmpty { page.reserveCapacity(Self.size) }
      page.append(.used(element))
      if page.count == Self.size {
        append(page)
        page = []
      }
    }
    if !page.isEmpty { append(page) }
  }

  private mutating func append(_ page: Page) {
    if (groups.last?.count ?? Self.size) == Self.size { groups.append([]) }
    groups[groups.count - 1].append(page)
    end += Int32(page.count)
  }

  /// The element with a number that was given out.
  package subscript(number: Int32) -> Element {
    get {
      guard case .used(let element) = slot(number) else {
        preconditionFailure("slot \(number) is free")
      }
      return element
    }
    set { setSlot(number, .used(newValue)) }
  }

  /// The element with a number; nil where the number is not given out.
  package func element(_ number: Int32) -> Element? {
    guard number >= 0, number < end, case .used(let element) = slot(number) else { return nil }
    return element
  }

  /// Calls a closure with each element and its number, ascending.
  package func forEach(_ body: (Int32, Element) throws -> Void) rethrows {
    var number: Int32 = 0
    for group in groups {
      for page in group {
        for slot in page {
          if case .used(let element) = slot { try body(number, element) }
          number += 1
        }
      }
    }
  }

  /// Gives out a number for an element.
  package mutating func insert(_ element: Element) -> Int32 {
    guard firstFree >= 0, case .free(let next) = slot(firstFree) else {
      let number = end
      append(.used(element))
      return number
    }
    let number = firstFree
    firstFree = next
    setSlot(number, .used(element))
    return number
  }

  /// Takes a number back.
  package mutating func remove(_ number: Int32) {
    setSlot(number, .free(next: firstFree))
    firstFree = number
  }

  private func slot(_ number: Int32) -> Slot {
    let number = Int(number)
    return groups[number >> (2 * Self.bits)][(number >> Self.bits) & Self.mask][number & Self.mask]
  }

  private mutating func setSlot(_ number: Int32, _ slot: Slot) {
    let number = Int(number)
    let page = (number >> Self.bits) & Self.mask
    groups[number >> (2 * Self.bits)][page][number & Self.mask] = slot
  }

  private mutating func append(_ slot: Slot) {
    let number = Int(end)
    let group = number >> (2 * Self.bits)
    let page = (number >> Self.bits) & Self.mask
    if group == groups.count { groups.append([]) }
    if page == groups[group].count {
      groups[group].append([])
      groups[group][page].reserveCapacity(Self.size)
    }
    groups[group][page].append(slot)
    end += 1
  }
}
