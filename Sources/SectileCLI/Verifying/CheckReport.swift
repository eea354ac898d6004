internal import Sectile
internal import SectilePresenting

/// What came of one check.
struct CheckReport {
  /// How a check ended.
  enum State: String {
    case ok
    case problem
    /// It could not be done; ``summary`` says why.
    case skipped
  }

  /// At most how many details are kept.
  static let detailLimit = 100

  /// What was checked: `integrity`, `foreign-keys`, `migrations`, `change-log`, `replay` or
  /// `library`.
  let name: String
  /// The table it is about; nil where it is about all.
  var table: String?
  let state: State
  /// The outcome in a few words.
  let summary: String
  /// What was found, one line each.
  var details: [String] = []
  /// Numbers, by name.
  var figures: [(name: String, value: Int)] = []

  /// The lines for a person, safe to show.
  var lines: [String] {
    let style: TextStyle =
      switch state {
      case .ok: .green
      case .problem: .red
      case .skipped: .yellow
      }
    let word = style.text(TerminalText.padded(state.rawValue, to: 7))
    let subject = table.map { "\(name) of \($0)" } ?? name
    let details = details.map { "           " + TerminalText.escaped($0) }
    return ["\(word)  \(TerminalText.escaped("\(subject): \(summary)"))"] + details
  }

  /// The report as a part of a JSON document.
  var document: JSONValue {
    [
      "check": .string(name), "table": JSONValue(table), "state": .string(state.rawValue),
      "summary": .string(summary), "details": .array(details.map { .string($0) }),
      "figures": .object(figures.map { (name: $0.name, value: JSONValue($0.value)) }),
    ]
  }
}
