/// A queue that gives its elements back in the order they came.
///
/// - Complexity: Appending and taking the first are O(1), amortized.
struct FirstInFirstOut<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }

  var count: Int { elements.count - head }

  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    // The taken half is given back once it is the larger one.
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.count <= 64)
      head = 0
    } else if head > 32, head * 2 > elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  mutating func removeAll() -> [Element] {
    let rest = elements[head...].compactMap { $0 }
    elements = []
    head = 0
    return rest
  }
}

extension FirstInFirstOut<UInt64> {
  /// Returns the elements, which ascend, up to a limit.
  func elements(through limit: UInt64) -> [UInt64] {
    var result: [UInt64] = []
    for case let element? in elements[head...] {
      guard element <= limit else { break }
      result.append(element)
    }
    return result
  }
}
