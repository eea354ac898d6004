internal import Sectile
internal import SectileInspecting

extension SQLLiterals {
  /// Returns a value as SQL, whatever text it holds.
  ///
  /// - Throws: ``StoreError`` where SQLite does not answer how it reads a number.
  func text(of value: ExactValue) throws -> String {
    switch value {
    case .value(let value):
      // All of the text is UTF-8, so its bytes are not asked for elsewhere.
      return try text(of: value) {
        if case .text(let text) = value { Array(text.utf8) } else { [] }
      }
    case .invalidText(let bytes):
      return "CAST(X'\(StoredValue.hexadecimal(bytes))' AS TEXT)"
    }
  }
}
