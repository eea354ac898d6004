/// Where a service is.
public struct ServerAddress: Hashable, Sendable {
  /// Its host.
  public let host: String
  /// Its port.
  public let port: Int

  /// Creates an address.
  public init(host: String, port: Int) {
    self.host = host
    self.port = port
  }
}

/// What a client meets.
public struct ClientError: Error, Hashable, CustomStringConvertible {
  /// What happened.
  public let description: String

  /// The connection ended before the answer did.
  public static let cutOff = ClientError(description: "the connection was cut off")

  /// The answer is another than was hoped for.
  ///
  /// - Parameters:
  ///   - status: Its status.
  ///   - bytes: What it says.
  /// - Returns: The error.
  public static func refused(_ status: Int, _ bytes: [UInt8]) -> ClientError {
    ClientError(description: "status \(status): \(String(decoding: bytes, as: UTF8.self))")
  }
}
