/// What a column of the hub holds, and how a replica stores it.
///
/// Values are the same on every replica to the last bit, whatever the settings of the connection
/// that brought them.
public enum HubType: String, Hashable, Sendable, CaseIterable, Codable {
  /// `boolean`: INTEGER, 0 or 1.
  case boolean
  /// `smallint`, `integer`, `bigint`, `oid`: INTEGER. Also `money`, as the whole number that the
  /// server stores, and `numeric` with ``SyncedTable/Column/scale``.
  case integer
  /// `real`, `double precision`, and `numeric` where that is asked for: REAL. NaN, which SQLite
  /// does not have, is refused.
  case double
  /// `text`, `varchar`, `char`, `citext`, enumerations: TEXT. Also every type that no other case
  /// names, as the text that the hub writes for it: `inet`, `interval` (`P1DT2H`), ranges.
  case text
  /// `bytea`: BLOB.
  case bytes
  /// `uuid`: TEXT, 36 characters in lower case.
  case uuid
  /// `timestamptz`: TEXT in UTC to the microsecond, `2026-11-26 03:20:01.000000`, which sorts as
  /// time does. `timestamp` without a zone: the same text, as it is.
  case timestamp
  /// `date`: TEXT, `2026-11-26`.
  case date
  /// `time`: TEXT, `03:20:01.000000`, which sorts as time does; `24:00:00.000000` is the last.
  case time
  /// `jsonb`, `json`: TEXT as the hub writes it. Arrays and `hstore`: TEXT, as JSON.
  case json
  /// `numeric`: TEXT with all its digits. It does not sort or add up as a number: `'10' < '9'`. A
  /// column does that is had as `TableSubscription.NumericForm.decimal(scale:)`.
  case numeric

  /// The type that a column of SQLite is declared with.
  public var sqliteType: String {
    switch self {
    case .boolean, .integer: "INTEGER"
    case .double: "REAL"
    case .bytes: "BLOB"
    case .text, .uuid, .timestamp, .date, .time, .json, .numeric: "TEXT"
    }
  }
}
