/// What a service answered: status, header fields and the whole body.
public struct PageResponse: Hashable, Sendable {
  /// The status code.
  public var status: Int
  /// The header fields.
  public var headers: HeaderFields
  /// The body, decompressed.
  public var body: [UInt8]
  /// The address that answered, after redirects, where the transport knows.
  public var url: String?

  /// Creates a response.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - headers: The header fields.
  ///   - body: The body, decompressed.
  ///   - url: The address that answered, after redirects.
  public init(
    status: Int = 200, headers: HeaderFields = [:], body: [UInt8] = [], url: String? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }
}
