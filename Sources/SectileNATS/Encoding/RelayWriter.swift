#if NATS
  internal import FoundationEssentials
  internal import SectileCore
  internal import SectileHub

  /// Writes the values of messages one behind the other.
  ///
  /// Whole numbers are written seven bits in a byte, the lowest first, with the highest bit set
  /// where more follow; others as the bits that they have. So every value comes back as it was.
  struct RelayWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func flag(_ value: Bool) { byte(value ? 1 : 0) }

    mutating func number(_ value: UInt64) {
      var rest = value
      while rest > 0x7F {
        byte(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      byte(UInt8(rest))
    }

    /// A number that may be below zero: 0, -1, 1, -2 become 0, 1, 2, 3.
    mutating func integer(_ value: Int64) {
      number(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    mutating func real(_ value: Double) {
      let pattern = value.bitPattern
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        byte(UInt8(pattern >> shift & 0xFF))
      }
    }

    mutating func blob(_ value: [UInt8]) {
      number(UInt64(value.count))
      bytes += value
    }

    mutating func text(_ value: String) {
      number(UInt64(value.utf8.count))
      bytes += value.utf8
    }

    mutating func list<Element>(
      _ elements: [Element], _ write: (inout RelayWriter, Element) -> Void
    ) {
      number(UInt64(elements.count))
      for element in elements { write(&self, element) }
    }

    mutating func optional<Value>(
      _ value: Value?, _ write: (inout RelayWriter, Value) -> Void
    ) {
      flag(value != nil)
      if let value { write(&self, value) }
    }

    mutating func date(_ value: Date) { real(value.timeIntervalSinceReferenceDate) }

    mutating func range(_ value: ClosedRange<Int>) {
      integer(Int64(value.lowerBound))
      integer(Int64(value.upperBound))
    }

    /// A value; nil for one that is not told.
    mutating func value(_ value: StoredValue?) {
      switch value {
      case .null?: byte(0)
      case .integer(let number)?:
        byte(1)
        integer(number)
      case .real(let number)?:
        byte(2)
        real(number)
      case .text(let text)?:
        byte(3)
        self.text(text)
      case .blob(let bytes)?:
        byte(4)
        blob(bytes)
      case nil: byte(5)
      }
    }

    mutating func row(_ row: [StoredValue]) { list(row) { $0.value($1) } }
  }
#endif
