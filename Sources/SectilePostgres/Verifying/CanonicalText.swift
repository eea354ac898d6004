#if Postgres
  internal import SectileCore
  internal import SectileHub

  /// A text for each value that the server and a replica make alike, each from what it has.
  ///
  /// The server makes it of its own value, and a replica of the value that it made of that. Where a
  /// replica cannot have what the server has, and stores NULL, there is none on both sides.
  extension PostgresType {
    /// The SQL of the text of a column, whose quoted name is given; NULL for none.
    func canonicalSQL(_ name: String) -> String {
      switch self {
      case .bool: "CASE WHEN \(name) THEN '1' WHEN NOT \(name) THEN '0' END"
      case .int2, .int4, .int8, .oid: "\(name)::text"
      case .money: "trim_scale(\(name)::numeric * 100)::text"
      case .scaled(let scale): Self.unitsSQL(name, scale: scale)
      // A file of SQLite does not keep the sign of zero.
      case .float4, .float8:
        "CASE WHEN \(name) <> 'NaN' THEN encode(float8send(\(name)::float8 + 0), 'hex') END"
      case .real: Self.realSQL(name)
      case .bytea: "encode(\(name), 'hex')"
      case .date: Self.calendarSQL(name, type: "date", "pg_catalog.concat(\(name))")
      case .timestamp:
        Self.calendarSQL(
          name, type: "timestamp", "to_char(\(name)::timestamp, 'YYYY-MM-DD HH24:MI:SS.US')")
      case .timestamptz:
        Self.calendarSQL(
          name, type: "timestamptz", "to_char(\(name)::timestamptz, 'YYYY-MM-DD HH24:MI:SS.US')")
      case .time: "to_char(\(name)::time::interval, 'HH24:MI:SS.US')"
      case .text, .varchar, .bpchar, .json, .jsonb, .numeric, .uuid, .array, .hstore, .other:
        // As a copy has it.
        "CASE WHEN \(name) IS DISTINCT FROM NULL THEN pg_catalog.concat(\(name)) END"
      }
    }

    /// The number of units of a number that has no digits beyond them, and fits 64 bits.
    private static func unitsSQL(_ name: String, scale: Int) -> String {
      let units = "\(name)::numeric * '1e\(scale)'::numeric"
      return "CASE WHEN scale(trim_scale(\(name)::numeric)) <= \(scale) "
        + "AND \(units) BETWEEN -9223372036854775808 AND 9223372036854775807 "
        + "THEN trim_scale(\(units))::text END"
    }

    /// The bits of the binary number next to a number; the server refuses what is too large, or
    /// next to zero.
    private static func realSQL(_ name: String) -> String {
      let number = "\(name)::numeric"
      return "CASE WHEN \(number) = 'NaN' THEN NULL "
        + "WHEN abs(\(number)) >= 1.797693134862315807937289714053e308 "
        + "AND abs(\(number)) < 'Infinity' THEN NULL "
        + "WHEN abs(\(number)) < 2.4703282292062327208e-324 THEN encode(float8send(0), 'hex') "
        + "ELSE encode(float8send(\(number)::float8 + 0), 'hex') END"
    }

    /// The text of a day or a point in time in the years 1 to 9999, or at infinity.
    private static func calendarSQL(_ name: String, type: String, _ text: String) -> String {
      "CASE WHEN NOT isfinite(\(name)::\(type)) THEN pg_catalog.concat(\(name)) "
        + "WHEN \(name) >= '0001-01-01'::\(type) AND \(name) < '10000-01-01'::\(type) "
        + "THEN \(text) END"
    }

    /// The text of a replica's value; nil for none.
    func canonicalText(of value: StoredValue) -> String? {
      switch (self, value) {
      case (_, .null): return nil
      case (.bool, .integer(let number)), (.int2, .integer(let number)),
        (.int4, .integer(let number)), (.int8, .integer(let number)), (.oid, .integer(let number)),
        (.money, .integer(let number)), (.scaled, .integer(let number)):
        return String(number)
      case (.float4, .real(let number)), (.float8, .real(let number)), (.real, .real(let number)):
        let digits = String((number == 0 ? 0 : number).bitPattern, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
      case (.bytea, .blob(let bytes)):
        return String(decoding: PostgresValue.hexadecimal(bytes), as: UTF8.self)
      case (.array, .text(let json)): return PostgresArray.arrayText(json: json) ?? json
      case (.hstore, .text(let json)): return PostgresArray.hstoreText(json: json) ?? json
      case (.date, .text(let text)), (.timestamp, .text(let text)), (.timestamptz, .text(let text)),
        (.time, .text(let text)), (.text, .text(let text)), (.varchar, .text(let text)),
        (.bpchar, .text(let text)), (.json, .text(let text)), (.jsonb, .text(let text)),
        (.numeric, .text(let text)), (.uuid, .text(let text)), (.other, .text(let text)):
        return text
      default:
        // No replica stores it so, and no text of the server has it.
        return "\u{0}"
      }
    }
  }
#endif
