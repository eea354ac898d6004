internal import Sectile
internal import SectilePresenting

/// What is known of a section before its rows are read.
struct SectionHead {
  /// What the section is told apart by.
  let identity: ExactValue
  /// How many rows it has.
  let count: Int
  /// The value of each aggregate.
  let aggregates: [ExactValue]

  /// Reads a row of ``SectionedQuery/sections``; blobs at the positions of `invalidText` are text
  /// that is not UTF-8.
  init(_ values: [StoredValue], invalidText: [Int]) {
    let exact = values.enumerated().map { column, value in
      if case .blob(let bytes) = value, invalidText.contains(column) {
        return ExactValue.invalidText(bytes)
      }
      return ExactValue.value(value)
    }
    identity = exact[0]
    if case .integer(let number) = values[1] { count = Int(number) } else { count = 0 }
    aggregates = Array(exact[2...])
  }

  /// The identity as a person reads it, safe to show.
  var label: String {
    Self.label(of: InvalidText.marked(identity))
  }

  /// Returns an identity as a person reads it, safe to show: NULL is unlike any text.
  static func label(of identity: StoredValue) -> String {
    switch identity {
    case .null: "(NULL)"
    case .text(let text) where text.isEmpty || text == "(NULL)":
      TerminalText.escaped(identity.description)
    default: ValueText.cell(identity, width: RowStyle.defaultCellWidth).escaped.text
    }
  }
}
