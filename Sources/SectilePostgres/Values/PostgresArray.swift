#if Postgres
  internal import FoundationEssentials
  internal import SectileCore

  /// Arrays and `hstore` as JSON, from the server's text.
  ///
  /// ```
  /// {{1,2},{3,NULL}}            [[1,2],[3,null]]
  /// {a,"b \"c\"",NULL,"NULL"}   ["a","b \"c\"",null,"NULL"]
  /// [0:1]={a,b}                 "[0:1]={a,b}"    what does not count from 1 is told as it is
  /// "a"=>"1", "b"=>NULL         {"a":"1","b":null}
  /// ```
  struct PostgresArray {
    private var bytes: ArraySlice<UInt8>
    private var json: [UInt8] = []

    private init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      json.reserveCapacity(bytes.count + 2)
    }

    /// The JSON of an array's text; nil where it is none.
    static func json(array bytes: ArraySlice<UInt8>, of element: PostgresType.Element) -> String? {
      var reader = PostgresArray(bytes)
      if bytes.first == UInt8(ascii: "[") {
        guard let text = String(validating: bytes, as: UTF8.self), text.contains("={") else {
          return nil
        }
        JSONBytes.append(text, to: &reader.json)
      } else {
        guard reader.array(of: element), reader.bytes.isEmpty else { return nil }
      }
      return String(validating: reader.json, as: UTF8.self)
    }

    /// The JSON of the text of an `hstore`, with the names in the server's order; nil where it is
    /// none.
    static func json(hstore bytes: ArraySlice<UInt8>) -> String? {
      var reader = PostgresArray(bytes)
      reader.json.append(UInt8(ascii: "{"))
      while !reader.bytes.isEmpty {
        if reader.json.count > 1 {
          guard reader.take(", ") else { return nil }
          reader.json.append(UInt8(ascii: ","))
        }
        guard reader.quoted(), reader.take("=>") else { return nil }
        reader.json.append(UInt8(ascii: ":"))
        if reader.take("NULL") {
          reader.json += "null".utf8
        } else {
          guard reader.quoted() else { return nil }
        }
      }
      reader.json.append(UInt8(ascii: "}"))
      return String(validating: reader.json, as: UTF8.self)
    }

    /// The text of an `hstore` for the server, from a JSON object of texts and nulls; nil for
    /// anything else.
    static func hstore(json text: String) -> String? {
      guard let pairs = try? JSONDecoder().decode([String: String?].self, from: Data(text.utf8))
      else { return nil }
      func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
          if scalar == "\"" || scalar == "\\" { quoted += "\\" }
          quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
      }
      return pairs.sorted { $0.key < $1.key }.map { name, value in
        "\(quoted(name))=>\(value.map(quoted) ?? "NULL")"
      }.joined(separator: ", ")
    }

    // MARK: - Reading

    /// Reads what stands next, where that is a text.
    private mutating func take(_ text: String) -> Bool {
      guard bytes.starts(with: text.utf8) else { return false }
      bytes.removeFirst(text.utf8.count)
      return true
    }

    /// Reads an array with those in it.
    private mutating func array(of element: PostgresType.Element) -> Bool {
      var depth = 0
      // Whether a value may come next, and whether one must, since a comma stands before it.
      var (isOpen, isNeeded) = (true, false)
      repeat {
        guard let byte = bytes.first else { return false }
        switch byte {
        case UInt8(ascii: "{"):
          guard isOpen else { return false }
          depth += 1
          isNeeded = false
          json.append(UInt8(ascii: "["))
          bytes.removeFirst()
        case UInt8(ascii: "}"):
          guard depth > 0, !isNeeded else { return false }
          depth -= 1
          isOpen = false
          json.append(UInt8(ascii: "]"))
          bytes.removeFirst()
        case UInt8(ascii: ","):
          guard depth > 0, !isOpen else { return false }
          (isOpen, isNeeded) = (true, true)
          json.append(byte)
          bytes.removeFirst()
        default:
          guard depth > 0, isOpen, value(element) else { return false }
          (isOpen, isNeeded) = (false, false)
        }
      } while depth > 0
      return true
    }

    /// Reads an element.
    private mutating func value(_ element: PostgresType.Element) -> Bool {
      if bytes.first == UInt8(ascii: "\"") { return quoted() }
      let text = bytes.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") }
      bytes = bytes[text.endIndex...]
      switch element {
      case _ where text.elementsEqual("NULL".utf8): json += "null".utf8
      case .truth where text.elementsEqual("t".utf8): json += "true".utf8
      case .truth where text.elementsEqual("f".utf8): json += "false".utf8
      case .number where Self.isNumber(text): json += text
      default:
        guard let text = String(validating: text, as: UTF8.self) else { return false }
        JSONBytes.append(text, to: &json)
      }
      return true
    }

    /// Whether JSON has a number for it: it has none for infinity and NaN.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
      let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
      guard let first = digits.first, (0x30...0x39).contains(first) else { return false }
      return digits.allSatisfy { (0x30...0x39).contains($0) || "+-.e".utf8.contains($0) }
    }

    /// Reads a text in quotes.
    private mutating func quoted() -> Bool {
      guard bytes.first == UInt8(ascii: "\"") else { return false }
      var text: [UInt8] = []
      var place = bytes.startIndex + 1
      while place < bytes.endIndex {
        var byte = bytes[place]
        place += 1
        if byte == UInt8(ascii: "\"") {
          guard let string = String(validating: text, as: UTF8.self) else { return false }
          JSONBytes.append(string, to: &json)
          bytes = bytes[place...]
          return true
        }
        if byte == UInt8(ascii: "\\") {
          guard place < bytes.endIndex else { return false }
          byte = bytes[place]
          place += 1
        }
        text.append(byte)
      }
      return false
    }
  }
#endif
