internal import SectileCore

extension Feed {
  /// Returns the answer to a client: what an HTTP server writes.
  ///
  /// ```swift
  /// let answer = try await feed.response(
  ///   for: user, lastEventID: request.headers["Last-Event-ID"])
  /// ```
  ///
  /// A stream may outlive what its client is allowed to see. So the client is asked about again
  /// when an event is about to be sent, if the last answer is older than
  /// ``FeedResponse/Options/authorizationInterval``, and at once after
  /// ``recheckAuthorization(where:)``; the event waits for the answer.
  ///
  /// - Parameters:
  ///   - subscriber: Whom it is for; handed to the feed's `authorize`.
  ///   - lastEventID: The header `Last-Event-ID` of the request; anything, or nil for none.
  ///   - options: How the client is told.
  ///   - isStillAuthorized: Says whether the client may be told more. Where it returns false,
  ///     nothing of what waits is sent: the last event is `refused`, and a client of this library
  ///     does not come back by itself. Where it throws, the stream ends without a word, and the
  ///     client comes back to be let in, or not. Nil asks the feed's `authorize` again: what it
  ///     throws, or a shape of another name, ends the stream without a word.
  /// - Returns: The answer; its status is 200.
  /// - Throws: What `authorize` throws.
  public func response(
    for subscriber: Subscriber, lastEventID: String? = nil,
    options: FeedResponse.Options = FeedResponse.Options(),
    isStillAuthorized: (@Sendable () async throws -> Bool)? = nil
  ) async throws -> FeedResponse {
    try await streams.response(to: subscriber, options) {
      let shape = try await authorize(subscriber)
      let events = self.events(
        in: shape, after: ServerSentEvents.position(lastEventID), buffering: options.buffering)
      let again: @Sendable () async throws -> Bool = { [authorize] in
        guard shape.isInterchangeable(with: try await authorize(subscriber)) else {
          throw OtherShape()
        }
        return true
      }
      return (events, isStillAuthorized ?? again)
    }
  }

  /// Has clients asked about again at once: nothing that is not on its way is sent before the
  /// answer.
  ///
  /// ```swift
  /// feed.recheckAuthorization { $0.id == user.id }  // the user's rights have changed
  /// ```
  ///
  /// It concerns the streams of answers, ``response(for:lastEventID:options:isStillAuthorized:)``.
  ///
  /// - Parameter isConcerned: Whether it concerns a client.
  /// - Complexity: O(*n*) for *n* open streams.
  public func recheckAuthorization(
    where isConcerned: (Subscriber) -> Bool = { _ in true }
  ) {
    streams.recheck(where: isConcerned)
  }

  /// Has one client asked about again at once; see ``recheckAuthorization(where:)``.
  ///
  /// - Parameter subscriber: Whom its streams are for.
  public func recheckAuthorization(of subscriber: Subscriber) where Subscriber: Equatable {
    recheckAuthorization { $0 == subscriber }
  }

  /// How many streams of answers there are, and what became of others.
  public var streamStatistics: FeedResponse.Statistics { streams.statistics }
}

extension Feed where Subscriber == Void {
  /// Returns the answer to a client; see ``response(for:lastEventID:options:isStillAuthorized:)``.
  ///
  /// - Parameters:
  ///   - lastEventID: The header `Last-Event-ID` of the request; anything, or nil for none.
  ///   - options: How the client is told.
  ///   - isStillAuthorized: Says whether the client may be told more.
  /// - Returns: The answer; its status is 200.
  /// - Throws: What `authorize` throws.
  public func response(
    lastEventID: String? = nil, options: FeedResponse.Options = FeedResponse.Options(),
    isStillAuthorized: (@Sendable () async throws -> Bool)? = nil
  ) async throws -> FeedResponse {
    try await response(
      for: (), lastEventID: lastEventID, options: options, isStillAuthorized: isStillAuthorized)
  }
}
