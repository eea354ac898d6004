/// A list of changes, either at hand or computed when looked at.
///
/// A first load of a million rows is one insert per row. They are described by the version that was
/// loaded, not written down one by one, so the list costs nothing until somebody walks it.
///
/// - Complexity: Subscripting a computed list costs what finding one row by rank costs,
///   O(log *n*).
public struct ChangeList<Element: Sendable>: RandomAccessCollection, Sendable,
  ExpressibleByArrayLiteral
{
  @usableFromInline
  enum Storage: Sendable {
    case array([Element])
    case computed(count: Int, element: @Sendable (Int) -> Element)
  }

  @usableFromInline let storage: Storage

  @inlinable @inline(__always)
  package init(_ elements: [Element]) {
    storage = .array(elements)
  }

  @inlinable @inline(__always)
  package init(count: Int, element: @escaping @Sendable (Int) -> Element) {
    storage = .computed(count: count, element: element)
  }

  /// Creates a list of the given changes.
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }

  /// The position of the first change: always zero.
  @inlinable public var startIndex: Int { 0 }

  /// The number of changes.
  @inlinable public var endIndex: Int {
    switch storage {
    case .array(let elements): elements.count
    case .computed(let count, _): count
    }
  }

  /// How many changes the list holds, those left out that are computed when looked at.
  var heldCount: Int {
    switch storage {
    case .array(let elements): elements.count
    case .computed: 0
    }
  }

  /// The change at a position.
  ///
  /// - Precondition: `position` is in `0..<count`.
  @inlinable public subscript(position: Int) -> Element {
    switch storage {
    case .array(let elements):
      return elements[position]
    case .computed(let count, let element):
      precondition((0..<count).contains(position), "\(position) is outside 0..<\(count)")
      return element(position)
    }
  }
}
