#if Server
  internal import HTTPTypes
  internal import Hummingbird
  internal import Sectile

  /// The bytes of one value.
  struct CellAnswer {
    /// How many bytes are written at once.
    private static let portion = 256 * 1024

    let view: LiveView
    let limits: ViewLimits

    /// Reads the value.
    ///
    /// - Parameters:
    ///   - version: Of which version; nil for the newest.
    ///   - clientPosition: What the client was told last, whose version it is to be; nil where it
    ///     does not say.
    ///   - rank: The rank of its row.
    ///   - column: The name of its column.
    ///   - isDownload: Whether a browser is to save it instead of showing it.
    /// - Returns: The answer.
    /// - Throws: ``Refusal`` where the version is not held any more, and for what is not there;
    ///   `StoreError`.
    func response(
      of version: Int?, after clientPosition: String?, at rank: Int, column: String,
      isDownload: Bool
    ) async throws -> Response {
      let edition = view.edition
      try edition.requireFollower(at: clientPosition)
      let snapshot = try edition.snapshot(version)
      guard
        let position = edition.plan.itemColumns.firstIndex(where: {
          $0 == column || $0.lowercased() == column.lowercased()
        })
      else {
        throw Refusal(
          .noSuchColumn, "the rows have no column '\(column)'",
          hint: "There are: \(edition.plan.itemColumns.joined(separator: ", ")).")
      }
      guard rank < snapshot.numberOfItems else {
        throw Refusal(.notFound, "there is no row of the rank \(rank)")
      }
      do {
        let path = snapshot.path(atRank: rank)
        let cut = try await snapshot.cutRows(at: [path], showing: edition.plan.itemColumns.count)
        let size = cut.first?.values.reduce(0) { $0 + $1.byteCount } ?? 0
        guard size <= limits.cellBytes else {
          throw Refusal(
            .tooLarge, "the row has \(size) bytes", hint: "Read it with sectile sqlite.")
        }
        guard let item = try await snapshot.wholeRow(at: path) else {
          throw Refusal(.notFound, "there is no row of the rank \(rank)")
        }
        let name = edition.plan.itemColumns[position]
        let content = CellContent(
          item.row[name] ?? .null, isInvalidText: item.invalidTextColumns.contains(name))
        return response(of: content, isDownload: isDownload)
      } catch let error as StoreError where error.code == .itemChangedElsewhere {
        try await view.look()
        throw edition.gone(snapshot.version)
      }
    }

    private func response(of content: CellContent, isDownload: Bool) -> Response {
      var headers: HTTPFields = [
        .contentType: content.mediaType, .sectileType: content.kind,
      ]
      if isDownload {
        headers[.contentDisposition] = "attachment; filename=\"cell.\(content.fileExtension)\""
      }
      let bytes = content.bytes
      return Response(
        status: .ok, headers: headers,
        body: ResponseBody(contentLength: bytes.count) { writer in
          for start in stride(from: 0, to: bytes.count, by: Self.portion) {
            let end = min(bytes.count, start + Self.portion)
            try await writer.write(ByteBuffer(bytes: bytes[start..<end]))
          }
          try await writer.finish(nil)
        })
    }
  }

  extension HTTPField.Name {
    /// The storage class of the value that an answer consists of.
    fileprivate static let sectileType = HTTPField.Name(known: "X-Sectile-Type")
  }

  extension CutValue {
    /// How many bytes the value has, about; none for numbers.
    fileprivate var byteCount: Int {
      switch self {
      case .whole(.text(let text)): text.utf8.count
      case .whole(.blob(let bytes)), .invalidText(let bytes): bytes.count
      case .whole: 0
      case .cutText(_, let count), .cutBlob(_, let count): count
      }
    }
  }

  /// A value as bytes, and what browsers take them for.
  struct CellContent: Sendable {
    /// The bytes: those of texts and blobs, numbers as text.
    let bytes: [UInt8]
    /// The storage class.
    let kind: String
    /// What browsers are told; only pictures are ever shown, and no format that may hold a script.
    let mediaType: String
    /// What a file of it is called.
    let fileExtension: String

    init(_ value: StoredValue, isInvalidText: Bool) {
      let text = "text/plain; charset=utf-8"
      switch value {
      case .null: (bytes, kind, mediaType, fileExtension) = ([], "null", text, "txt")
      case .integer(let number):
        (bytes, kind, mediaType, fileExtension) = (Array("\(number)".utf8), "integer", text, "txt")
      case .real(let number):
        (bytes, kind, mediaType, fileExtension) = (Array("\(number)".utf8), "real", text, "txt")
      case .text(let value):
        (bytes, kind, mediaType, fileExtension) = (Array(value.utf8), "text", text, "txt")
      case .blob(let blob):
        bytes = blob
        kind = isInvalidText ? "text" : "blob"
        (mediaType, fileExtension) = Self.picture(blob) ?? ("application/octet-stream", "bin")
      }
    }

    private static func picture(_ bytes: [UInt8]) -> (String, String)? {
      if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
        return ("image/png", "png")
      }
      if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return ("image/jpeg", "jpg") }
      if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
        return ("image/gif", "gif")
      }
      if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
        return ("image/webp", "webp")
      }
      return nil
    }
  }
#endif
