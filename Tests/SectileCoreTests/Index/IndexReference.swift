import SectileCore
import SectileTestSupport

/// What a `SectionedIndex` must do, in plain arrays.
struct IndexReference {
  struct Section {
    var header: SourceSection
    var order: UInt64
    var handles: [Int32]
  }

  var sections: [Section] = []

  init() {}

  /// Creates what is drawn, sections and handles by their numbers: `0: 4 2 | 1: | 2: 0`.
  init(_ diagram: SectionDiagram, order: UInt64 = 0) {
    sections = diagram.sections.map { section in
      Section(
        header: Self.header(Int(section.identity) ?? -1), order: order,
        handles: section.items.map { Int32($0.id) ?? -1 })
    }
  }

  var diagram: SectionDiagram {
    SectionDiagram(
      sections: sections.map { section in
        .init(
          identity: section.header.identity.label, items: section.handles.map { .init("\($0)") })
      })
  }

  var handles: [Int32] { sections.flatMap(\.handles) }

  static func header(_ number: Int) -> SourceSection {
    SourceSection(identity: .integer(Int64(number)), title: "section \(number)")
  }

  mutating func apply(_ edits: IndexEdits) {
    for path in edits.removedRows.reversed() {
      sections[path.section].handles.remove(at: path.item)
    }
    var arrivals = edits.movedSections.map { ($0.target, sections[$0.source]) }
    arrivals += edits.insertedSections.map {
      ($0.ordinal, Section(header: $0.header, order: $0.order, handles: []))
    }
    let departures = edits.removedSections + edits.movedSections.map(\.source)
    for ordinal in departures.sorted().reversed() { sections.remove(at: ordinal) }
    for (ordinal, section) in arrivals.sorted(by: { $0.0 < $1.0 }) {
      sections.insert(section, at: ordinal)
    }
    for section in edits.updatedSections {
      sections[section.ordinal].header = section.header
      sections[section.ordinal].order = section.order
    }
    for row in edits.insertedRows {
      sections[row.path.section].handles.insert(row.handle, at: row.path.item)
    }
  }

  /// Returns the index built row by row.
  func built(blockCapacity: Int) -> SectionedIndex {
    var builder = SectionedIndexBuilder(blockCapacity: blockCapacity)
    for section in sections {
      builder.appendSection(section.header, order: section.order)
      for handle in section.handles { builder.appendRow(handle) }
    }
    return builder.finish()
  }
}

extension SectionDiagram {
  /// Draws an index, sections and handles by their numbers.
  init(of index: SectionedIndex) {
    self.init(
      sections: (0..<index.sectionCount).map { ordinal in
        Section(
          identity: index.header(ofSection: ordinal).identity.label,
          items: index.handles(inSection: ordinal).map { Item("\($0)") })
      })
  }
}
