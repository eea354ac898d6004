internal import Sectile
internal import SectileInspecting

extension ColumnAffinity {
  /// Returns a value with a type of its own as it is bound; SQLite does the rest.
  ///
  /// Decimal numbers are read and written here, since SQLite's own conversion may miss the last
  /// bit.
  func converted(_ value: StoredValue) -> StoredValue {
    switch (self, value) {
    case (.text, .real(let number)): .text("\(number)")
    case (.integer, .text(let text)), (.numeric, .text(let text)), (.real, .text(let text)):
      number(text) ?? value
    default: value
    }
  }

  /// Returns the number that a column of numbers makes of a text; nil where it stays text, or
  /// SQLite knows best.
  func number(_ text: String) -> StoredValue? {
    // `Int64` takes what SQLite would take, `007` and `+1` among it, with the same result.
    if let number = Int64(text) { return .integer(number) }
    // All digits, but too many: SQLite knows what to make of it.
    if self != .real && text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) { return nil }
    return NumberText.number(text).map { .real($0) }
  }
}
