// Former names, for those who used them before the first release.

public import SectileCore

extension DataSourceError {
  /// The former name of ``DataSourceError/sourceErrors``.
  @available(*, deprecated, renamed: "sourceErrors")
  public var inputFailures: [any Error] { sourceErrors }
}

extension FetchLimit {
  /// The former name of ``FetchLimit/failing(beyond:)``.
  @available(*, deprecated, renamed: "failing(beyond:)")
  public static func atMost(_ count: Int = 1_000_000) -> FetchLimit { .failing(beyond: count) }

  /// The former name of ``FetchLimit/prefix(_:)``.
  @available(*, deprecated, renamed: "prefix(_:)")
  public static func first(_ count: Int) -> FetchLimit { .prefix(count) }

  /// The former name of ``FetchLimit/suffix(_:)``.
  @available(*, deprecated, renamed: "suffix(_:)")
  public static func latest(_ count: Int) -> FetchLimit { .suffix(count) }
}
