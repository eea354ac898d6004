#if Postgres
  internal import SectileStore

  /// The first half of the SHA-256 of a row, or of its key.
  struct RowDigest: Hashable, Sendable {
    /// How many bits of a key's digest say to which part of the table its row belongs.
    static let partBitCount = 12

    var high: UInt64
    var low: UInt64

    /// Makes the digest of bytes.
    init(of bytes: [UInt8]) {
      let words = SHA256.words(of: bytes).map { UInt64($0) }
      (high, low) = (words[0] << 32 | words[1], words[2] << 32 | words[3])
    }

    /// Reads 32 hexadecimal digits; nil for another text.
    init?(hexadecimal text: String) {
      guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
        let low = UInt64(text.suffix(16), radix: 16)
      else { return nil }
      (self.high, self.low) = (high, low)
    }

    /// The part of the table, where this is a key's.
    var part: Int { Int(high >> UInt64(64 - Self.partBitCount)) }
  }

  /// The sum of some rows, whatever their order.
  struct DigestSum: Hashable, Sendable {
    var count = 0
    var high: UInt64 = 0
    var low: UInt64 = 0

    /// Adds a row.
    ///
    /// Two equal rows would cancel each other: no two have one key.
    mutating func add(_ digest: RowDigest) {
      count += 1
      high ^= digest.high
      low ^= digest.low
    }
  }
#endif
