#if Server
  internal import HTTPTypes
  internal import Hummingbird
  internal import Sectile
  internal import SectileFeed

  /// The sections of the newest version with their counts and aggregates, without rows.
  struct SectionsAnswer {
    /// How many sections are written at once.
    private static let portion = 500

    let snapshot: ResultsSnapshot<UntypedRow>

    func response() throws -> Response {
      let snapshot = snapshot
      var head = Array(
        "{\"format\":2,\"version\":\(snapshot.version),\"total\":\(snapshot.numberOfItems),\"aggregates\":"
          .utf8)
      head +=
        try snapshot.aggregates.isEmpty ? Array("{}".utf8) : ExactJSON.encode(snapshot.aggregates)
      head += ",\"sections\":[".utf8
      return Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: ResponseBody { [head] writer in
          var bytes = head
          let sections = snapshot.sections
          for (ordinal, section) in sections.enumerated() {
            if ordinal > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += "{\"header\":".utf8
            bytes += try ExactJSON.encode(section)
            bytes += ",\"count\":\(snapshot.numberOfItems(in: ordinal))}".utf8
            if ordinal % Self.portion == Self.portion - 1 {
              try await writer.write(ByteBuffer(bytes: bytes))
              bytes.removeAll(keepingCapacity: true)
            }
          }
          bytes += "]}".utf8
          try await writer.write(ByteBuffer(bytes: bytes))
          try await writer.finish(nil)
        })
    }
  }
#endif
