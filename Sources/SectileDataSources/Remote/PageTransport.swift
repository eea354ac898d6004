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
  /// - Throws: ``RemoteError`` with `bodyTooLarge`, `connectionFailed`, `timedOut` and the like; not
  ///   for a status.
  func response(to request: PageRequest) async throws -> PageResponse
}
