#if Postgres
  internal import SectileHub

  /// Reads numbers, texts and runs of bytes from a message, and never beyond its end.
  struct ByteReader {
    private let bytes: [UInt8]
    private var place: Int

    init(_ bytes: [UInt8], at position: Int = 0) {
      (self.bytes, place) = (bytes, position)
    }

    /// How many bytes are left.
    var remainingCount: Int { bytes.count - place }

    mutating func bytes(_ count: Int) throws(HubError) -> ArraySlice<UInt8> {
      guard count >= 0, count <= remainingCount else { throw Self.malformed("it ends too early") }
      defer { place += count }
      return bytes[place..<(place + count)]
    }

    /// A number of some bytes, the highest first.
    private mutating func number(_ count: Int) throws(HubError) -> UInt64 {
      try bytes(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func uint8() throws(HubError) -> UInt8 { UInt8(try number(1)) }
    mutating func uint16() throws(HubError) -> UInt16 { UInt16(try number(2)) }
    mutating func uint32() throws(HubError) -> UInt32 { UInt32(try number(4)) }
    mutating func uint64() throws(HubError) -> UInt64 { try number(8) }
    mutating func int16() throws(HubError) -> Int16 { Int16(bitPattern: try uint16()) }
    mutating func int32() throws(HubError) -> Int32 { Int32(bitPattern: try uint32()) }
    mutating func int64() throws(HubError) -> Int64 { Int64(bitPattern: try uint64()) }

    mutating func position() throws(HubError) -> HubPosition {
      HubPosition(byteCount: try uint64())
    }

    /// A text that a zero byte ends.
    mutating func string() throws(HubError) -> String {
      guard let end = bytes[place...].firstIndex(of: 0) else {
        throw Self.malformed("a text has no end")
      }
      defer { place = end + 1 }
      return try PostgresValue.string(bytes[place..<end])
    }

    /// Fails where something is left.
    func finish() throws(HubError) {
      guard remainingCount == 0 else { throw Self.malformed("bytes are left over") }
    }

    static func malformed(_ problem: String) -> HubError {
      HubError(
        .malformedMessage, message: "a message of PostgreSQL is not as it should be: \(problem)")
    }
  }
#endif
