/// The hash function wyhash, final version 4, with its published secret.
///
/// By Wang Yi, https://github.com/wangyi-fudan/wyhash, in the public domain. It passes SMHasher,
/// and its word mix passes BigCrush and PractRand; a fifth of the time of SipHash. What it does is
/// not changed here in any step: a mix of one's own, which was tried, had pairs of values that it
/// never told apart.
enum WyHash {
  private static let secret: (UInt64, UInt64, UInt64, UInt64) = (
    0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3
  )

  /// Returns the hash of two words: `wyhash64`.
  @inline(__always)
  static func hash(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = (left ^ 0xa076_1d64_78bd_642f)
      .multipliedFullWidth(by: right ^ 0xe703_7ed1_a0b4_28db)
    return mix(product.low ^ 0xa076_1d64_78bd_642f, product.high ^ 0xe703_7ed1_a0b4_28db)
  }

  /// Returns the hash of some bytes: `wyhash`.
  static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    let count = bytes.count
    var seed = seed ^ mix(seed ^ secret.0, secret.1)
    var (first, second): (UInt64, UInt64) = (0, 0)
    if count > 16 {
      seed = absorb(bytes, seed: seed)
      // The last sixteen overlap those before them.
      (first, second) = (word(bytes, at: count - 16), word(bytes, at: count - 8))
    } else if count >= 4 {
      let step = (count >> 3) << 2
      first = half(bytes, at: 0) << 32 | half(bytes, at: step)
      second = half(bytes, at: count - 4) << 32 | half(bytes, at: count - 4 - step)
    } else if count > 0 {
      first = UInt64(bytes[0]) << 16 | UInt64(bytes[count >> 1]) << 8 | UInt64(bytes[count - 1])
    }
    let product = (first ^ secret.1).multipliedFullWidth(by: second ^ seed)
    return mix(product.low ^ secret.0 ^ UInt64(count), product.high ^ secret.1)
  }

  /// Returns the seed after all bytes but the last sixteen or fewer.
  private static func absorb(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var (seed, offset, left) = (seed, 0, bytes.count)
    func folded(_ seed: UInt64, at offset: Int, _ secret: UInt64) -> UInt64 {
      mix(word(bytes, at: offset) ^ secret, word(bytes, at: offset + 8) ^ seed)
    }
    if left > 48 {
      var (second, third) = (seed, seed)
      repeat {
        seed = folded(seed, at: offset, secret.1)
        second = folded(second, at: offset + 16, secret.2)
        third = folded(third, at: offset + 32, secret.3)
        (offset, left) = (offset + 48, left - 48)
      } while left > 48
      seed ^= second ^ third
    }
    while left > 16 {
      seed = folded(seed, at: offset, secret.1)
      (offset, left) = (offset + 16, left - 16)
    }
    return seed
  }

  @inline(__always)
  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func half(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
