internal import Sectile
internal import SectilePresenting

/// What is known of a section before its rows are read.
struct SectionHead {
  /// What the section is told apart by.
  let identity: StoredValue
  /// How many rows it has.
  let count: Int
  /// The value of each aggregate.
  let aggregates: [StoredValue]

  /// Reads a row of ``SectionedQuery/sections``.
  init(_ values: [StoredValue]) {
    identity = values[0]
    if case .integer(let number) = values[1] { count = Int(number) } else { count = 0 }
    aggregates = Array(values[2...])
  }

  /// The identity as a person reads it, safe to show.
  var label: String { Self.label(of: identity) }

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
