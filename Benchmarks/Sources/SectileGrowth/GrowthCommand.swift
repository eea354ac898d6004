internal import ArgumentParser
internal import Glibc

/// Measures how costs grow, and judges their exponents.
@main
struct GrowthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth",
    abstract: "Measures how costs grow with what they must not grow with.",
    discussion: """
      Each case is done at two sizes; processor time is counted, not time, and the least of several \
      rounds. The exponent of a cost is 0 where it stays the same, 1 where it doubles with the size. A \
      case fails where its exponent is higher than the one it may have, and the room for noise, \(text(GrowthFigure.room)).
      """)

  /// How often a case is measured before its exponent counts as too high.
  private static let attempts = 3

  @Argument(help: "The cases to measure; all where none is named.")
  var names: [String] = []

  @Flag(help: "List the cases and what one operation of each is.")
  var list = false

  func validate() throws {
    for name in names where !GrowthCases.all.contains(where: { $0.name == name }) {
      throw ValidationError("there is no case '\(name)'; --list names them")
    }
  }

  func run() async throws {
    let cases = GrowthCases.all.filter { names.isEmpty || names.contains($0.name) }
    guard !list else {
      for one in cases { print(Self.padded(one.name, 22) + one.summary) }
      return
    }
    print(
      Self.padded("case", 22) + Self.padded("sizes", 18) + Self.padded("cost, us", 22)
        + "exponent  at most")
    var failed: [String] = []
    for one in cases {
      var figure = try await GrowthFigure.measure(one)
      for _ in 1..<Self.attempts where !figure.isWithinLimit {
        let again = try await GrowthFigure.measure(one)
        if again.exponent < figure.exponent { figure = again }
      }
      print(Self.padded(one.name, 22) + figure.description)
      fflush(nil)
      if !figure.isWithinLimit { failed.append(one.name) }
    }
    guard failed.isEmpty else {
      throw WrongResult(description: "grows faster than it may: \(failed.joined(separator: ", "))")
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
