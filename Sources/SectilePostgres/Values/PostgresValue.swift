#if Postgres
  internal import SectileCore
  internal import SectileHub

  /// Values as the server sends them, in either of its two forms, and as it takes them.
  ///
  /// A stream sends texts and a copy sends bytes, and a row must be the same whichever way it came.
  enum PostgresValue {
    /// Reads a value from the server's text.
    ///
    /// - Throws: `HubError`: `unsupportedValue` for NaN, years that four digits do not hold and
    ///   text that is not UTF-8; `malformedMessage` for what no server says.
    static func decode(
      text bytes: ArraySlice<UInt8>, as type: PostgresType
    ) throws(HubError) -> StoredValue {
      switch type {
      case .text, .varchar, .bpchar, .json, .jsonb, .numeric: return .text(try string(bytes))
      case .int2, .int4, .int8:
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
      case .timestamptz:
        guard let value = try PostgresTime.timestamp(text: string(bytes)) else {
          throw malformed(type)
        }
        return .text(value)
      }
    }

    /// Reads a value from the server's bytes.
    ///
    /// - Throws: As ``decode(text:as:)`` does.
    static func decode(
      binary bytes: ArraySlice<UInt8>, as type: PostgresType
    ) throws(HubError) -> StoredValue {
      switch type {
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
      case .int8: return .integer(Int64(bitPattern: try bits(bytes, 8, type)))
      case .float4:
        return try real(Double(Float(bitPattern: UInt32(try bits(bytes, 4, type)))))
      case .float8: return try real(Double(bitPattern: try bits(bytes, 8, type)))
      case .uuid:
        guard bytes.count == 16 else { throw malformed(type) }
        return .text(uuid(bytes))
      case .date:
        return .text(
          try PostgresTime.text(day: Int32(bitPattern: UInt32(try bits(bytes, 4, type)))))
      case .timestamptz:
        return .text(
          try PostgresTime.text(microsecond: Int64(bitPattern: try bits(bytes, 8, type))))
      case .numeric:
        guard let text = PostgresNumeric.text(binary: bytes) else { throw malformed(type) }
        return .text(text)
      }
    }

    private static func malformed(_ type: PostgresType) -> HubError {
      HubError(.malformedMessage, message: "PostgreSQL sent a \(type) that is none")
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
