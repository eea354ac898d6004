/// A random number generator that gives the same numbers for the same seed, on every machine.
///
/// A test that uses one says its seed when it fails, and failing again is a matter of passing that
/// seed:
///
/// ```swift
/// var random = SeededRandom(seed: 42)
/// let row = Int.random(in: 0..<100, using: &random)
/// #expect(replayed == fetched, "\(random)")  // seed 42
/// ```
///
/// The algorithm is SplitMix64. It is not fit for secrets.
public struct SeededRandom: RandomNumberGenerator, Sendable, CustomStringConvertible {
  /// The seed the generator was created with.
  public let seed: UInt64
  private var state: UInt64

  /// Creates a generator that starts at the beginning of a seed's numbers.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns whether an event of the given probability happens.
  ///
  /// - Parameter probability: From 0, never, to 1, always.
  /// - Returns: Whether it happens.
  public mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  /// Returns a generator of its own for a part of the test, so that using more numbers in one part
  /// leaves the others as they were.
  public mutating func fork() -> SeededRandom {
    SeededRandom(seed: next())
  }

  /// The seed, as a failing test should print it.
  public var description: String { "seed \(seed)" }
}
