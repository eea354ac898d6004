#if Server
  public import Hummingbird
  internal import HTTPTypes
  internal import Logging
  internal import Sectile
  internal import SectileFeed

  /// Answers the errors of a store by JSON, with the status that their codes suggest.
  ///
  /// ```swift
  /// let router = Router()
  /// router.add(middleware: StoreErrorAnswers())
  /// router.put("parcels/:id") { request, context in
  ///   try await store.write { try $0.insert(parcel) }
  ///   return HTTPResponse.Status.noContent
  /// }
  /// // 409 {"code":"uniqueConstraint","message":"It contradicts what is stored.","hint":"Read …"}
  /// ```
  ///
  /// The status is `StoreError.Code.suggestedStatus`, and 503 comes with `Retry-After`. Of the
  /// errors of data sources, `noSuchPath` is 404 and `sourceReleased` 503; other errors of the
  /// library are 500. All other errors go on to whoever stands before it: the routes' own, those
  /// that Hummingbird answers (`HTTPResponseError`), and cancellations.
  ///
  /// Messages of the library hold no stored values. But they name files, tables and columns, which
  /// are no business of strangers: so clients get one sentence for each status, and the message is
  /// logged, as an error for 500 and as a warning for 503. For clients that are yours, show
  /// details.
  public struct StoreErrorAnswers<Context: RequestContext>: RouterMiddleware {
    private let showsDetails: Bool

    /// Creates a middleware.
    ///
    /// - Parameter showsDetails: Whether clients get the message and the hint of the error itself,
    ///   which name files, tables and columns.
    public init(showingDetails showsDetails: Bool = false) { self.showsDetails = showsDetails }

    /// Answers a request by the next part of the chain, and its errors.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: What comes with it.
    ///   - next: What answers it.
    /// - Returns: The answer.
    /// - Throws: Errors that are not the library's.
    public func handle(
      _ request: Request, context: Context,
      next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      do {
        return try await next(request, context)
      } catch let error as any SectileError where !(error is any HTTPResponseError) {
        let answer = StoreErrorAnswer(to: error, showsDetails: showsDetails)
        switch answer.status {
        case 503: context.logger.warning("\(error)")
        case 500: context.logger.error("\(error)")
        default: break
        }
        return try Response(answer)
      }
    }
  }

  /// What a client is told of an error.
  struct StoreErrorAnswer: Encodable {
    let status: Int
    let retryDelay: Duration?
    let code: String
    let message: String
    let hint: String?

    private enum CodingKeys: String, CodingKey { case code, message, hint }

    init(to error: any SectileError, showsDetails: Bool) {
      switch error {
      case let error as StoreError:
        (status, retryDelay) = (error.code.suggestedStatus, error.code.suggestedRetryDelay)
      case let error as DataSourceError where error.code == .noSuchPath:
        (status, retryDelay) = (404, nil)
      case let error as DataSourceError where error.code == .sourceReleased:
        (status, retryDelay) = (503, .seconds(1))
      default: (status, retryDelay) = (500, nil)
      }
      code = "\(error.code)"
      let sentences = Self.sentences(for: status)
      message = showsDetails ? error.message : sentences.message
      hint = showsDetails ? error.hint : sentences.hint
    }

    /// What strangers may know.
    private static func sentences(for status: Int) -> (message: String, hint: String) {
      switch status {
      case 400: ("The request makes no sense.", "Correct it; the same will be refused again.")
      case 403: ("It is not allowed.", "Ask whoever runs the service.")
      case 404: ("It is not there.", "Read again: it may have been deleted.")
      case 409: ("It contradicts what is stored.", "Read again, and decide anew.")
      case 413: ("A value is too large.", "Send a smaller one.")
      case 422: ("The values do not do.", "Change what you send; the same will be refused again.")
      case 503: ("It is not possible at the moment.", "Try again later.")
      default: ("The request cannot be answered.", "The log of the service says more.")
      }
    }
  }

  extension Response {
    /// Creates the answer to a request that met an error of the library.
    fileprivate init(_ answer: StoreErrorAnswer) throws {
      self = .json(try ExactJSON.encode(answer), status: HTTPResponse.Status(code: answer.status))
      headers[.cacheControl] = "no-store"
      if let delay = answer.retryDelay {
        headers[.retryAfter] = "\(max(1, delay.components.seconds))"
      }
    }
  }
#endif
