/// How much time a run may take: rounds, and when to stop early.
struct Effort: Sendable {
  /// How many rounds count at least, as long as there is time.
  let rounds: Int
  /// How many seconds a comparison goes on at least: where rounds are short, there are more of
  /// them.
  let comparisonLeast: Double
  /// How many seconds the rounds of one comparison may take, after which there are fewer.
  let comparisonLimit: Double
  /// When the whole run should end, in seconds of the stopwatch; later comparisons do one round.
  let end: Double
  let isQuick: Bool

  /// Creates the effort of a whole run.
  ///
  /// - Parameters:
  ///   - isQuick: Whether figures may be rough.
  ///   - rounds: How many rounds count, unless time is up; nil for as many as are sensible.
  init(isQuick: Bool, rounds: Int?) {
    self.init(
      rounds: rounds ?? (isQuick ? 3 : 7),
      comparisonLeast: isQuick || rounds != nil ? 0 : 6, comparisonLimit: isQuick ? 3 : 100,
      end: Stopwatch.seconds + (isQuick ? 75 : 36 * 60), isQuick: isQuick)
  }

  private init(
    rounds: Int, comparisonLeast: Double, comparisonLimit: Double, end: Double, isQuick: Bool
  ) {
    self.rounds = rounds
    self.comparisonLeast = comparisonLeast
    self.comparisonLimit = comparisonLimit
    self.end = end
    self.isQuick = isQuick
  }

  var isOver: Bool { Stopwatch.seconds > end }

  /// Returns whether a comparison has been measured well enough, or for as long as it may take.
  ///
  /// - Parameters:
  ///   - counted: How many rounds were counted.
  ///   - start: When the comparison began, in seconds of the stopwatch.
  /// - Returns: Whether to stop; never before one round was counted.
  func isEnough(_ counted: Int, since start: Double) -> Bool {
    let now = Stopwatch.seconds
    if now > min(start + comparisonLimit, end) { return counted > 0 }
    return counted >= rounds && now > start + comparisonLeast
  }

  /// The same for what is further evidence of a goal: a file where the goal is stated for memory.
  var forEvidence: Effort {
    Effort(
      rounds: rounds, comparisonLeast: 0, comparisonLimit: comparisonLimit / 5, end: end,
      isQuick: isQuick)
  }

  /// The same for costs that are watched as they grow: no goal depends on them.
  var forGrowth: Effort {
    Effort(
      rounds: min(rounds, 3), comparisonLeast: 0, comparisonLimit: comparisonLimit / 8, end: end,
      isQuick: isQuick)
  }
}
