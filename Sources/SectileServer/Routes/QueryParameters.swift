#if Server
  /// The parameters of a request: names that may stand several times, each with a text.
  ///
  /// A `+` is a space, as forms and browsers' `URLSearchParams` write it.
  struct QueryParameters: Sendable {
    /// How many parameters a request may have.
    static let limit = 256

    private var values: [String: [String]] = [:]

    /// The names, each once.
    var names: Set<String> { Set(values.keys) }

    /// Reads what stands behind the question mark of a target.
    ///
    /// - Parameter query: The text; nil and an empty one have no parameters.
    /// - Throws: ``Refusal`` for escapes that are none, bytes that are not UTF-8, and NUL, which no
    ///   SQL can hold.
    init(_ query: String?) throws(Refusal) {
      guard let query, !query.isEmpty else { return }
      let parts = query.utf8.split(separator: UInt8(ascii: "&"))
      guard parts.count <= Self.limit else {
        throw Refusal(.badRequest, "the request has \(parts.count) parameters")
      }
      for part in parts {
        let name = part.prefix { $0 != UInt8(ascii: "=") }
        let value = part[name.endIndex...].dropFirst()
        values[try Self.decoded(name), default: []].append(try Self.decoded(value))
      }
    }

    /// Returns the one value of a name; nil where there is none, or an empty one.
    ///
    /// - Throws: ``Refusal`` where there are several.
    func one(_ name: String) throws(Refusal) -> String? {
      guard let all = values[name] else { return nil }
      guard all.count == 1 else {
        throw Refusal(.badRequest, "'\(name)' is given \(all.count) times", hint: "Give it once.")
      }
      return all[0].isEmpty ? nil : all[0]
    }

    /// Returns the one name of a table that a parameter has, which may be empty as tables may be
    /// called so; nil where the parameter is not there.
    ///
    /// - Throws: ``Refusal`` where there are several.
    func tableName(_ name: String) throws(Refusal) -> String? {
      let value = try one(name)
      return value ?? (values[name] == nil ? nil : "")
    }

    /// Returns all values of a name, in their order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// Takes the last value of a name off; returns nil where there is none.
    mutating func removeLast(_ name: String) -> String? {
      guard var all = values[name], let last = all.popLast() else { return nil }
      values[name] = all.isEmpty ? nil : all
      return last
    }

    /// Returns the number of a name; nil where there is none.
    ///
    /// - Throws: ``Refusal`` for what is no number of the range.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int? {
      guard let text = try one(name) else { return nil }
      guard let number = Int(text), range.contains(number) else {
        throw Refusal(
          .badRequest, "'\(name)' is no number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }

    /// Returns whether a switch is on; false where it is not given.
    ///
    /// - Throws: ``Refusal`` for what is neither 0 nor 1.
    func flag(_ name: String) throws(Refusal) -> Bool {
      switch try one(name) {
      case nil, "0": return false
      case "1": return true
      default: throw Refusal(.badRequest, "'\(name)' is 0 or 1")
      }
    }

    private static func decoded(_ text: Substring.UTF8View) throws(Refusal) -> String {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(text.count)
      var rest = text[...]
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
        case UInt8(ascii: "%"):
          guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
          else { throw Refusal(.badRequest, "a parameter has an escape that is none") }
          bytes.append(high << 4 | low)
        default: bytes.append(byte)
        }
      }
      guard let decoded = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
        throw Refusal(.badRequest, "a parameter is not UTF-8", hint: "Percent-encode its UTF-8.")
      }
      return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
      default: nil
      }
    }
  }
#endif
