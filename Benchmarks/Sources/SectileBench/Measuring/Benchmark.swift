/// A case: measures one thing and reports its figures.
protocol Benchmark {
  static var name: String { get }
  static var summary: String { get }
  /// The goals it decides on.
  static var goals: [String] { get }
  /// Where it is measured.
  static var storages: [Storage] { get }
  /// Whether a goal of its own is stated for files.
  ///
  /// A quick run measures the others in memory alone.
  static var hasFileGoal: Bool { get }
  /// Whether it runs once, with the largest number of rows, because something else grows in it.
  static var runsOnce: Bool { get }

  static func run(_ bench: Bench) throws
  /// Reports what follows from all sizes together.
  static func conclude(_ bench: Bench)
}

extension Benchmark {
  static var goals: [String] { [] }
  static var storages: [Storage] { Storage.allCases }
  static var hasFileGoal: Bool { false }
  static var runsOnce: Bool { false }

  /// Whether it watches a cost grow that no goal speaks of.
  static var isGrowth: Bool { name.hasPrefix("growth-") }

  static func conclude(_ bench: Bench) {}
}
