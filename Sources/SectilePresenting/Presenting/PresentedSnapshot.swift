internal import SectileCore

/// A snapshot of a source as a presenter shows it.
struct PresentedSnapshot<ItemID: Hashable & Sendable, SourceItem: Sendable, Cell: Sendable>:
  PresentedContents
{
  typealias Item = Cell

  let base: any DataSourceSnapshot<ItemID, SourceItem>
  let presenter: any Presenter<SourceItem, Cell>
  /// The version of what the target shows: the source may be another one by now.
  let version: Int
  /// Who is to know which cells are asked for.
  var pages: PageAhead?

  var sections: SectionList {
    let (sections, presenter) = (base.sections, presenter)
    return SectionList(count: sections.count) { presenter.presented(sections[$0]) }
  }

  var aggregates: AggregateValues { base.aggregates }

  var numberOfSections: Int { base.numberOfSections }

  var numberOfItems: Int { base.numberOfItems }

  func numberOfItems(in section: Int) -> Int { base.numberOfItems(in: section) }

  func section(withIdentity identity: StoredValue) -> Int? { base.section(withIdentity: identity) }

  func item(at path: ItemPath) throws -> Cell {
    pages?.noteRow(at: path, in: base)
    base.prefetchItem(at: path)
    return try presenter.preparedCell(for: base.item(at: path), at: path)
  }

  func id(at path: ItemPath) -> ItemID { base.id(at: path) }

  func path(of id: ItemID) -> ItemPath? { base.path(of: id) }

  func rank(of path: ItemPath) -> Int { base.rank(of: path) }

  func path(atRank rank: Int) -> ItemPath { base.path(atRank: rank) }

  func kind(at path: ItemPath) throws -> CellKind {
    presenter.kind(of: try base.item(at: path), at: path)
  }

  func attributes(at path: ItemPath) throws -> ItemAttributes {
    presenter.attributes(of: try base.item(at: path), at: path)
  }
}
