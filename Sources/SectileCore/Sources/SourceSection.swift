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
}
