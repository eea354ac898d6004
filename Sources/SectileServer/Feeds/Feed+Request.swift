#if Server
  public import Hummingbird
  public import SectileFeed

  extension Feed {
    /// Returns the answer to a client's request: a stream of server-sent events.
    ///
    /// ```swift
    /// router.get("parcels/events") { request, context in
    ///   try await feed.response(to: request, for: context.user)
    /// }
    /// ```
    ///
    /// It goes on after the request's `Last-Event-ID`. The stream ends with the feed, and when the
    /// server shuts down gracefully; a client that does not read is cut off. `Feed.response(for:)`
    /// of the module `SectileFeed` says how the client is asked about again.
    ///
    /// The stream is the last answer on its connection of HTTP/1.1, which is closed behind it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - subscriber: Whom it is for; handed to the feed's `authorize`.
    ///   - options: How the client is told.
    ///   - isStillAuthorized: Says whether the client may be told more; nil asks the feed's
    ///     `authorize` again.
    /// - Returns: The answer.
    /// - Throws: What `authorize` throws.
    public func response(
      to request: Request, for subscriber: Subscriber,
      options: FeedResponse.Options = FeedResponse.Options(),
      isStillAuthorized: (@Sendable () async throws -> Bool)? = nil
    ) async throws -> Response {
      try await response(
        for: subscriber, lastEventID: request.lastEventID, options: options,
        isStillAuthorized: isStillAuthorized
      ).response(to: request)
    }
  }

  extension Feed where Subscriber == Void {
    /// Returns the answer to a client's request: a stream of server-sent events.
    ///
    /// ```swift
    /// router.get("parcels/events") { request, _ in try await feed.response(to: request) }
    /// ```
    ///
    /// See ``response(to:for:options:isStillAuthorized:)``.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: How the client is told.
    ///   - isStillAuthorized: Says whether the client may be told more.
    /// - Returns: The answer.
    /// - Throws: What the feed's `authorize` throws.
    public func response(
      to request: Request, options: FeedResponse.Options = FeedResponse.Options(),
      isStillAuthorized: (@Sendable () async throws -> Bool)? = nil
    ) async throws -> Response {
      try await response(
        to: request, for: (), options: options, isStillAuthorized: isStillAuthorized)
    }
  }
#endif
