#if Postgres
  extension PostgresArray {
    /// The server's text of an array, from its JSON as ``json(array:of:)`` makes it; nil for
    /// another text.
    ///
    /// ```
    /// [[1,2],[3,null]]             {{1,2},{3,NULL}}
    /// ["a","b \"c\"",null,"NULL"]  {a,"b \"c\"",NULL,"NULL"}
    /// "[0:1]={a,b}"                [0:1]={a,b}
    /// ```
    static func arrayText(json: String) -> String? {
      var reader = JSONPieces(json)
      if reader.next == UInt8(ascii: "\"") {
        guard let text = reader.string(), reader.isAtEnd else { return nil }
        return String(validating: text, as: UTF8.self)
      }
      var (text, depth) = ([UInt8](), 0)
      while let byte = reader.next {
        switch byte {
        case UInt8(ascii: "["):
          depth += 1
          text.append(UInt8(ascii: "{"))
          reader.skip()
        case UInt8(ascii: "]"):
          depth -= 1
          text.append(UInt8(ascii: "}"))
          reader.skip()
        case UInt8(ascii: ","):
          text.append(byte)
          reader.skip()
        case UInt8(ascii: "\""):
          guard let element = reader.string() else { return nil }
          text += needsQuotes(element) ? quoted(element) : element
        default:
          let word = reader.word()
          switch String(decoding: word, as: UTF8.self) {
          case "": return nil
          case "null": text += "NULL".utf8
          case "true": text += "t".utf8
          case "false": text += "f".utf8
          default: text += word
          }
        }
      }
      return depth == 0 && text.first == UInt8(ascii: "{")
        ? String(validating: text, as: UTF8.self) : nil
    }

    /// The server's text of an `hstore`, from its JSON as ``json(hstore:)`` makes it, with the
    /// names in its order; nil for another text.
    static func hstoreText(json: String) -> String? {
      var reader = JSONPieces(json)
      guard reader.next == UInt8(ascii: "{") else { return nil }
      reader.skip()
      var text: [UInt8] = []
      while let byte = reader.next, byte != UInt8(ascii: "}") {
        if !text.isEmpty {
          guard byte == UInt8(ascii: ",") else { return nil }
          reader.skip()
          text += ", ".utf8
        }
        guard let name = reader.string(), reader.next == UInt8(ascii: ":") else { return nil }
        reader.skip()
        text += quoted(name) + "=>".utf8
        if reader.next == UInt8(ascii: "\"") {
          guard let value = reader.string() else { return nil }
          text += quoted(value)
        } else {
          guard reader.word().elementsEqual("null".utf8) else { return nil }
          text += "NULL".utf8
        }
      }
      guard reader.next != nil else { return nil }
      reader.skip()
      return reader.isAtEnd ? String(validating: text, as: UTF8.self) : nil
    }

    /// Whether the server puts an element in quotes.
    private static func needsQuotes(_ element: [UInt8]) -> Bool {
      if element.isEmpty { return true }
      if element.map({ $0 | 0x20 }) == Array("null".utf8) { return true }
      return element.contains { byte in
        "\"\\{},".utf8.contains(byte) || byte == 0x20 || (0x09...0x0D).contains(byte)
      }
    }

    private static func quoted(_ element: [UInt8]) -> [UInt8] {
      var text: [UInt8] = [UInt8(ascii: "\"")]
      for byte in element {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
          text.append(UInt8(ascii: "\\"))
        }
        text.append(byte)
      }
      return text + [UInt8(ascii: "\"")]
    }
  }

  /// The pieces of JSON without white space, one after the other.
  private struct JSONPieces {
    private var bytes: ArraySlice<UInt8>

    init(_ json: String) { bytes = ArraySlice(Array(json.utf8)) }

    /// The byte that stands next; nil at the end.
    var next: UInt8? { bytes.first }

    var isAtEnd: Bool { bytes.isEmpty }

    /// Goes beyond the byte that stands next.
    mutating func skip() { bytes = bytes.dropFirst() }

    /// Reads what no bracket, comma, colon or quote ends.
    mutating func word() -> ArraySlice<UInt8> {
      let word = bytes.prefix { !"[]{},:\"".utf8.contains($0) }
      bytes = bytes[word.endIndex...]
      return word
    }

    /// Reads a string; nil where there is none.
    mutating func string() -> [UInt8]? {
      guard bytes.first == UInt8(ascii: "\"") else { return nil }
      skip()
      var text: [UInt8] = []
      while let byte = bytes.first {
        skip()
        switch byte {
        case UInt8(ascii: "\""): return text
        case UInt8(ascii: "\\"):
          guard let escaped = escaped() else { return nil }
          text += escaped
        default: text.append(byte)
        }
      }
      return nil
    }

    /// Reads what stands behind a backslash.
    private mutating func escaped() -> [UInt8]? {
      guard let byte = bytes.first else { return nil }
      skip()
      switch byte {
      case UInt8(ascii: "b"): return [0x08]
      case UInt8(ascii: "f"): return [0x0C]
      case UInt8(ascii: "n"): return [0x0A]
      case UInt8(ascii: "r"): return [0x0D]
      case UInt8(ascii: "t"): return [0x09]
      case UInt8(ascii: "u"):
        guard let number = UInt32(String(decoding: bytes.prefix(4), as: UTF8.self), radix: 16),
          let scalar = Unicode.Scalar(number)
        else { return nil }
        bytes = bytes.dropFirst(4)
        return Array(String(Character(scalar)).utf8)
      default: return [byte]
      }
    }
  }
#endif
