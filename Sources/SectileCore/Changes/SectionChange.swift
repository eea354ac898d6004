/// A section that is gone.
///
/// Its rows are reported too, as deletes or as moves out of it.
public struct SectionDelete: Hashable, Sendable {
  /// The section's ordinal in the contents before.
  public let section: Int
  /// The section's header as it was.
  public let header: SourceSection
  /// The digest of what decided the section's place; nil where the source cannot tell.
  package let order: UInt64?

  package init(section: Int, header: SourceSection, order: UInt64? = nil) {
    self.section = section
    self.header = header
    self.order = order
  }
}

/// A section that is new.
///
/// Its rows are reported too, as inserts or as moves into it.
public struct SectionInsert: Hashable, Sendable {
  /// The section's ordinal in the contents after.
  public let section: Int
  /// The section's header.
  public let header: SourceSection
  /// The digest of what decides the section's place; nil where the source cannot tell.
  package let order: UInt64?

  package init(section: Int, header: SourceSection, order: UInt64? = nil) {
    self.section = section
    self.header = header
    self.order = order
  }
}

/// A section whose order changed.
///
/// Its rows travel with it and are not reported for that.
public struct SectionMove: Hashable, Sendable {
  /// The section's ordinal in the contents before.
  public let source: Int
  /// The section's ordinal in the contents after.
  public let target: Int
  /// The section's header after the change.
  public let header: SourceSection

  /// The digest of what decided the section's place before; nil where the source cannot tell.
  package let orderBefore: UInt64?
  /// The digest of what decides the section's place after; nil where the source cannot tell.
  package let orderAfter: UInt64?

  package init(
    source: Int, target: Int, header: SourceSection,
    orderBefore: UInt64? = nil, orderAfter: UInt64? = nil
  ) {
    self.source = source
    self.target = target
    self.header = header
    self.orderBefore = orderBefore
    self.orderAfter = orderAfter
  }
}

/// A section whose header changed: its title, index title, footer or aggregates.
///
/// Its rows are not reported for that.
public struct SectionUpdate: Hashable, Sendable {
  /// The section's ordinal in the contents before.
  public let source: Int
  /// The section's ordinal in the contents after.
  public let target: Int
  /// The section's header before the change.
  public let before: SourceSection
  /// The section's header after the change.
  public let header: SourceSection

  package init(source: Int, target: Int, before: SourceSection, header: SourceSection) {
    self.source = source
    self.target = target
    self.before = before
    self.header = header
  }
}

/// What changed of the contents as a whole: their aggregates.
public struct ContentsUpdate: Hashable, Sendable, Codable {
  /// The aggregates of all rows before the change.
  public let before: AggregateValues
  /// The aggregates of all rows after the change.
  public let after: AggregateValues

  package init(before: AggregateValues, after: AggregateValues) {
    self.before = before
    self.after = after
  }

  /// Describes a change; nil where there is none.
  package init?(from before: AggregateValues, to after: AggregateValues) {
    guard before != after else { return nil }
    self.init(before: before, after: after)
  }
}
