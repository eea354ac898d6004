internal import SectileCore

extension StoredValue {
  /// The kind and the length of the value, for messages.
  internal var kindText: String {
    switch self {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a real number"
    case .text(let text): "a text of \(text.count) character\(text.count == 1 ? "" : "s")"
    case .blob(let bytes): "a blob of \(bytes.count) byte\(bytes.count == 1 ? "" : "s")"
    }
  }
}
