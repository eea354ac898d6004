#if Postgres
  internal import SectileCore
  internal import SectileHub

  /// Values as the server sends them, in either of its two forms, and as it takes them.
  ///
  /// A stream sends texts and a copy sends bytes, and a row must be the same whichever way it came.
  enum PostgresValue {
    /// Reads a value from the server's text.
    ///
    /// - Throws: `HubError`: `unsupportedValue` for NaN, years that four digits do not hold, text
    ///   that is not UTF-8, and a number that does not fit a scale; `malformedMessage` for what no
    ///   server says.
    static func decode(
      text bytes: ArraySlice<UInt8>, as type: PostgresType
    ) throws(HubError) -> StoredValue {
      switch type {
      case .text, .varchar, .bpchar, .json, .jsonb, .numeric, .other:
        return .text(try string(bytes))
      case .int2, .int4, .int8, .oid:
        guard let number = Int64(try string(bytes)) else { throw malformed(type) }
        return .integer(number)
      case .bool:
        guard bytes.count == 1, bytes.first == 0x74 || bytes.first == 0x66 else {
          throw malformed(type)
        }
        return .integer(bytes.first == 0x74 ? 1 : 0)
      case .float8:
        guard let number = Double(try string(bytes)) else { throw malformed(type) }
        return try real(number)
      case .float4:
        guard let number = Float(try string(bytes)) else { throw malformed(type) }
        return try real(Double(number))
      case .bytea: return .blob(try blob(bytes))
      case .uuid:
        guard bytes.count == 36 else { throw malformed(type) }
        return .text(try string(bytes))
      case .date:
        guard let value = try PostgresTime.day(text: string(bytes)) else { throw malformed(type) }
        return .text(value)
      case .timestamp, .timestamptz:
        let value = try PostgresTime.timestamp(text: string(bytes), hasZone: type == .timestamptz)
        guard let value else { throw malformed(type) }
        return .text(value)
      case .time:
        guard let value = try PostgresTime.time(text: string(bytes)) else { throw malformed(type) }
        return .text(value)
      case .money:
        guard let units = try PostgresNumeric.units(money: string(bytes)) else {
          throw malformed(type)
        }
        return .integer(units)
      case .scaled, .real: return try number(string(bytes), as: type)
      case .array(let element):
        // What is no text at all is told as such.
        _ = try string(bytes)
        guard let json = PostgresArray.json(array: bytes, of: element) else {
          throw malformed(type)
        }
        return .text(json)
      case .hstore:
        _ = try string(bytes)
        guard let json = PostgresArray.json(hstore: bytes) else { throw malformed(type) }
        return .text(json)
      }
    }

    /// Reads a number of any length as a column of a replica has it.
    private static func number(
      _ text: String, as type: PostgresType
    ) throws(HubError) -> StoredValue {
      guard case .scaled(let scale) = type else {
        guard let number = Double(text) else { throw malformed(type) }
        guard !number.isInfinite || text.hasSuffix("Infinity") else {
          throw HubError(
            .unsupportedValue, message: "a number of the hub is too large for 64 bits",
            hint: "Subscribe to the column as text.")
        }
        return try real(number)
      }
      guard let units = DecimalUnits.units(text, scale: scale) else {
        throw HubError(
          .unsupportedValue,
          message:
            "a value of the hub is no number of 64 bits with \(scale) digits behind the point",
          hint: "Subscribe to the column with a larger scale, or as text.")
      }
      return .integer(units)
    }

    /// Reads a value from the server's bytes.
    ///
    /// - Throws: As ``decode(text:as:)`` does.
    static func decode(
      binary bytes: ArraySlice<UInt8>, as type: PostgresType
    ) throws(HubError) -> StoredValue {
      switch type {
      case .array, .hstore, .other: return try decode(text: bytes, as: type)
      case .text, .varchar, .bpchar, .json: return .text(try string(bytes))
      case .jsonb:
        // A version stands before the text.
        guard bytes.first == 1 else { throw malformed(type) }
        return .text(try string(bytes.dropFirst()))
      case .bytea: return .blob([UInt8](bytes))
      case .bool:
        guard bytes.count == 1, let byte = bytes.first, byte <= 1 else { throw malformed(type) }
        return .integer(Int64(byte))
      case .int2: return .integer(Int64(Int16(bitPattern: UInt16(try bits(bytes, 2, type)))))
      case .int4: return .integer(Int64(Int32(bitPattern: UInt32(try bits(bytes, 4, type)))))
      case .int8, .money: return .integer(Int64(bitPattern: try bits(bytes, 8, type)))
      case .oid: return .integer(Int64(try bits(bytes, 4, type)))
      case .float4:
        return try real(Double(Float(bitPattern: UInt32(try bits(bytes, 4, type)))))
      case .float8: return try real(Double(bitPattern: try bits(bytes, 8, type)))
      case .uuid:
        guard bytes.count == 16 else { throw malformed(type) }
        return .text(uuid(bytes))
      case .date:
        return .text(
          try PostgresTime.text(day: Int32(bitPattern: UInt32(try bits(bytes, 4, type)))))
      case .timestamp, .timestamptz:
        return .text(
          try PostgresTime.text(microsecond: Int64(bitPattern: try bits(bytes, 8, type))))
      case .time:
        let microsecond = Int64(bitPattern: try bits(bytes, 8, type))
        guard let text = PostgresTime.text(microsecondOfDay: microsecond) else {
          throw malformed(type)
        }
        return .text(text)
      case .numeric, .scaled, .real:
        guard let text = PostgresNumeric.text(binary: bytes) else { throw malformed(type) }
        if type == .numeric { return .text(text) }
        return try number(text, as: type)
      }
    }

    private static func malformed(_ type: PostgresType) -> HubError {
      HubError(.malformedMessage, message: "PostgreSQL sent a value that is no \(type.name)")
    }

    private static func bits(
      _ bytes: ArraySlice<UInt8>, _ count: Int, _ type: PostgresType
    ) throws(HubError) -> UInt64 {
      guard bytes.count == count else { throw malformed(type) }
      return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A text, whose bytes must be UTF-8: a repaired one would be another value than the hub's.
    static func string(_ bytes: ArraySlice<UInt8>) throws(HubError) -> String {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw HubError(
          .unsupportedValue, message: "a text of the hub is not UTF-8",
          hint: "Databases with the encoding SQL_ASCII hold any bytes; store them as bytea.")
      }
      return text
    }

    private static func real(_ number: Double) throws(HubError) -> StoredValue {
      guard !number.isNaN else {
        throw HubError(
          .unsupportedValue, message: "a value of the hub is NaN, which SQLite does not have",
          hint: "Add a check to the column that refuses it: CHECK (value <> 'NaN').")
      }
      return .real(number)
    }

    private static func blob(_ bytes: ArraySlice<UInt8>) throws(HubError) -> [UInt8] {
      guard bytes.starts(with: [0x5C, 0x78]),
        let blob = StoredValue.bytes(hexadecimal: bytes.dropFirst(2))
      else { throw malformed(.bytea) }
      return blob
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// Bytes as hexadecimal digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> [UInt8] {
      bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    private static func uuid(_ bytes: ArraySlice<UInt8>) -> String {
      var text: [UInt8] = []
      text.reserveCapacity(36)
      for (offset, byte) in bytes.enumerated() {
        if [4, 6, 8, 10].contains(offset) { text.append(0x2D) }
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
      }
      return String(decoding: text, as: UTF8.self)
    }
  }
#endif
