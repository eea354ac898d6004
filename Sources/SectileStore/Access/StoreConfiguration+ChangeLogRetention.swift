extension StoreConfiguration {
  /// How much of a change log is kept.
  ///
  /// Old rows are removed by the commits of stores, about a thousand at a time.
  public struct ChangeLogRetention: Hashable, Sendable {
    /// How many rows are kept; 100,000 by default.
    public var rowCount = 100_000
    /// How long rows are kept; seven days by default, nil for as long as there is room.
    public var age: Duration? = .seconds(7 * 86_400)
    /// For how long what a named reader has not read is kept after it was heard of last; a day by
    /// default.
    public var lease = Duration.seconds(86_400)
    /// How many rows are kept at most for named readers; a million by default.
    public var heldRowCount = 1_000_000

    /// Creates the defaults.
    public init() {}
  }
}
