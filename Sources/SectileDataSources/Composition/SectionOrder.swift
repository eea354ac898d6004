internal import SectileCore

/// In which order the sections of an ``Arranging`` stand.
struct SectionOrder: Sendable {
  /// Compares two headers; nil where the sections stand as their first items do.
  let areInIncreasingOrder: (@Sendable (SourceSection, SourceSection) -> Bool)?

  private init(_ areInIncreasingOrder: (@Sendable (SourceSection, SourceSection) -> Bool)?) {
    self.areInIncreasingOrder = areInIncreasingOrder
  }

  /// Sections stand in the order in which their first items stand in the source.
  static let firstItem = SectionOrder(nil)

  /// Sections stand in the order of their identities: numbers, text by bytes, as SQLite sorts them.
  static let identity = SectionOrder { $0.identity < $1.identity }

  /// Sections stand in the opposite order of their identities.
  static let descendingIdentity = SectionOrder { $1.identity < $0.identity }

  /// Returns the order of identities in a direction; that of the first items where there is none.
  static func of(_ direction: SortDirection?) -> SectionOrder {
    switch direction {
    case nil: .firstItem
    case .ascending: .identity
    case .descending: .descendingIdentity
    }
  }
}
