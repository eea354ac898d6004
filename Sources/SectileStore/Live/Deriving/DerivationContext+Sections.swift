import SectileCore

// The sections before, and which of them a row that is read again belongs to.
extension DerivationContext {
  var keepsEmptySections: Bool { reader.queries.plan.section?.fixedSections != nil }

  /// Whether a section of the contents before has no rows.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  var hasEmptySection: Bool {
    (0..<base.index.sectionCount).contains { base.index.count(inSection: $0) == 0 }
  }

  /// The section that a row belongs to; nil where there is no such section.
  ///
  /// - Parameters:
  ///   - cursor: Stands on the row.
  ///   - candidate: The ordinal of a section that it may well be.
  /// - Returns: The section.
  /// - Throws: Where the section's identity cannot be read.
  @inline(__always)
  func section(of cursor: PlanCursor, near candidate: Int?) throws -> SectionedIndex.Section? {
    if let candidate {
      let identity = cursor.identity
      if let section = base.index.section(candidate, where: { identity.holds($0) }) {
        return section
      }
    }
    guard let other = base.index.sectionOrdinal(of: try cursor.identityValue()) else { return nil }
    return base.index.section(other) { _ in true }
  }

  /// The section that a row is put into, of those before or a new one.
  ///
  /// - Parameters:
  ///   - cursor: Stands on the row.
  ///   - candidate: The ordinal of a section that it may well be.
  /// - Returns: The section.
  /// - Throws: ``StaleContents`` where the section stood elsewhere: the row has moved all of it;
  ///   and where the row's title cannot be read, which matters only if it is the first of its
  ///   section.
  func home(of cursor: PlanCursor, near candidate: Int?) throws -> SectionEdits.Home {
    guard let section = try section(of: cursor, near: candidate) else {
      guard let new = try? cursor.section() else { throw StaleContents() }
      return .new(new)
    }
    guard section.order == cursor.sectionOrderDigest() else { throw StaleContents() }
    return .existing(section.ordinal)
  }
}

extension SectionEdits.Home {
  var isNew: Bool { if case .new = self { true } else { false } }

  func isSection(_ ordinal: Int) -> Bool {
    if case .existing(let section) = self { section == ordinal } else { false }
  }
}
