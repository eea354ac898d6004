/// The sections of a source in order, either at hand or looked up when asked for.
///
/// A source with a hundred thousand sections hands out its list without writing it down: the list
/// then holds on to the version of the contents it was taken from, and never changes under the
/// reader.
///
/// ```swift
/// for section in source.sections { print(section.title) }
/// ```
///
/// - Complexity: Subscripting a list that is looked up costs what finding one section by its
///   ordinal costs, O(log *n*).
public struct SectionList: RandomAccessCollection, Sendable, ExpressibleByArrayLiteral {
  private enum Storage: Sendable {
    case array([SourceSection])
    case computed(count: Int, element: @Sendable (Int) -> SourceSection)
  }

  private let storage: Storage

  /// Creates a list of sections that are at hand.
  public init(_ sections: [SourceSection]) {
    storage = .array(sections)
  }

  /// Creates a list that looks its sections up when asked for.
  ///
  /// - Parameters:
  ///   - count: The number of sections.
  ///   - section: Returns the section at an ordinal in `0..<count`; always the same one.
  public init(count: Int, section: @escaping @Sendable (Int) -> SourceSection) {
    storage = .computed(count: count, element: section)
  }

  /// Creates a list of the given sections.
  public init(arrayLiteral sections: SourceSection...) {
    self.init(sections)
  }

  /// The ordinal of the first section: always zero.
  public var startIndex: Int { 0 }

  /// The number of sections.
  public var endIndex: Int {
    switch storage {
    case .array(let sections): sections.count
    case .computed(let count, _): count
    }
  }

  /// The section at an ordinal.
  ///
  /// - Precondition: `ordinal` is in `0..<count`.
  public subscript(ordinal: Int) -> SourceSection {
    precondition(indices.contains(ordinal), "section \(ordinal) is outside 0..<\(count)")
    switch storage {
    case .array(let sections): return sections[ordinal]
    case .computed(_, let element): return element(ordinal)
    }
  }
}

extension SectionList: Equatable {
  /// Returns whether two lists hold equal sections in the same order.
  ///
  /// - Complexity: O(*n*) in the number of sections.
  public static func == (left: SectionList, right: SectionList) -> Bool {
    left.elementsEqual(right)
  }
}
