internal import SectileCore

extension SourceSection {
  /// Returns the header for a composition in which sections of several inputs stand side by side.
  func qualified(byInput number: Int) -> SourceSection {
    SourceSection(
      identity: identity.qualified(byInput: number), title: title, indexTitle: indexTitle,
      footer: footer)
  }
}

/// Two inputs may have sections of the same identity: there the identity is a blob that begins with
/// the input's number, followed by a letter for the type of the original, and the original.
extension StoredValue {
  func qualified(byInput number: Int) -> StoredValue {
    let prefix = Array("\(number)".utf8)
    switch self {
    case .null: return .blob(prefix + Array("n".utf8))
    case .integer(let value): return .blob(prefix + Array("i\(value)".utf8))
    case .real(let value):
      // One and 1.0 are one identity.
      if let whole = Int64(exactly: value) { return .blob(prefix + Array("i\(whole)".utf8)) }
      return .blob(prefix + Array("r\(value.bitPattern)".utf8))
    case .text(let value): return .blob(prefix + Array("t".utf8) + Array(value.utf8))
    case .blob(let value): return .blob(prefix + Array("b".utf8) + value)
    }
  }

  /// Returns the original identity, or nil where this is none of that input's.
  func unqualified(byInput number: Int) -> StoredValue? {
    guard case .blob(let bytes) = self else { return nil }
    let prefix = Array("\(number)".utf8)
    guard bytes.starts(with: prefix), bytes.count > prefix.count else { return nil }
    let rest = bytes[(prefix.count + 1)...]
    let text = String(decoding: rest, as: UTF8.self)
    switch UnicodeScalar(bytes[prefix.count]) {
    case "n": return .null
    case "i": return Int64(text).map { .integer($0) }
    case "r": return UInt64(text).map { .real(Double(bitPattern: $0)) }
    case "t": return .text(text)
    case "b": return .blob(Array(rest))
    default: return nil
    }
  }
}
