/// What a benchmark case gets: the size, the storage, how often to measure, and where figures go.
struct Bench {
  /// One side of a comparison: does its work once, verifies the result, and returns the processor
  /// time of the work alone, in nanoseconds.
  typealias Side = () throws -> Double

  let benchmark: String
  let size: Int
  let storage: Storage
  let rounds: Int
  let folder: WorkFolder
  let report: (Figure) -> Void

  func makeWorld() -> World { World(size: size, storage: storage, folder: folder) }

  /// Runs all sides in turn, `rounds` times after one round that does not count, and returns the
  /// times of each side.
  func interleave(_ sides: [Side]) throws -> [[Double]] {
    var times = sides.map { _ in [Double]() }
    for round in 0...rounds {
      for (position, side) in sides.enumerated() {
        let time = try side()
        if round > 0 { times[position].append(time) }
      }
    }
    return times
  }

  /// Reports how many times longer one side takes than another, round by round.
  func reportRatio(_ name: String, _ side: [Double], to other: [Double], goal: Goal? = nil) {
    let ratios = zip(side, other).map { $0 / $1 }
    report(
      Figure(
        benchmark: benchmark, name: name, size: size, storage: storage, unit: .ratio,
        value: Spread(ratios), goal: goal,
        sides: [Spread(side).median, Spread(other).median]))
  }

  func report(_ name: String, _ values: [Double], _ unit: Figure.Unit, goal: Goal? = nil) {
    report(
      Figure(
        benchmark: benchmark, name: name, size: size, storage: storage, unit: unit,
        value: Spread(values), goal: goal, sides: []))
  }
}

/// A case: measures one thing and reports its figures.
protocol Benchmark {
  static var name: String { get }
  static var summary: String { get }
  static func run(_ bench: Bench) throws
}
