public import SectileCore

/// A section of a request, without its rows.
public struct FetchedSection: Hashable, Sendable {
  /// What makes the section this section.
  public let identity: StoredValue
  /// What it is called: the request's title for it, or its identity written out.
  public let title: String
  /// How many rows it has.
  public let count: Int

  /// Creates a section.
  public init(identity: StoredValue, title: String, count: Int) {
    self.identity = identity
    self.title = title
    self.count = count
  }
}
