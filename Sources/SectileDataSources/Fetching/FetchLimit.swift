public import SectileCore

/// How many items a ``FetchedDataSource`` keeps, and what happens beyond.
public struct FetchLimit: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case failing, prefix, suffix
  }

  let kind: Kind
  /// The number of items.
  public let count: Int

  private init(_ kind: Kind, _ count: Int) {
    precondition(count > 0, "a limit of \(count) items leaves none")
    self.kind = kind
    self.count = count
  }

  /// Beyond so many items the load fails with `tooManyItems`; a million of them unless told
  /// otherwise.
  ///
  /// - Precondition: `count` is positive.
  public static func failing(beyond count: Int = 1_000_000) -> FetchLimit {
    FetchLimit(.failing, count)
  }

  /// So many items are kept; once they are there, the fetcher is told that no more is wanted, and
  /// the load has finished when it returns.
  ///
  /// - Precondition: `count` is positive.
  public static func prefix(_ count: Int) -> FetchLimit { FetchLimit(.prefix, count) }

  /// The items that came last are kept: each further one drives the first one out.
  ///
  /// - Precondition: `count` is positive.
  public static func suffix(_ count: Int) -> FetchLimit { FetchLimit(.suffix, count) }
}

extension DataSourceError.Code {
  /// More items came than the source's limit allows.
  public static let tooManyItems = DataSourceError.Code("tooManyItems")
}

extension DataSourceError {
  static func tooManyItems(_ limit: Int) -> DataSourceError {
    DataSourceError(
      code: .tooManyItems, message: "More than \(limit) items were fetched.",
      hint: "Raise the source's limit, or keep the first or the latest of them only.")
  }
}
