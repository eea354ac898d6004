internal import Foundation

extension SeededRandom {
  /// The seeds that a property test runs: fewer in debug builds, which are slow.
  ///
  /// The environment may say otherwise: `SECTILE_RANDOM_SEEDS` is a number of seeds, or `release`
  /// for as many as in a release build, or `10x` for ten times as many as usual.
  ///
  /// ```swift
  /// @Test(arguments: SeededRandom.batches())
  /// func replayEqualsContents(_ seeds: Range<UInt64>) throws { … }
  /// ```
  ///
  /// - Parameters:
  ///   - debug: How many seeds run in a debug build.
  ///   - release: How many run in a release build.
  ///   - batchSize: How many seeds are in a batch; batches run beside each other.
  /// - Returns: Batches of seeds, from zero on.
  public static func batches(
    debug: Int = 200, release: Int = 1000, of batchSize: Int = 25
  ) -> [Range<UInt64>] {
    let wanted = ProcessInfo.processInfo.environment["SECTILE_RANDOM_SEEDS"]
    #if DEBUG
      let usual = wanted == "release" ? release : debug
    #else
      let usual = release
    #endif
    let factor = wanted.flatMap { $0.last == "x" ? Int($0.dropLast()) : nil }
    let count = UInt64(max(1, factor.map { usual * $0 } ?? wanted.flatMap(Int.init) ?? usual))
    return stride(from: 0, to: count, by: batchSize).map {
      $0..<min($0 + UInt64(batchSize), count)
    }
  }
}
