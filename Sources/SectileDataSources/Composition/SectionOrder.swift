internal import SectileCore

/// In which order the sections of ``SectileCore/DataSource/sectioned(order:by:)`` stand.
public struct SectionOrder: Sendable {
  /// Compares two headers; nil where the sections stand as their first items do.
  let areInIncreasingOrder: (@Sendable (SourceSection, SourceSection) -> Bool)?

  private init(_ areInIncreasingOrder: (@Sendable (SourceSection, SourceSection) -> Bool)?) {
    self.areInIncreasingOrder = areInIncreasingOrder
  }

  /// Sections stand in the order in which their first items stand in the source.
  public static let firstItem = SectionOrder(nil)

  /// Sections stand in the order of their identities: numbers, text by bytes, as SQLite sorts them.
  public static let identity = SectionOrder { $0.identity < $1.identity }

  /// Sections stand in the opposite order of their identities.
  public static let descendingIdentity = SectionOrder { $1.identity < $0.identity }
}
