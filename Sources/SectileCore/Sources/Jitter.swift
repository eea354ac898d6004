internal import Synchronization

/// Random numbers in `0..<1`, the same ones for the same seed, so that many clients that were cut
/// off at once do not come back at once.
///
/// The algorithm is SplitMix64.
package final class Jitter: Sendable {
  // MARK: - Mutable state
  //
  // Only counts up, and every reader gets a number of its own.
  private let state: Atomic<UInt64>

  /// Creates a generator; without a seed its numbers are others every time.
  package init(seed: UInt64?) {
    state = Atomic(seed ?? UInt64.random(in: .min ... .max))
  }

  /// Returns the next number.
  package func next() -> Double {
    let step: UInt64 = 0x9E37_79B9_7F4A_7C15
    var mixed = state.wrappingAdd(step, ordering: .relaxed).newValue
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Double(mixed >> 11) / Double(1 << 53)
  }
}
