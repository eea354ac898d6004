#if Postgres
  internal import SectileHub

  /// How the values of a column are read and written: a type of PostgreSQL, to the width, or a form
  /// that many types have.
  enum PostgresType: Hashable, Sendable, CaseIterable {
    /// What the elements of an array are in JSON.
    enum Element: Hashable, Sendable {
      case number, truth, text
    }

    case bool, bytea, int8, int2, int4, text, json, float4, float8, money, bpchar, varchar, date
    case time, timestamp, timestamptz, numeric, oid, uuid, jsonb
    /// Elements of any type, in JSON.
    case array(Element)
    /// Texts by names, in JSON.
    case hstore
    /// Any other: the text that the server writes for it, as in a dump.
    case other
    /// `numeric` as the number of its smallest units, of which ten to the power of the scale are
    /// one.
    case scaled(Int)
    /// `numeric` as a binary number.
    case real

    private static let numbers: [UInt32: PostgresType] = [
      16: .bool, 17: .bytea, 20: .int8, 21: .int2, 23: .int4, 25: .text, 26: .oid, 114: .json,
      700: .float4, 701: .float8, 790: .money, 1042: .bpchar, 1043: .varchar, 1082: .date,
      1083: .time, 1114: .timestamp, 1184: .timestamptz, 1700: .numeric, 2950: .uuid, 3802: .jsonb,
    ]

    static let allCases =
      numbers.sorted { $0.key < $1.key }.map(\.value)
      + [
        .array(.number), .array(.truth), .array(.text), .hstore, .other, .scaled(2), .real,
      ]

    /// The type of a number of the server's own; nil for one that has a form only.
    init?(number: UInt32) {
      guard let type = Self.numbers[number] else { return nil }
      self = type
    }

    /// The server's number; 0 for a form that many types have.
    var number: UInt32 { Self.numbers.first { $0.value == self }?.key ?? 0 }

    /// Its name, for messages.
    var name: String {
      switch self {
      case .array: "array"
      case .other: "text"
      case .scaled, .real: "numeric"
      default: "\(self)"
      }
    }

    /// What a replica makes of it.
    var hubType: HubType {
      switch self {
      case .bool: .boolean
      case .int2, .int4, .int8, .oid, .money, .scaled: .integer
      case .float4, .float8, .real: .double
      case .text, .bpchar, .varchar, .other: .text
      case .bytea: .bytes
      case .uuid: .uuid
      case .timestamp, .timestamptz: .timestamp
      case .date: .date
      case .time: .time
      case .json, .jsonb, .array, .hstore: .json
      case .numeric: .numeric
      }
    }

    /// Whether a copy has the server's text of it: its bytes are not read.
    var isCopiedAsText: Bool {
      switch self {
      case .array, .hstore, .other: true
      default: false
      }
    }

    /// What the elements of an array of this type are in JSON; nil for those that JSON cannot tell
    /// from NULL, or from their own text.
    var element: Element? {
      switch self {
      case .int2, .int4, .int8, .float4, .float8, .oid: .number
      case .bool: .truth
      case .json, .jsonb: nil
      default: .text
      }
    }

    /// How the values are read for a column that a replica has; nil where it cannot have it so.
    func reading(as column: SyncedTable.Column) -> PostgresType? {
      if self == .numeric, column.type == .double { return .real }
      if self == .numeric, column.type == .integer {
        return column.scale.map { PostgresType.scaled($0) }
      }
      return hubType == column.type && column.scale == nil ? self : nil
    }
  }
#endif
