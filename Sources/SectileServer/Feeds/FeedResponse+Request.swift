#if Server
  internal import HTTPTypes
  internal import Hummingbird
  internal import SectileFeed
  internal import ServiceLifecycle

  /// How long a client may take to read the last of a stream.
  private let farewell = Duration.milliseconds(300)

  extension FeedResponse {
    /// Returns the answer as Hummingbird writes it.
    ///
    /// The stream ends when the client goes away, and when the server shuts down: then it is told
    /// what waits for it, and its connection is closed.
    func response(to request: Request) -> Response {
      var fields = HTTPFields()
      for field in headers { fields[HTTPField.Name(known: field.name)] = field.value }
      return Response(
        status: HTTPResponse.Status(code: status), headers: fields,
        body: ResponseBody { writer in
          let output = ResponseOutput(writer)
          // A client that goes away ends the task.
          try await request.body.consumeWithCancellationOnInboundClose { _ -> Void in
            let stream = start()
            try await withGracefulShutdownHandler {
              try await stream.write { bytes in
                try await output.write(bytes)
              } finishing: {
                try await output.finish()
              }
            } onGracefulShutdown: {
              stream.finish()
            }
            // It is the last answer on its connection, which an error closes: the client does that,
            // or has had the time to read what is on its way.
            try await Task.sleep(for: farewell)
            throw CancellationError()
          }
        })
    }
  }

  extension Request {
    /// Where a client stands that connects again.
    var lastEventID: String? { headers[.lastEventID] }
  }
#endif
