package import Sectile

extension StoredValue {
  /// The value as a person reads it: text as it is, a blob or an infinity as SQL writes it.
  package var plainText: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): number.isFinite ? "\(number)" : description
    case .text(let text): text
    case .blob: description
    }
  }
}
