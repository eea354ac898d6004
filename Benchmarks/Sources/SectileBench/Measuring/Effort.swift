/// How much time a run may take: rounds, and when to stop early.
struct Effort: Sendable {
  let rounds: Int
  /// How many seconds the rounds of one comparison may take, after which there are fewer.
  let comparisonLimit: Double
  /// When the whole run should end, in seconds of the stopwatch; later comparisons do one round.
  let end: Double
  let isQuick: Bool

  init(isQuick: Bool, rounds: Int?) {
    self.init(
      rounds: rounds ?? (isQuick ? 3 : 7), comparisonLimit: isQuick ? 3 : 100,
      end: Stopwatch.seconds + (isQuick ? 75 : 36 * 60), isQuick: isQuick)
  }

  private init(rounds: Int, comparisonLimit: Double, end: Double, isQuick: Bool) {
    self.rounds = rounds
    self.comparisonLimit = comparisonLimit
    self.end = end
    self.isQuick = isQuick
  }

  var isOver: Bool { Stopwatch.seconds > end }

  /// The same for what is further evidence of a goal: a file where the goal is stated for memory.
  var forEvidence: Effort {
    Effort(rounds: rounds, comparisonLimit: comparisonLimit / 5, end: end, isQuick: isQuick)
  }

  /// The same for costs that are watched as they grow: no goal depends on them.
  var forGrowth: Effort {
    Effort(
      rounds: min(rounds, 3), comparisonLimit: comparisonLimit / 8, end: end, isQuick: isQuick)
  }
}
