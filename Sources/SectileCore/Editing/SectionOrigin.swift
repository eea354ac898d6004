/// Where a section of a list comes from, and what decides which items are in it.
package struct SectionOrigin: Sendable {
  /// The source that the section comes from, below all compositions.
  package let source: any DataSource
  /// The section of that source that is shown, whole or in part; nil where it is not one alone.
  package let section: Int?
  /// What the section is called in that source, where it is not there because it has no items.
  package let absentIdentity: StoredValue?
  /// What decides on the way which items the section has, other than their places.
  package var deciders: Set<SectionDecider>
  /// Whether compositions on the way show the items of a section the other way round.
  package var isReversed = false

  package init(
    source: any DataSource, section: Int?, absentIdentity: StoredValue? = nil,
    deciders: Set<SectionDecider> = []
  ) {
    self.source = source
    self.section = section
    self.absentIdentity = absentIdentity
    self.deciders = deciders
  }

  /// Whether a closure assigns the items to sections.
  package var isWorkedOut: Bool { deciders.contains { $0.identity != nil } }
}

/// A composition that decides by an item itself where the item is shown.
package struct SectionDecider: Hashable, Sendable {
  private let composition: ObjectIdentifier
  /// The section that it assigns the items to; nil where it says only whether they are shown.
  package let identity: StoredValue?

  package init(_ composition: ObjectIdentifier, assigning identity: StoredValue? = nil) {
    self.composition = composition
    self.identity = identity
  }
}

/// A source that is fed by others, and knows whose its sections are.
package protocol SectionTelling: AnyObject {
  /// Looks down where a section comes from.
  ///
  /// - Parameter section: The section; nil for several of them.
  /// - Returns: The origin; nil where that is not known.
  func origin(ofSection section: Int?) -> SectionOrigin?

  /// Looks down where a section comes from that is not there, because it has no items.
  ///
  /// - Parameter identity: What the section is called here.
  /// - Returns: The origin; nil where that is not known.
  func origin(ofAbsentSection identity: StoredValue) -> SectionOrigin?
}

extension DataSource {
  /// Looks down where a section comes from, below all compositions.
  ///
  /// - Parameter section: The section; nil for several of them.
  /// - Returns: The origin; the section itself where the source is fed by none.
  package func origin(ofSection section: Int?) -> SectionOrigin {
    (self as? any SectionTelling)?.origin(ofSection: section)
      ?? SectionOrigin(source: self, section: section)
  }

  /// Looks down where a section comes from, below all compositions, also where it is not there
  /// because it has no items.
  ///
  /// - Parameter identity: What the section is called here.
  /// - Returns: The origin; the section itself where the source is fed by none.
  package func origin(ofSectionCalled identity: StoredValue) -> SectionOrigin {
    if let section = snapshot.section(withIdentity: identity) {
      return origin(ofSection: section)
    }
    guard let composition = self as? any SectionTelling else {
      return SectionOrigin(source: self, section: nil, absentIdentity: identity)
    }
    return composition.origin(ofAbsentSection: identity) ?? origin(ofSection: nil)
  }
}
