#if Server
  internal import HTTPTypes
  internal import Hummingbird
  internal import Logging
  internal import Sectile
  internal import SectileInspecting

  /// Answers errors by JSON with a code, a message and a hint.
  struct RefusalAnswers<Context: RequestContext>: RouterMiddleware {
    /// What clients are told of what SQLite says, which may name files and tables.
    let disclosure: Disclosure

    func handle(
      _ request: Request, context: Context,
      next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      do {
        return try await next(request, context)
      } catch let error as CancellationError {
        throw error
      } catch {
        let refusal = disclosure.refusal(of: error)
        if refusal.code == .internal { context.logger.error("\(error)") }
        return Response(refusal)
      }
    }
  }

  extension Refusal {
    /// Creates what an error amounts to for clients.
    init(_ error: any Error) {
      switch error {
      case let refusal as Refusal: self = refusal
      case let error as RequestError: self.init(error)
      case let error as StoreError: self.init(error)
      case let error as HTTPError where error.status == .notFound:
        self.init(.notFound, "there is no such path", hint: "GET /api/schema is one.")
      case let error as HTTPError where error.status.kind == .clientError:
        self.init(.badRequest, "the request makes no sense", hint: error.body)
      default: self.init(.internal, "\(error)", hint: "The log of the server says more.")
      }
    }

    private init(_ error: RequestError) {
      let code: Code =
        switch error.code {
        case .noSuchTable: .noSuchTable
        case .noSuchColumn: .noSuchColumn
        case .noKey: .noKey
        case .badAggregate: .badAggregate
        case .badSort: .badSort
        case .badLimit: .badLimit
        case .badExpression: .badExpression
        }
      self.init(code, error.message, hint: error.hint)
    }

    private init(_ error: StoreError) {
      switch error.code {
      case .busy, .storeClosed:
        self.init(.busy, error.message, hint: "Try again in a second.")
      case .interrupted:
        self.init(
          .timeout, "the query took too long",
          hint: "Ask for less: a condition that an index answers, or --query-timeout for more time."
        )
      case .tooBig:
        self.init(
          .sqlRefused, "a value is larger than the server reads or works out",
          hint: "Leave columns with large values out, and let expressions make smaller ones.")
      case .outOfMemory:
        self.init(
          .sqlRefused, "the request takes more memory than the server has for it",
          hint: "Ask for fewer rows, and let expressions make smaller values.")
      case .cannotOpen, .notADatabase, .fileReplaced:
        self.init(.unreadable, error.message, hint: error.hint)
      case .decodingFailed:
        self.init(
          .sqlRefused, error.message,
          hint: error.hint
            ?? "Keys and sections have to be UTF-8: group by hex(…) of it, or name another key.")
      case .duplicateKey:
        self.init(
          .noKey, error.message,
          hint: "Name columns that tell rows apart: key=NAME, once for each of them.")
      case .statementFailed, .valueCount, .notAuthorized, .invalidRequest, .aggregateTooLarge:
        self.init(.sqlRefused, error.message, hint: error.hint)
      default: self.init(.internal, error.message, hint: error.hint)
      }
    }

    /// The same for clients that are to know no tables and files.
    var withoutDetails: Refusal {
      switch code {
      // The key is the service's choice.
      case .noKey: Refusal(.internal, "the request cannot be answered", version: version)
      case .sqlRefused, .internal, .busy, .unreadable:
        Refusal(code, "the request cannot be answered", version: version)
      default: self
      }
    }
  }
#endif
