#if Server
  internal import Sectile
  internal import SectileFeed

  /// A JSON document whose members keep the order they are written in, and are there also where
  /// they are null.
  enum JSONDocument: Encodable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case value(StoredValue)
    case array([JSONDocument])
    case object([(name: String, value: JSONDocument)])

    init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    init(_ number: Int) { self = .integer(Int64(number)) }

    init(_ texts: [String]) { self = .array(texts.map { .string($0) }) }

    private struct MemberKey: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .object(let members):
        var container = encoder.container(keyedBy: MemberKey.self)
        for member in members {
          try container.encode(member.value, forKey: MemberKey(stringValue: member.name))
        }
      case .array(let values):
        var container = encoder.unkeyedContainer()
        for value in values { try container.encode(value) }
      default:
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .integer(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .value(let value): try container.encode(value)
        default: try container.encodeNil()
        }
      }
    }

    /// The document in UTF-8.
    ///
    /// - Throws: Nothing that a value could cause.
    func bytes() throws -> [UInt8] { try ExactJSON.encode(self) }
  }

  extension JSONDocument: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSONDocument)...) {
      self = .object(elements.map { (name: $0.0, value: $0.1) })
    }
  }

  extension JSONDocument: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int64) { self = .integer(value) }
  }
#endif
