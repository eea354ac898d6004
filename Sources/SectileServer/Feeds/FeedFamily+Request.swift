#if Server
  public import Hummingbird
  public import SectileFeed

  extension FeedFamily {
    /// Returns the answer to a client's request: a stream of server-sent events of a value's feed.
    ///
    /// ```swift
    /// router.get("owners/:id/events") { request, context in
    ///   let owner = try context.parameters.require("id", as: Int64.self)
    ///   return try await feeds.response(to: request, of: owner, for: context.user)
    /// }
    /// ```
    ///
    /// It ends, and cuts clients off, as that of a `Feed`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - value: The value.
    ///   - subscriber: Whom it is for; handed to the family's `authorize`.
    ///   - options: How the client is told.
    ///   - isStillAuthorized: Says whether the client may be told more; nil asks the family's
    ///     `authorize` again.
    /// - Returns: The answer.
    /// - Throws: What `authorize` and making the source throw; a `DataSourceError` with the code
    ///   `sourceReleased` where the family is finished.
    public func response(
      to request: Request, of value: Value, for subscriber: Subscriber,
      options: FeedResponse.Options = FeedResponse.Options(),
      isStillAuthorized: (@Sendable () async throws -> Bool)? = nil
    ) async throws -> Response {
      try await response(
        of: value, for: subscriber, lastEventID: request.lastEventID, options: options,
        isStillAuthorized: isStillAuthorized
      ).response(to: request)
    }
  }

  extension FeedFamily where Subscriber == Void {
    /// Returns the answer to a client's request; see
    /// ``response(to:of:for:options:isStillAuthorized:)``.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - value: The value.
    ///   - options: How the client is told.
    ///   - isStillAuthorized: Says whether the client may be told more.
    /// - Returns: The answer.
    /// - Throws: What making the source throws; `sourceReleased` where the family is finished.
    public func response(
      to request: Request, of value: Value,
      options: FeedResponse.Options = FeedResponse.Options(),
      isStillAuthorized: (@Sendable () async throws -> Bool)? = nil
    ) async throws -> Response {
      try await response(
        to: request, of: value, for: (), options: options, isStillAuthorized: isStillAuthorized)
    }
  }
#endif
