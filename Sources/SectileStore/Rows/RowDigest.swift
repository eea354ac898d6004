/// A digest of some columns of a row: 64 bits that differ where the columns do.
///
/// Each column is hashed by ``WyHash``, and the words are hashed in one after another. It is seeded
/// anew in each process and no digest ever leaves it, so nobody can prepare two rows whose digests
/// are equal; by chance two are once in 2⁶⁴ comparisons.
struct RowDigest {
  /// What the digests of one process have in common and no other process knows.
  struct Seeds {
    let value: UInt64
    let state: UInt64

    static let process = Seeds(
      value: .random(in: .min ... .max), state: .random(in: .min ... .max))
  }

  /// The digest of a row of which none was taken.
  static let unknown: UInt64 = 0
  /// Stands for the digest of an order that the item's own columns decide.
  static let none: UInt64 = 0

  private var state: UInt64
  // Asked for once: a constant of the process is behind a check each time.
  private let seed: UInt64

  init(_ seeds: Seeds = .process) { (state, seed) = (seeds.state, seeds.value) }

  /// Returns the digest of all columns of a row.
  static func of(
    _ row: UnsafeBufferPointer<RawColumn>, seeds: Seeds = .process
  ) -> UInt64 {
    var digest = RowDigest(seeds)
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

  /// A digest of one column: the storage class goes in with the seed.
  private func word(for column: RawColumn) -> UInt64 {
    switch column {
    case .null: WyHash.hash(seed, 1)
    case .integer(let value): WyHash.hash(seed ^ UInt64(bitPattern: value), seed &+ 2)
    case .real(let value): WyHash.hash(seed ^ value.bitPattern, seed &+ 3)
    case .text(let bytes): WyHash.hash(bytes, seed: seed &+ 4)
    case .blob(let bytes): WyHash.hash(bytes, seed: seed &+ 5)
    }
  }

  var value: UInt64 { state == Self.unknown ? 1 : state }

  private mutating func combine(_ word: UInt64) {
    state = WyHash.hash(state, word)
  }
}
