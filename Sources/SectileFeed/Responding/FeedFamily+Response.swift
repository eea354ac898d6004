internal import SectileCore

extension FeedFamily {
  /// Returns the answer to a client of a value: what an HTTP server writes.
  ///
  /// The client is asked about again as that of a feed:
  /// ``Feed/response(for:lastEventID:options:isStillAuthorized:)``.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - subscriber: Whom it is for; handed to the family's `authorize`.
  ///   - lastEventID: The header `Last-Event-ID` of the request; anything, or nil for none.
  ///   - options: How the client is told.
  ///   - isStillAuthorized: Says whether the client may be told more; nil asks the family's
  ///     `authorize` again.
  /// - Returns: The answer; its status is 200. The client counts until it is released.
  /// - Throws: What `authorize` and making the source throw; a `DataSourceError` with the code
  ///   `sourceReleased` where the family is finished.
  public func response(
    of value: Value, for subscriber: Subscriber, lastEventID: String? = nil,
    options: FeedResponse.Options = FeedResponse.Options(),
    isStillAuthorized: (@Sendable () async throws -> Bool)? = nil
  ) async throws -> FeedResponse {
    try await streams.response(to: subscriber, options) {
      let shape = try await authorize(subscriber, value)
      let events = try await self.events(
        of: value, in: shape, after: ServerSentEvents.position(lastEventID),
        buffering: options.buffering)
      let again: @Sendable () async throws -> Bool = { [authorize] in
        guard shape.isInterchangeable(with: try await authorize(subscriber, value)) else {
          throw OtherShape()
        }
        return true
      }
      return (events, isStillAuthorized ?? again)
    }
  }

  /// Has clients asked about again at once; see ``Feed/recheckAuthorization(where:)``.
  ///
  /// - Parameter isConcerned: Whether it concerns a client.
  /// - Complexity: O(*n*) for *n* open streams.
  public func recheckAuthorization(
    where isConcerned: (Subscriber) -> Bool = { _ in true }
  ) {
    streams.recheck(where: isConcerned)
  }

  /// Has one client asked about again at once, whatever value it looks at.
  ///
  /// - Parameter subscriber: Whom its streams are for.
  public func recheckAuthorization(of subscriber: Subscriber) where Subscriber: Equatable {
    recheckAuthorization { $0 == subscriber }
  }

  /// How many streams of answers there are, and what became of others.
  public var streamStatistics: FeedResponse.Statistics { streams.statistics }
}

extension FeedFamily where Subscriber == Void {
  /// Returns the answer to a client of a value; see
  /// ``response(of:for:lastEventID:options:isStillAuthorized:)``.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - lastEventID: The header `Last-Event-ID` of the request; anything, or nil for none.
  ///   - options: How the client is told.
  ///   - isStillAuthorized: Says whether the client may be told more.
  /// - Returns: The answer; its status is 200.
  /// - Throws: What making the source throws; `sourceReleased` where the family is finished.
  public func response(
    of value: Value, lastEventID: String? = nil,
    options: FeedResponse.Options = FeedResponse.Options(),
    isStillAuthorized: (@Sendable () async throws -> Bool)? = nil
  ) async throws -> FeedResponse {
    try await response(
      of: value, for: (), lastEventID: lastEventID, options: options,
      isStillAuthorized: isStillAuthorized)
  }
}
