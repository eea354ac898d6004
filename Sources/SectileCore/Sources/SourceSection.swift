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

  /// Creates a section header.
  public init(
    identity: StoredValue, title: String, indexTitle: String? = nil, footer: String? = nil
  ) {
    self.identity = identity
    self.title = title
    self.indexTitle = indexTitle
    self.footer = footer
  }

  /// Returns whether all texts have the same bytes: a title that changes from `é` as one scalar to `é`
  /// as two has changed, though Swift calls the two equal.
  public static func == (left: SourceSection, right: SourceSection) -> Bool {
    left.identity == right.identity
      && StoredValue.haveSameBytes(left.title, right.title)
      && haveSameBytes(left.indexTitle, right.indexTitle)
      && haveSameBytes(left.footer, right.footer)
  }

  private static func haveSameBytes(_ left: String?, _ right: String?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return StoredValue.haveSameBytes(left, right)
  }
}
