/// A goal, and the figure that decides on it.
struct Verdict: Codable, Sendable {
  let id: String
  let what: String
  let value: Double
  /// The limits, and whether they are met; nil for a figure that is shown and not judged.
  let must: Double?
  let aim: Double?
  let mustMet: Bool?
  let aimMet: Bool?
  /// Whether this is the goal at its stated size and place; the others are further evidence.
  let isPrimary: Bool
  let size: Int
  let storage: Storage
  let unit: Figure.Unit
  /// Where the middle half of the rounds lies.
  let lower: Double
  let upper: Double
  let wall: Double?
  let rounds: Int

  enum CodingKeys: String, CodingKey {
    case id, what, value, must, aim, storage, unit, lower, upper, wall, rounds
    case mustMet = "must_met"
    case aimMet = "aim_met"
    case isPrimary = "primary"
    case size = "n"
  }

  init(_ goal: Goal, _ figure: Figure, id: String, isPrimary: Bool) {
    self.id = id
    what = goal.what
    value = figure.value.median
    must = goal.must
    aim = goal.aim
    mustMet = goal.must.map { figure.value.median <= $0 }
    aimMet = goal.aim.map { figure.value.median <= $0 }
    self.isPrimary = isPrimary
    size = figure.size
    storage = figure.storage
    unit = figure.unit
    lower = figure.value.lower
    upper = figure.value.upper
    wall = figure.wall?.median
    rounds = figure.rounds
  }

  /// In words, for tables.
  var text: String {
    guard let mustMet else { return "not judged" }
    return aimMet == true ? "aim met" : mustMet ? "must met" : "MISSED"
  }

  /// Decides on every goal that was measured: each once at its stated size under its own number,
  /// and once for each other size under the number with a suffix.
  ///
  /// A goal that states no size has to hold at all of them, so the worst figure decides.
  static func all(on figures: [Figure]) -> [Verdict] {
    var ids: [String] = Goal.all.map(\.id)
    for figure in figures {
      if let id = figure.goal, !ids.contains(id) { ids.append(id) }
    }
    return ids.flatMap { id -> [Verdict] in
      let candidates = figures.filter { $0.goal == id }.sorted { $0.size < $1.size }
      guard let smallest = candidates.first,
        let goal = Goal.all.first(where: { $0.id == id })
          ?? Goal.named(String(id.dropLast("-file".count)), in: .file)
      else { return [] }
      let main =
        goal.size.map { size in candidates.last { $0.size <= size } ?? smallest }
        ?? candidates.max { $0.value.median < $1.value.median } ?? smallest
      let others = candidates.filter { $0.size != main.size }
      return [Verdict(goal, main, id: id, isPrimary: goal.isStated)]
        + others.map { figure in
          let suffix = SizeText.text(figure.size).lowercased()
          return Verdict(goal, figure, id: "\(id)-\(suffix)", isPrimary: false)
        }
    }
  }
}
