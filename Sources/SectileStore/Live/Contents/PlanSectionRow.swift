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
    var title = self
    let letter = title.withUTF8(FirstLetter.of)
    return letter.isEmpty ? nil : letter
  }
}
