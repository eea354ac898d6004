/// One line of the result.
struct Figure: Codable, Sendable {
  enum Unit: String, Codable, Sendable {
    case ratio = "×"
    case microseconds = "µs"
    case bytes = "B"
    case exponent = "exp"
  }

  let benchmark: String
  let name: String
  let size: Int
  let storage: Storage
  let unit: Unit
  let value: Spread
  let goal: Goal?
  /// Median times of the two sides of a ratio, in nanoseconds.
  let sides: [Double]

  var verdict: Goal.Verdict? { goal?.verdict(on: value.median) }
}

/// A result that is not what it must be.
///
/// A figure of wrong work counts for nothing.
struct WrongResult: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

func verify(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw WrongResult(message()) }
}
