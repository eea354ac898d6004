/// The header of one section: who it is and what a reader sees above, beside and below it.
public struct SourceSection: Hashable, Sendable {
  /// What makes the section this section.
  ///
  /// Two sections of one source never share an identity.
  public let identity: StoredValue
  /// The text a reader sees above the section's items.
  public let title: String
  /// The short text for an index beside the list, if the source gives one.
  public let indexTitle: String?
  /// The text a reader sees below the section's items, if the source gives one.
  public let footer: String?
  /// What is worked out from the section's items; none, unless the source was asked for it.
  public let aggregates: AggregateValues

  /// Creates a section header.
  public init(
    identity: StoredValue, title: String, indexTitle: String? = nil, footer: String? = nil,
    aggregates: AggregateValues = .empty
  ) {
    self.identity = identity
    self.title = title
    self.indexTitle = indexTitle
    self.footer = footer
    self.aggregates = aggregates
  }

  /// Returns the header with other aggregates.
  package func with(_ aggregates: AggregateValues) -> SourceSection {
    SourceSection(
      identity: identity, title: title, indexTitle: indexTitle, footer: footer,
      aggregates: aggregates)
  }

  /// Returns whether all texts have the same bytes: a title that changes from `é` as one scalar to
  /// `é` as two has changed, though Swift calls the two equal; and whether the aggregates are the
  /// same.
  public static func == (left: SourceSection, right: SourceSection) -> Bool {
    left.identity == right.identity
      && StoredValue.haveSameBytes(left.title, right.title)
      && haveSameBytes(left.indexTitle, right.indexTitle)
      && haveSameBytes(left.footer, right.footer)
      && left.aggregates == right.aggregates
  }

  private static func haveSameBytes(_ left: String?, _ right: String?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return StoredValue.haveSameBytes(left, right)
  }
}
