internal import Foundation

/// Compares what was counted with the limits, or makes the limits of it.
struct Judge {
  /// By how much a cost may grow, in limits that are made anew.
  static let tolerance = 0.1

  let path: String
  let environment: Environment
  let measurements: [Measurement]

  /// Makes limits of what was counted; those of other cases stay.
  func write() throws {
    let old = FileManager.default.fileExists(atPath: path) ? try Limits(path: path) : nil
    var cases = (old?.cases ?? [:]).filter { name, _ in
      GuardCases.all.contains { $0.name == name }
    }
    for measurement in measurements { cases[measurement.name] = measurement.cost }
    let limits = Limits(
      environment: environment, tolerance: old?.tolerance ?? Self.tolerance, cases: cases)
    try limits.write(to: path)
    print(Verdict.head)
    for measurement in measurements { print(Verdict(measurement, old ?? limits).line) }
    print("The limits are written, for \(environment).")
  }

  /// Prints the table.
  ///
  /// - Throws: ``GuardError`` if a case exceeds its limit or has none, or costs too much next to
  ///   another.
  func compare() throws {
    let limits = try Limits(path: path)
    let verdicts = measurements.map { Verdict($0, limits) }
    print(Verdict.head)
    for verdict in verdicts { print(verdict.line) }
    // What two cases cost next to each other is the same on all architectures, nearly.
    let ratios = measurements.compactMap { RatioVerdict($0, among: measurements) }
    for ratio in ratios { print(ratio.line) }
    if environment.architecture != limits.environment.architecture {
      print("Nothing is judged: this is \(environment), the limits are of \(limits.environment).")
      return
    }
    if verdicts.contains(where: { $0.outcome == .loose }) {
      print("Loose limits guard nothing; tighten them with: scripts/guard --write")
    }
    let failed = verdicts.filter { $0.outcome == .exceeded || $0.outcome == .missing }
    let exceeded = ratios.filter { !$0.isWithin }.map(\.message)
    guard !failed.isEmpty else {
      if !exceeded.isEmpty { throw GuardError(exceeded.joined(separator: "\n")) }
      return
    }
    var lines = exceeded + failed.flatMap { $0.messages(limits) }
    lines.append("If that is meant, move the limits and commit them with the reason:")
    lines.append("    scripts/guard --write \(failed.map(\.name).joined(separator: " "))")
    if environment != limits.environment {
      lines.append("The limits are of \(limits.environment), this is \(environment);")
      lines.append("after an upgrade count the revision before yours too.")
    }
    throw GuardError(lines.joined(separator: "\n"))
  }
}
