public import SectileCore

extension FeedFamily where Subscriber == Void {
  /// Creates a family for everybody, who sees all of each item.
  ///
  /// - Parameters:
  ///   - lingering: How long a feed is kept after its last client has left.
  ///   - configuration: How much each feed keeps.
  ///   - clock: What measures the time.
  ///   - member: Makes the source of a value, and loads it; called for the first client.
  public convenience init(
    lingering: Duration = .seconds(30), configuration: FeedConfiguration = FeedConfiguration(),
    clock: any Clock<Duration> = ContinuousClock(),
    member: @escaping @Sendable (Value) async throws -> Member
  ) where Source.ItemID: Encodable, Source.Item: Encodable {
    let shape = Shape()
    self.init(
      lingering: lingering, configuration: configuration, clock: clock,
      authorize: { _, _ in shape }, member: member)
  }

  /// Subscribes a client; see ``events(of:for:after:buffering:)``.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - position: What the client has.
  ///   - buffering: What is done if the client is slow.
  /// - Returns: What to tell it.
  /// - Throws: What making the source throws; `sourceReleased` where the family is finished.
  public func events(
    of value: Value, after position: FeedPosition? = nil, buffering: FeedBuffering = .coalescing
  ) async throws -> FeedEvents {
    try await events(of: value, for: (), after: position, buffering: buffering)
  }
}
