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
        try append(value, to: &bytes)
      }
      bytes += "]}".utf8
    }

    private static func append(_ value: CutValue, to bytes: inout [UInt8]) throws {
      switch value {
      case .whole(let value): bytes += try ExactJSON.encode(value)
      case .invalidText(let text):
        bytes += "{\"$text\":\"\(hex(text))\"}".utf8
      case .cutText(let head, let count):
        bytes += "{\"$cut\":\"text\",\"length\":\(count),\"head\":".utf8
        bytes += try ExactJSON.encode(head)
        bytes.append(UInt8(ascii: "}"))
      case .cutBlob(let head, let count):
        bytes += "{\"$cut\":\"blob\",\"length\":\(count),\"head\":\"\(hex(head))\"}".utf8
      }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
      let digits = Array("0123456789abcdef".utf8)
      let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
      return String(decoding: text, as: UTF8.self)
    }
  }
#endif
