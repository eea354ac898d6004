/// A queue that gives its elements back in the order they came.
///
/// - Complexity: Appending and taking the first are O(1), amortized.
struct FirstInFirstOut<Element> {
  /// The first element, apart from the others: a queue of one, the ordinary case, needs no array.
  private(set) var first: Element?
  private var others: [Element?] = []
  private var head = 0

  var isEmpty: Bool { first == nil }

  var count: Int { isEmpty ? 0 : others.count - head + 1 }

  mutating func append(_ element: consuming Element) {
    if isEmpty {
      first = element
    } else {
      others.append(element)
    }
  }

  mutating func popFirst() -> Element? {
    exchange(&first, with: others.isEmpty ? nil : popOther())
  }

  private mutating func popOther() -> Element? {
    let element = exchange(&others[head], with: nil)
    head += 1
    // The taken half is given back once it is the larger one.
    if head == others.count {
      others.removeAll(keepingCapacity: others.count <= 64)
      head = 0
    } else if head > 32, head * 2 > others.count {
      others.removeFirst(head)
      head = 0
    }
    return element
  }

  mutating func removeAll() -> [Element] {
    guard let first else { return [] }
    defer { self = FirstInFirstOut() }
    return [first] + others[head...].compactMap { $0 }
  }
}

extension FirstInFirstOut: Sendable where Element: Sendable {}
