import SectileCore

/// What a row says about its section.
struct PlanSectionRow {
  let header: SourceSection
  /// A digest of the section's order; zero where sections are ordered by identity alone.
  let order: UInt64

  /// The one section of a plan without sections.
  static let only = PlanSectionRow(header: SourceSection(identity: .null, title: ""), order: 0)
}

extension PlanSectionRow {
  init(identity: StoredValue, title: StoredValue, order: UInt64) {
    let title = title.sectionTitle
    self.init(
      header: SourceSection(
        identity: identity, title: title, indexTitle: title.sectionIndexTitle), order: order)
  }
}

extension StoredValue {
  /// The value as the title of a section.
  var sectionTitle: String {
    switch self {
    case .null: ""
    case .integer(let value): String(value)
    // 1 and 1.0 are one identity, so they have one title.
    case .real(let value): Int64(exactly: value).map { String($0) } ?? String(value)
    case .text(let text): text
    case .blob: description
    }
  }
}

extension String {
  /// The first character of a section's title, in upper case; nil for an empty title.
  fileprivate var sectionIndexTitle: String? {
    // A letter of ASCII before another byte of ASCII is a character; others have to be looked for.
    var bytes = utf8.makeIterator()
    if let letter = bytes.next()?.asciiLetter, bytes.next() ?? 0 < 0x80 {
      return String(Unicode.Scalar(letter & ~0x20))
    }
    return first.map { String($0).uppercased() }
  }
}

extension UInt8 {
  /// The byte, if it is a letter of ASCII.
  fileprivate var asciiLetter: UInt8? { (0x61...0x7A).contains(self | 0x20) ? self : nil }
}
