/// What a column of the hub holds, and how a replica stores it.
///
/// Values are the same on every replica to the last bit, whatever the settings of the connection
/// that brought them.
public enum HubType: String, Hashable, Sendable, CaseIterable, Codable {
  /// `boolean`: INTEGER, 0 or 1.
  case boolean
  /// `smallint`, `integer`, `bigint`: INTEGER.
  case integer
  /// `real`, `double precision`: REAL. NaN, which SQLite does not have, is refused.
  case double
  /// `text`, `varchar`, `char`, enumerations: TEXT.
  case text
  /// `bytea`: BLOB.
  case bytes
  /// `uuid`: TEXT, 36 characters in lower case.
  case uuid
  /// `timestamptz`: TEXT in UTC to the microsecond, `2026-11-26 03:20:01.000000`, which sorts as
  /// time does.
  case timestamp
  /// `date`: TEXT, `2026-11-26`.
  case date
  /// `jsonb`, `json`: TEXT as the hub writes it.
  case json
  /// `numeric`: TEXT with all its digits. It does not sort or add up as a number: `'10' < '9'`. A
  /// `bigint` of the smallest unit does, with the column encoding `.decimal(scale:)`.
  case numeric

  /// The type that a column of SQLite is declared with.
  public var sqliteType: String {
    switch self {
    case .boolean, .integer: "INTEGER"
    case .double: "REAL"
    case .bytes: "BLOB"
    case .text, .uuid, .timestamp, .date, .json, .numeric: "TEXT"
    }
  }
}
