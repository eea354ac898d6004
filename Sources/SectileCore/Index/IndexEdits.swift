/// What turns one version of a ``SectionedIndex`` into the next.
///
/// Removals are positions before, insertions positions after, as in a ``Changeset``. A row that
/// moves is removed and inserted again with its handle. A section that moves keeps its rows, except
/// for those that are removed or inserted on their own.
package struct IndexEdits: Sendable {
  /// A section that is new, or whose header or order changed.
  package struct Section: Sendable {
    /// The section's ordinal after the edits.
    package var ordinal: Int
    package var header: SourceSection
    /// The digest of what decides the section's place.
    package var order: UInt64

    package init(ordinal: Int, header: SourceSection, order: UInt64 = 0) {
      self.ordinal = ordinal
      self.header = header
      self.order = order
    }
  }

  /// A section that changes places.
  package struct SectionShift: Hashable, Sendable {
    /// The section's ordinal before the edits.
    package var source: Int
    /// The section's ordinal after the edits.
    package var target: Int

    package init(source: Int, target: Int) {
      self.source = source
      self.target = target
    }
  }

  /// A row that is new or arrives from somewhere else.
  package struct Row: Hashable, Sendable {
    /// The row's path after the edits.
    package var path: ItemPath
    package var handle: Int32

    package init(path: ItemPath, handle: Int32) {
      self.path = path
      self.handle = handle
    }
  }

  /// The paths before of rows that go, ascending.
  package var removedRows: [ItemPath] = []
  /// The ordinals before of sections that go, ascending; rows left in them go too.
  package var removedSections: [Int] = []
  /// The sections that change places, in any order.
  package var movedSections: [SectionShift] = []
  /// The new sections, ascending.
  package var insertedSections: [Section] = []
  /// The sections with another header or order, in any order.
  package var updatedSections: [Section] = []
  /// The rows that come, ascending.
  package var insertedRows: [Row] = []

  /// Creates edits that change nothing.
  package init() {}

  /// Whether sections come, go or change places.
  var changesSections: Bool {
    !removedSections.isEmpty || !movedSections.isEmpty || !insertedSections.isEmpty
  }

  /// Whether nothing is edited.
  package var isEmpty: Bool {
    removedRows.isEmpty && removedSections.isEmpty && movedSections.isEmpty
      && insertedSections.isEmpty && updatedSections.isEmpty && insertedRows.isEmpty
  }
}
