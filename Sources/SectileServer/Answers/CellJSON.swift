#if Server
  internal import Sectile
  internal import SectileFeed

  /// Writes rows of values that are cut, as JSON.
  enum CellJSON {
    /// Appends a row: `{"id":[5],"cells":[5,"bash"]}`.
    ///
    /// - Throws: Nothing that a value could cause.
    static func append(_ row: CutRow, to bytes: inout [UInt8]) throws {
      bytes += "{\"id\":".utf8
      bytes += try ExactJSON.encode(row.id)
      bytes += ",\"cells\":[".utf8
      for (position, value) in row.values.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        append(value, to: &bytes)
      }
      bytes += "]}".utf8
    }

    /// Appends a value, or what there is of it.
    static func append(_ value: CutValue, to bytes: inout [UInt8]) {
      switch value {
      case .whole(let value): JSONBytes.append(value, to: &bytes)
      case .invalidText(let text): JSONBytes.append(invalidText: text, to: &bytes)
      case .cutText(let head, let count):
        bytes += "{\"$cut\":\"text\",\"length\":\(count),\"head\":".utf8
        JSONBytes.append(head, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
      case .cutBlob(let head, let count):
        bytes += "{\"$cut\":\"blob\",\"length\":\(count),\"head\":\"".utf8
        bytes += StoredValue.hexadecimal(head).utf8
        bytes += "\"}".utf8
      }
    }
  }
#endif
