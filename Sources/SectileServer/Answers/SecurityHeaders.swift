#if Server
  /// What every answer says to browsers, errors included.
  enum SecurityHeaders {
    /// Nothing is loaded but this server's own files, nothing frames the page, and no form leaves
    /// it.
    static let contentSecurityPolicy =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
      + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// Names and values.
    static let all: [(name: String, value: String)] = [
      ("Content-Security-Policy", contentSecurityPolicy),
      ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cache-Control", "no-store"),
    ]
  }
#endif
