/// Brings requests to a service and answers back, and knows nothing of what is in them.
///
/// `HTTPTransport` of the module `SectileHTTP` is one; a test needs no network:
///
/// ```swift
/// struct Canned: PageTransport {
///   func response(to request: PageRequest) async throws -> PageResponse {
///     PageResponse(body: Array("[1, 2, 3]".utf8))
///   }
/// }
/// ```
public protocol PageTransport: Sendable {
  /// Sends a request and returns the answer, whatever its status is.
  ///
  /// - Parameter request: What is asked for.
  /// - Returns: The answer with its whole body.
  /// - Throws: ``RemoteError`` with `bodyTooLarge`, `connectionFailed`, `timedOut` and the like;
  ///   not for a status.
  func response(to request: PageRequest) async throws -> PageResponse

  /// Returns the full address of a link that an answer has in it.
  ///
  /// - Parameters:
  ///   - link: The address as it was written: absolute, or relative to that of the answer.
  ///   - response: The answer.
  /// - Returns: What to ask for later; by default the link as it was written.
  func resolve(_ link: String, in response: PageResponse) -> String
}

extension PageTransport {
  /// Returns the link as it was written.
  public func resolve(_ link: String, in response: PageResponse) -> String { link }
}
