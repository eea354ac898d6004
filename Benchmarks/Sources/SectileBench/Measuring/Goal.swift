/// What a figure must reach, and what it should.
struct Goal: Codable, Sendable {
  /// The number of the goal, such as `P9`.
  let name: String
  let must: Double
  let aim: Double

  init(_ name: String, must: Double, aim: Double) {
    self.name = name
    self.must = must
    self.aim = aim
  }

  enum Verdict: String, Codable, Sendable {
    case aim = "aim reached"
    case must = "must reached"
    case missed = "MISSED"
  }

  func verdict(on value: Double) -> Verdict {
    value <= aim ? .aim : value <= must ? .must : .missed
  }
}
