internal import AsyncHTTPClient
internal import NIOCore
public import NIOHTTP1

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

  /// Returns the address of one of its routes.
  func url(of path: String) -> String { "http://\(host):\(port)\(path)" }

  /// Asks, and reads the whole answer.
  ///
  /// - Parameters:
  ///   - method: What is asked.
  ///   - path: Of what.
  ///   - body: The bytes that go with it.
  /// - Returns: The status, and the bytes of the answer.
  /// - Throws: What the connection throws.
  public func answer(
    _ method: HTTPMethod, _ path: String, _ body: [UInt8] = []
  ) async throws -> (status: Int, bytes: [UInt8]) {
    var request = HTTPClientRequest(url: url(of: path))
    request.method = method
    if !body.isEmpty {
      request.headers.add(name: "Content-Type", value: "application/json")
      request.body = .bytes(ByteBuffer(bytes: body))
    }
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
    let bytes = try await response.body.collect(upTo: 256 * 1_024 * 1_024)
    return (Int(response.status.code), Array(bytes.readableBytesView))
  }
}

/// What a client meets.
public struct ClientError: Error, Hashable, CustomStringConvertible {
  /// What happened.
  public let description: String

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
