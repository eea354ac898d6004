/// A piece of work that is done at two sizes.
///
/// Making the case does everything that must not count.
protocol GrowthCase {
  static var name: String { get }
  /// What one operation is, and what the size is the number of.
  static var summary: String { get }
  static var sizes: (small: Int, large: Int) { get }
  /// The exponent that the cost of one operation may have.
  static var exponent: Double { get }
  /// Whether an operation can be done again in the same world.
  static var isRepeatable: Bool { get }

  init(size: Int) async throws
  mutating func perform() async throws
}

extension GrowthCase {
  static var isRepeatable: Bool { true }
}

/// What a case does is not what it must do: its figure would count for nothing.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
}

/// Ends the run if a result is not what it must be.
func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw WrongResult(description: message()) }
}
