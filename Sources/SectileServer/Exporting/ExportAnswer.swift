#if Server
  internal import HTTPTypes
  internal import Hummingbird
  internal import Sectile
  internal import SectileInspecting

  /// All rows of a request as a file, written while they are read.
  ///
  /// Whatever is wrong with the request is told before the first byte. What goes wrong behind it
  /// ends the connection without an end of the answer: no client takes a part for the whole.
  struct ExportAnswer {
    /// A portion with a large row is written in pieces of so many bytes: a client that reads it
    /// slowly is not taken for one that reads nothing.
    private static let pieceBytes = 128 * 1024

    let source: FileSource
    let slots: ExportSlots

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - request: What is wanted.
    ///   - format: How it is written.
    ///   - plan: Returns the plan of the request, by whose key rows without an order come.
    /// - Returns: The answer.
    /// - Throws: ``Refusal``, `RequestError` and `StoreError`.
    func response(
      of request: TableRequest, as format: ExportFormat,
      plan: @escaping @Sendable () throws -> FetchPlan
    ) async throws -> Response {
      let slot = try slots.take()
      let (reader, first) = try await BlockingCalls.shared.run { [source] in
        try SQLCheck(source).check(request)
        var ordered = request
        let shown = try plan()
        if !shown.isByPlace { ordered.keys = shown.keyColumns }
        let reader = try ExportReader(ordered, as: format, from: source)
        return (reader, try reader.next())
      }
      let time = source.limits.exportTime
      return Response(
        status: .ok,
        headers: [
          .contentType: format.mediaType, .contentDisposition: format.disposition(of: reader.table),
          .cacheControl: "no-store",
        ],
        body: ResponseBody { writer in
          defer { slot.end() }
          let end = ContinuousClock.now + time
          var portion = first
          while let bytes = portion {
            for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
              let piece = bytes[start..<min(bytes.count, start + Self.pieceBytes)]
              try await writer.write(ByteBuffer(bytes: piece))
              // The file's log grows as long as its state is held.
              guard ContinuousClock.now < end else { throw CancellationError() }
            }
            portion = try await BlockingCalls.shared.run { try reader.next() }
          }
          try await writer.finish(nil)
        })
    }
  }
#endif
