/// How the cost of one case compares with its limits.
struct Verdict {
  enum Outcome {
    case within
    /// So much cheaper that the limit no longer guards.
    case loose
    case exceeded
    case missing
  }

  let name: String
  let cost: Cost
  let limit: Cost?
  let outcome: Outcome

  init(_ measurement: Measurement, _ limits: Limits) {
    name = measurement.name
    cost = measurement.cost
    limit = limits.cases[name]
    guard let limit else {
      outcome = .missing
      return
    }
    if cost.instructions > limits.maximum(limit.instructions)
      || cost.allocations > limits.maximum(limit.allocations)
    {
      outcome = .exceeded
    } else if limits.maximum(cost.instructions) < limit.instructions {
      outcome = .loose
    } else {
      outcome = .within
    }
  }

  /// A line of the table.
  var line: String {
    let parts = [
      Self.pad(name, 16, isRight: false), Self.pad("\(cost.instructions)", 14),
      Self.pad(limit.map { "\($0.instructions)" } ?? "-", 14),
      Self.pad(Self.growth(cost.instructions, limit?.instructions), 9),
      Self.pad("\(cost.allocations)", 12), Self.pad(limit.map { "\($0.allocations)" } ?? "-", 12),
      Self.pad(Self.growth(cost.allocations, limit?.allocations), 9), "  \(outcome)",
    ]
    return parts.joined()
  }

  /// The head of the table.
  static let head = [
    pad("case", 16, isRight: false), pad("instructions", 14), pad("limit", 14), pad("", 9),
    pad("allocations", 12), pad("limit", 12),
  ].joined()

  /// What to say of a case that is not within its limits.
  func messages(_ limits: Limits) -> [String] {
    guard let limit else { return ["\(name) has no limit"] }
    let pairs = [
      ("instructions", cost.instructions, limit.instructions),
      ("allocations", cost.allocations, limit.allocations),
    ]
    return pairs.compactMap { unit, figure, limit in
      let maximum = limits.maximum(limit)
      guard figure > maximum else { return nil }
      return "\(name): \(figure) \(unit) per operation, \(Self.growth(figure, limit)) over the "
        + "limit of \(limit) (at most \(maximum) with the tolerance)"
    }
  }

  private static func growth(_ figure: Int, _ limit: Int?) -> String {
    guard let limit, limit > 0 else { return "" }
    let perMille = ((figure - limit) * 1_000 / limit).magnitude
    return "\(figure < limit ? "-" : "+")\(perMille / 10).\(perMille % 10) %"
  }

  private static func pad(_ text: String, _ width: Int, isRight: Bool = true) -> String {
    let spaces = String(repeating: " ", count: max(width - text.count, 0))
    return isRight ? spaces + text : text + spaces
  }
}
