#if HTTP
  internal import AsyncHTTPClient
  internal import NIOHTTPCompression
  internal import SectileRemote

  extension RemoteError {
    /// Makes a remote error of what the HTTP client throws.
    init(transport error: any Error, address: String) {
      if let error = error as? RemoteError {
        self = error
      } else if let error = error as? HTTPClientError, Self.timeouts.contains(error) {
        self.init(
          code: .timedOut, message: "\(address) did not answer in time.",
          hint: "Try again later, or raise the timeouts of the transport.", cause: error)
      } else if let error = error as? HTTPClientError, Self.invalid.contains(error) {
        self.init(
          code: .invalidAddress, message: "\(address) cannot be asked: \(error)", cause: error)
      } else if error is NIOHTTPDecompression.DecompressionError {
        self.init(
          code: .bodyTooLarge, message: "The answer of \(address) cannot be decompressed: \(error)",
          hint: "Ask for smaller pages, or without compression.", cause: error)
      } else {
        self.init(
          code: .connectionFailed, message: "The connection to \(address) failed: \(error)",
          hint: "Check the address and the network.", cause: error)
      }
    }

    private static let timeouts: [HTTPClientError] = [
      .readTimeout, .writeTimeout, .connectTimeout, .deadlineExceeded, .tlsHandshakeTimeout,
      .getConnectionFromPoolTimeout,
    ]

    private static let invalid: [HTTPClientError] = [.invalidURL, .emptyHost, .emptyScheme]
  }
#endif
