import SectileCore
import SectileTestSupport

extension SectionDiagram {
  /// Draws what a composition shows: `0: fig kiwi | 1: fig' pear`.
  ///
  /// Sections are called by their places, since what identifies them is the composition's own
  /// affair. One item may stand in several places: a prime after it for each place before.
  ///
  /// - Throws: What reading an item throws.
  init<ItemID: Hashable & Sendable, Item: Sendable>(
    ofComposition source: some DataSource<ItemID, Item>, label: (Item) -> String
  ) throws {
    var places: [String: Int] = [:]
    let sections = try source.snapshot.materialized().sections.enumerated().map {
      ordinal, section in
      Section(
        identity: "\(ordinal)",
        items: section.rows.map { row in
          let item = SectionDiagram.Item(label(row.item))
          defer { places[item.id, default: 0] += 1 }
          let primes = String(repeating: "'", count: places[item.id, default: 0])
          return SectionDiagram.Item(id: item.id + primes, contents: item.contents)
        })
    }
    self.init(sections: sections)
  }
}
