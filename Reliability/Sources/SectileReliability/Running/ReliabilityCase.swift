/// One way to break the library.
protocol ReliabilityCase: Sendable {
  /// What `--case` calls it.
  var name: String { get }
  /// What it does, in a line.
  var summary: String { get }
  /// Whether it must find something: it shows that the instrument sees.
  var isControl: Bool { get }

  /// Its share of the time, next to the others.
  var weight: Double { get }

  /// Runs one seed.
  ///
  /// - Throws: What must not be.
  func run(seed: UInt64, tally: inout Tally) throws
}

extension ReliabilityCase {
  var isControl: Bool { false }
  var weight: Double { isControl ? 0.4 : 1 }
}
