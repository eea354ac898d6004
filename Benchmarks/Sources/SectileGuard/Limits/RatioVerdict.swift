/// How the cost of one case compares with what it may be next to another's.
struct RatioVerdict {
  private let name: String
  private let most: MostTimes
  private let ratio: Double

  /// Compares; nil where nothing is said of the case, or the other one was not measured.
  init?(_ measurement: Measurement, among all: [Measurement]) {
    guard let most = GuardCases.all.first(where: { $0.name == measurement.name })?.most,
      let other = all.first(where: { $0.name == most.other })
    else { return nil }
    name = measurement.name
    self.most = most
    ratio = Double(measurement.cost.instructions) / Double(other.cost.instructions)
  }

  var isWithin: Bool { ratio <= most.factor }

  /// A line below the table.
  var line: String {
    "\(name) / \(most.other): \(Self.text(ratio)) x, at most \(Self.text(most.factor)) x"
  }

  /// What to say where it costs too much.
  var message: String {
    "\(name) costs \(Self.text(ratio)) times the instructions of \(most.other), at most "
      + "\(Self.text(most.factor)) times are allowed"
  }

  private static func text(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
  }
}
