#if NATS
  internal import FoundationEssentials
  internal import SectileCore
  internal import SectileHub

  /// Reads what a ``RelayWriter`` wrote, and never beyond its end.
  ///
  /// Everything throws `HubError` with the code `malformedMessage`.
  struct RelayReader {
    private let bytes: [UInt8]

    // MARK: - Mutable state
    //
    // - `place`: how many bytes were read.
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var remainingCount: Int { bytes.count - place }

    mutating func byte() throws -> UInt8 {
      guard remainingCount > 0 else { throw Self.malformed("it ends too early") }
      defer { place += 1 }
      return bytes[place]
    }

    mutating func flag() throws -> Bool {
      switch try byte() {
      case 0: false
      case 1: true
      default: throw Self.malformed("a flag is neither set nor not")
      }
    }

    mutating func number() throws -> UInt64 {
      var (value, shift): (UInt64, UInt64) = (0, 0)
      while true {
        let next = try byte()
        guard shift < 63 || shift == 63 && next <= 1 else {
          throw Self.malformed("a number is too large")
        }
        value |= UInt64(next & 0x7F) << shift
        if next & 0x80 == 0 { return value }
        shift += 7
      }
    }

    mutating func integer() throws -> Int64 {
      let value = try number()
      return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func real() throws -> Double {
      var pattern: UInt64 = 0
      for _ in 0..<8 { pattern = pattern << 8 | UInt64(try byte()) }
      return Double(bitPattern: pattern)
    }

    /// How many elements follow, each of which has one byte at least.
    private mutating func count() throws -> Int {
      let count = try number()
      guard count <= UInt64(remainingCount) else { throw Self.malformed("it ends too early") }
      return Int(count)
    }

    mutating func blob() throws -> [UInt8] { Array(try run()) }

    private mutating func run() throws -> ArraySlice<UInt8> {
      let count = try self.count()
      defer { place += count }
      return bytes[place..<place + count]
    }

    mutating func text() throws -> String {
      guard let text = String(validating: try run(), as: UTF8.self) else {
        throw Self.malformed("a text is not UTF-8")
      }
      return text
    }

    mutating func list<Element>(
      _ read: (inout RelayReader) throws -> Element
    ) throws -> [Element] {
      let count = try self.count()
      var elements: [Element] = []
      elements.reserveCapacity(count)
      for _ in 0..<count { elements.append(try read(&self)) }
      return elements
    }

    mutating func optional<Value>(
      _ read: (inout RelayReader) throws -> Value
    ) throws -> Value? {
      guard try flag() else { return nil }
      return try read(&self)
    }

    mutating func date() throws -> Date { Date(timeIntervalSinceReferenceDate: try real()) }

    mutating func range() throws -> ClosedRange<Int> {
      let (low, high) = (try integer(), try integer())
      guard low <= high, let lowest = Int(exactly: low), let highest = Int(exactly: high) else {
        throw Self.malformed("a range ends before it begins")
      }
      return lowest...highest
    }

    /// A value; nil for one that is not told.
    mutating func value() throws -> StoredValue? {
      switch try byte() {
      case 0: .null
      case 1: .integer(try integer())
      case 2: .real(try real())
      case 3: .text(try text())
      case 4: .blob(try blob())
      case 5: nil
      default: throw Self.malformed("a value is of no kind")
      }
    }

    mutating func row() throws -> [StoredValue] {
      try list { reader in
        guard let value = try reader.value() else { throw Self.malformed("a row has a gap") }
        return value
      }
    }

    /// What is left.
    mutating func rest() -> [UInt8] {
      defer { place = bytes.count }
      return Array(bytes[place...])
    }

    /// Fails where something is left.
    func finish() throws {
      guard remainingCount == 0 else { throw Self.malformed("bytes are left over") }
    }

    static func malformed(_ problem: String) -> HubError {
      HubError(
        .malformedMessage, message: "a message of a relay is not as it should be: \(problem)",
        hint: "Relays and machines may be of different versions; bring the older ones up to date.")
    }
  }
#endif
