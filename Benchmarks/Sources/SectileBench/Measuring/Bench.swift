internal import GRDBBaseline
internal import Sectile

/// What a benchmark case gets: the rows, the storage, how often to measure, and where figures go.
struct Bench {
  /// One side of a comparison: does its work once, verifies the result, and returns the time of the
  /// work alone.
  typealias Side = () throws -> Sample

  let benchmark: String
  let world: World
  let storage: Storage
  let effort: Effort
  let folder: WorkFolder
  let reporter: Reporter

  var size: Int { world.size }

  /// How many commits make a round.
  ///
  /// On a file they are a whole cycle of the log: too few pages for it to be copied into the file
  /// by itself, and it is copied at the end. So each round pays for one checkpoint, whichever
  /// side it is, as every so many commits of a service do.
  var commitCount: Int { storage == .file ? 250 : 100 }

  // MARK: Databases

  func store() throws -> Store { try world.store(storage, in: folder) }

  func baseline() throws -> CDatabase { try world.baseline(storage, in: folder) }

  func grdb() throws -> GRDBDatabase { try world.grdb(storage, in: folder) }

  // MARK: Measuring

  /// Runs all sides in turn, A B B A, after one round that does not count, and returns the times of
  /// each side.
  ///
  /// See ``Effort`` for how many rounds there are.
  func interleave(_ sides: [Side]) throws -> [[Sample]] {
    var times = sides.map { _ in [Sample]() }
    let start = Stopwatch.seconds
    for round in 0... {
      // Every other round runs backwards, so that no side always follows the same one.
      let order = Array(sides.indices)
      for position in round % 2 == 0 ? order : order.reversed() {
        let time = try sides[position]()
        if round > 0 { times[position].append(time) }
      }
      if effort.isEnough(round, since: start) { break }
    }
    return times
  }

  // MARK: Reporting

  /// Reports how many times longer one side takes than another, round by round.
  func reportRatio(
    _ name: String, _ side: [Sample], to other: [Sample], goal: String? = nil
  ) {
    reporter.add(
      Figure(
        benchmark: benchmark, name: name, size: size, storage: storage, unit: .ratio,
        value: Spread(zip(side, other).map { $0.cpu / $1.cpu }),
        wall: Spread(zip(side, other).map { $0.wall / $1.wall }), rounds: side.count,
        goal: goal.flatMap { Goal.named($0, in: storage)?.id },
        sides: [Spread(side.map(\.cpu)).median, Spread(other.map(\.cpu)).median]))
  }

  /// Reports a time, in microseconds.
  func reportTime(_ name: String, _ samples: [Sample], goal: String? = nil) {
    reporter.add(
      Figure(
        benchmark: benchmark, name: name, size: size, storage: storage, unit: .microseconds,
        value: Spread(samples.map { $0.cpu / 1e3 }), wall: Spread(samples.map { $0.wall / 1e3 }),
        rounds: samples.count, goal: goal.flatMap { Goal.named($0, in: storage)?.id }, sides: []))
  }

  /// Reports what is no time.
  func report(_ name: String, _ values: [Double], _ unit: Figure.Unit, goal: String? = nil) {
    reporter.add(
      Figure(
        benchmark: benchmark, name: name, size: size, storage: storage, unit: unit,
        value: Spread(values), wall: nil, rounds: values.count,
        goal: goal.flatMap { Goal.named($0, in: storage)?.id }, sides: []))
  }

  /// Reports the cost of a step at one point of a growth, and remembers it.
  func reportStep(_ name: String, _ samples: [Sample], of cost: String, at point: Int) {
    reportTime(name, samples)
    reporter.remember(samples.map(\.cpu), of: cost, at: Double(point))
  }

  /// Reports with which exponent a remembered cost grows, if two points were measured at least.
  func reportGrowth(_ name: String, of cost: String, goal: String? = nil) {
    guard let growth = reporter.growth(of: cost) else { return }
    reporter.add(
      Figure(
        benchmark: benchmark, name: name, size: size, storage: storage, unit: .exponent,
        value: Spread(
          growth.rounds.isEmpty ? [growth.median] : growth.rounds, median: growth.median),
        wall: nil, rounds: growth.rounds.count,
        goal: goal.flatMap { Goal.named($0, in: storage)?.id }, sides: []))
  }
}
