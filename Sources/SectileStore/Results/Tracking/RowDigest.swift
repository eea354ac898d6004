/// A digest of some columns of a row: 64 bits that differ where the columns do.
///
/// Words are folded in one after another by multiplying to 128 bits and adding the halves, the step
/// of wyhash (Wang Yi, "Modern non-cryptographic hash function", in the public domain). It takes a
/// fifth of the time of SipHash. It is seeded anew in each process and no digest ever leaves it, so
/// nobody can prepare two rows whose digests are equal; by chance two are once in 2⁶⁴ comparisons.
struct RowDigest {
  /// The digest of a row of which none was taken.
  static let unknown: UInt64 = 0
  /// Stands for the digest of an order that the item's own columns decide.
  static let none: UInt64 = 0

  private static let seeds = (
    UInt64.random(in: .min ... .max) | 1, UInt64.random(in: .min ... .max) | 1
  )

  private var state: UInt64
  // Asked for once: a constant of the process is behind a check each time.
  private let seed: UInt64

  init() { (state, seed) = Self.seeds }

  private init(state: UInt64, seed: UInt64) { (self.state, self.seed) = (state, seed) }

  /// Returns the digest of all columns of a row.
  static func of(_ row: UnsafeBufferPointer<RawColumn>) -> UInt64 {
    var digest = RowDigest()
    for column in row { digest.combine(column) }
    return digest.value
  }

  /// Returns the digest of some columns of a row.
  static func of(
    _ image: UnsafeBufferPointer<RawColumn>, at positions: [Int]
  ) -> UInt64 {
    var digest = RowDigest()
    for position in positions { digest.combine(image[position]) }
    return digest.value
  }

  /// Returns the digests of an item as it was and as it is; nil where they hold the same.
  ///
  /// - Parameters:
  ///   - image: The columns before, in an order of their own.
  ///   - positions: Where the item's columns stand in the image.
  ///   - item: The item's columns.
  /// - Returns: The digests, or nil.
  static func change(
    from image: UnsafeBufferPointer<RawColumn>, at positions: [Int],
    to item: UnsafeBufferPointer<RawColumn>
  ) -> (before: UInt64, after: UInt64)? {
    var (before, after) = (RowDigest(), RowDigest())
    var isChanged = false
    for (column, position) in positions.enumerated() {
      let word = after.word(for: item[column])
      after.combine(word)
      if image[position].isIdentical(to: item[column]) {
        before.combine(word)
      } else {
        isChanged = true
        before.combine(image[position])
      }
    }
    return isChanged ? (before.value, after.value) : nil
  }

  mutating func combine(_ column: RawColumn) { combine(word(for: column)) }

  /// A digest of one column.
  private func word(for column: RawColumn) -> UInt64 {
    var digest = RowDigest(state: seed, seed: seed)
    switch column {
    case .null: digest.combine(1)
    case .integer(let value): digest.combine(2, UInt64(bitPattern: value))
    case .real(let value): digest.combine(3, value.bitPattern)
    case .text(let bytes): digest.combine(4, bytes)
    case .blob(let bytes): digest.combine(5, bytes)
    }
    return digest.state
  }

  var value: UInt64 {
    let value = Self.fold(state, seed)
    return value == Self.unknown ? 1 : value
  }

  private mutating func combine(_ word: UInt64) {
    state = Self.fold(state ^ word, seed)
  }

  private mutating func combine(_ tag: UInt64, _ word: UInt64) {
    state = Self.fold(state &+ tag, seed ^ word)
  }

  /// The length goes in with the tag: what follows cannot be taken for the end of this column.
  private mutating func combine(_ tag: UInt64, _ bytes: UnsafeRawBufferPointer) {
    combine(tag, UInt64(bytes.count))
    // The last eight overlap those before them.
    let last = bytes.count - 8
    guard last >= 0 else { return combine(bytes.reduce(0) { $0 << 8 | UInt64($1) }) }
    for offset in stride(from: 0, to: last, by: 8) {
      combine(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    combine(bytes.loadUnaligned(fromByteOffset: last, as: UInt64.self))
  }

  @inline(__always)
  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high &+ product.low ^ left
  }
}
