#if Server
  internal import HTTPTypes
  internal import Hummingbird

  extension Response {
    /// Creates an answer of JSON.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
      Response(
        status: status, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Creates the answer to a request that is refused.
    init(_ refusal: Refusal) {
      self = .json(refusal.json, status: HTTPResponse.Status(code: refusal.code.status))
      if refusal.code.status == 503 { headers[.retryAfter] = "1" }
    }
  }
#endif
