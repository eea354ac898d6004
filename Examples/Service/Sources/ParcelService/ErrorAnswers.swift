internal import Hummingbird
internal import Logging
internal import Sectile
internal import SectileFeed

/// Answers errors by JSON with a code and a hint; what went wrong in detail is logged.
///
/// The message of an error may name files and tables, which are no business of a client's.
struct ErrorAnswers: RouterMiddleware {
  private struct Answer: Encodable {
    let code: String
    let hint: String?
  }

  func handle(
    _ request: Request, context: ParcelContext,
    next: (Request, ParcelContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let refusal as Refusal {
      return try answer(refusal.status, refusal.code, refusal.hint)
    } catch let error as HTTPError {
      return try answer(error.status, "http\(error.status.code)", nil)
    } catch let error as StoreError {
      let status = HTTPResponse.Status(code: error.code.suggestedStatus)
      if status == .internalServerError { context.logger.error("\(error)") }
      if status == .serviceUnavailable { context.logger.warning("\(error)") }
      var response = try answer(status, "\(error.code)", hint(for: status))
      if let delay = error.code.suggestedRetryDelay {
        response.headers[.retryAfter] = "\(delay.components.seconds)"
      }
      return response
    } catch let error as CancellationError {
      throw error
    } catch {
      context.logger.error("\(error)")
      return try answer(.internalServerError, "unknown", hint(for: .internalServerError))
    }
  }

  private func answer(
    _ status: HTTPResponse.Status, _ code: String, _ hint: String?
  ) throws -> Response {
    .json(try ExactJSON.encode(Answer(code: code, hint: hint)), status: status)
  }

  private func hint(for status: HTTPResponse.Status) -> String {
    switch status {
    case .serviceUnavailable: "Try again later."
    case .internalServerError: "The log of the service says more."
    default: "The database's rules refuse it; change what you send."
    }
  }
}
