#if Server
  internal import HTTPTypes
  internal import Hummingbird

  /// Lets nobody pass without a session, and begins one for who has the token.
  struct SessionGate: RouterMiddleware {
    typealias Context = ServingContext

    let sessions: Sessions
    /// The name of the cookie, which tells two servers of one host apart.
    let cookieName: @Sendable () -> String

    func handle(
      _ request: Request, context: ServingContext,
      next: (Request, ServingContext) async throws -> Response
    ) async throws -> Response {
      let parameters = try QueryParameters(request.uri.query)
      let cookies = SessionCookie.values(of: cookieName(), in: request.headers[values: .cookie])
      let session = sessions.session(among: cookies)
      if request.uri.path == "/", request.method == .get, let token = try parameters.one("token") {
        if let response = begin(token, request, hasSession: session != nil) { return response }
      }
      guard let session else {
        guard request.uri.path == "/" else {
          throw Refusal(
            .unauthorized, "there is no session",
            hint: "Open the address that sectile serve printed; programs keep its cookie.")
        }
        return Response(
          status: .unauthorized, headers: [.contentType: "text/html; charset=utf-8"],
          body: ResponseBody(byteBuffer: ByteBuffer(string: Self.page)))
      }
      var context = context
      context.session = session
      return try await next(request, context)
    }

    /// Begins a session; nil where the token is not good, and there is no session either.
    private func begin(_ token: String, _ request: Request, hasSession: Bool) -> Response? {
      let rest = (request.uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("token=") }
      var headers: HTTPFields = [
        .location: "/" + (rest.isEmpty ? "" : "?\(rest.joined(separator: "&"))")
      ]
      if let cookie = sessions.isNeeded ? sessions.redeem(token) : nil {
        headers[.setCookie] = "\(cookieName())=\(cookie); HttpOnly; SameSite=Strict; Path=/"
      } else if !hasSession {
        return nil
      }
      return Response(status: .seeOther, headers: headers)
    }

    private static let page = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>Sectile</title>
      <h1>No session</h1>
      <p>Open the address that <code>sectile serve</code> printed last. Each is good for one browser.</p>
      </html>

      """
  }

  /// Reads the header that browsers send their cookies in.
  enum SessionCookie {
    /// Returns the values of a cookie.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - headers: The values of the header fields `Cookie`.
    /// - Returns: The values; several where somebody set cookies of one name for several paths.
    static func values(of name: String, in headers: [String]) -> [String] {
      headers.flatMap { $0.split(separator: ";") }.compactMap { pair in
        let pair = pair.drop { $0 == " " }
        guard pair.hasPrefix("\(name)=") else { return nil }
        return String(pair.dropFirst(name.count + 1))
      }
    }
  }
#endif
