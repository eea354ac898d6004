/// A section that is gone.
///
/// Its rows are reported too, as deletes or as moves out of it.
public struct SectionDelete: Hashable, Sendable {
  /// The section's ordinal in the contents before.
  public let section: Int
  /// The section's header as it was.
  public let header: SourceSection

  package init(section: Int, header: SourceSection) {
    self.section = section
    self.header = header
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

  package init(section: Int, header: SourceSection) {
    self.section = section
    self.header = header
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

  package init(source: Int, target: Int, header: SourceSection) {
    self.source = source
    self.target = target
    self.header = header
  }
}

/// A section whose header changed: its title, index title or footer.
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
