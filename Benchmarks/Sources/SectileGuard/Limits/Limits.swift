internal import Foundation

/// The committed costs that no case may exceed by more than the tolerance.
struct Limits: Codable {
  /// With what they were counted.
  var environment: Environment
  /// The part of a cost by which it may grow.
  var tolerance: Double
  var cases: [String: Cost]

  init(environment: Environment, tolerance: Double, cases: [String: Cost]) {
    self.environment = environment
    self.tolerance = tolerance
    self.cases = cases
  }

  init(path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw GuardError("there are no limits at '\(path)'; scripts/guard --write makes them")
    }
    do {
      self = try JSONDecoder().decode(Limits.self, from: data)
    } catch {
      throw GuardError("'\(path)' is not a file of limits: \(error)")
    }
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
  }

  /// Returns the greatest number that is still within a limit.
  func maximum(_ limit: Int) -> Int { Int((Double(limit) * (1 + tolerance)).rounded(.up)) }
}
