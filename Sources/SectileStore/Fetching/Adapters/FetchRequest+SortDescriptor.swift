public import Foundation
internal import SectileCore

extension FetchRequest {
  /// Sorts by Foundation's sort descriptors, among rows that the sort keys so far leave equal.
  ///
  /// ```swift
  /// let request = try FetchRequest<Package>().sort(by: [SortDescriptor(\.name, order: .reverse)])
  /// ```
  ///
  /// Text compares by the collation its column declares.
  ///
  /// - Throws: ``StoreError`` with the code `unsupportedPredicate` for a key path that is no
  ///   attribute, and for a comparator of text other than `.lexical`.
  public func sort(by descriptors: [SortDescriptor<E>]) throws(StoreError) -> Self {
    var terms: [SortTerm] = []
    for descriptor in descriptors {
      guard let keyPath = descriptor.keyPath,
        let column = E.schema.column(ofPredicate: keyPath)
      else {
        throw StoreError(
          .unsupportedPredicate,
          message: "A sort descriptor of \(E.self) names no attribute of its schema.",
          hint: "Use a property that the schema lists, or sort(by:) with a field.")
      }
      if let comparator = descriptor.stringComparator, comparator != .lexical {
        throw StoreError(
          .unsupportedPredicate,
          message: "A sort descriptor of \(E.self) compares text as SQLite cannot.",
          hint: "Use the comparator .lexical, or sort(by:) with a collation.")
      }
      terms.append(
        SortTerm(
          .column(.base(E.schema.table), column),
          descriptor.order == .forward ? .ascending : .descending))
    }
    return with { $0.sortTerms += terms }
  }
}
