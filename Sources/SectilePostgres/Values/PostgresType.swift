#if Postgres
  internal import SectileHub

  /// A type of PostgreSQL that replicas have, to the width.
  enum PostgresType: UInt32, Sendable, CaseIterable {
    case bool = 16
    case bytea = 17
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
    case json = 114
    case float4 = 700
    case float8 = 701
    case bpchar = 1042
    case varchar = 1043
    case date = 1082
    case timestamptz = 1184
    case numeric = 1700
    case uuid = 2950
    case jsonb = 3802

    /// What a replica makes of it.
    var hubType: HubType {
      switch self {
      case .bool: .boolean
      case .int2, .int4, .int8: .integer
      case .float4, .float8: .double
      case .text, .bpchar, .varchar: .text
      case .bytea: .bytes
      case .uuid: .uuid
      case .timestamptz: .timestamp
      case .date: .date
      case .json, .jsonb: .json
      case .numeric: .numeric
      }
    }
  }
#endif
