public import SectileCore

/// Makes what a target shows from what a source contains: a cell for each item, and the texts
/// around a section's items.
///
/// A cell is of any type: a row of text, a value to encode, a view. It is made in two steps. First
/// ``cell(for:at:)`` makes it; then, just before it is shown, ``prepare(_:for:at:)`` completes it.
/// A list that makes cells ahead of time does the second step late.
///
/// A presenter holds nothing that changes, so it may serve several adapters, and be asked on any
/// thread. It is asked only for cells that are needed. ``CellPresenter`` is made of closures.
///
/// ```swift
/// struct FoodPresenter: Presenter {
///   func cell(for food: Food, at path: ItemPath) -> TextRow { [food.name, food.colour] }
/// }
/// ```
///
/// The path is where the item is in the version that is shown. An item that only shifts keeps its
/// cell, so a cell should not spell its path out.
public protocol Presenter<Item, Cell>: Sendable {
  /// What is presented.
  associatedtype Item: Sendable
  /// What shows it.
  associatedtype Cell: Sendable

  /// Returns the kind of cell for an item; ``CellKind/standard`` unless implemented.
  func kind(of item: Item, at path: ItemPath) -> CellKind

  /// Makes the cell for an item.
  ///
  /// - Throws: What hinders it. The target is told, and shows everything anew with the next update.
  func cell(for item: Item, at path: ItemPath) throws -> Cell

  /// Completes a cell just before it is shown; does nothing unless implemented.
  func prepare(_ cell: inout Cell, for item: Item, at path: ItemPath)

  /// Returns the text above a section's items, empty for none; its title unless implemented.
  func header(of section: SourceSection) -> String

  /// Returns the text below a section's items; its footer unless implemented.
  func footer(of section: SourceSection) -> String?

  /// Returns the short text for an index beside the list; the section's own unless implemented.
  func indexTitle(of section: SourceSection) -> String?

  /// Returns what is known of an item beside its cell; nothing unless implemented.
  func attributes(of item: Item, at path: ItemPath) -> ItemAttributes
}

extension Presenter {
  /// Returns the one kind there is.
  public func kind(of item: Item, at path: ItemPath) -> CellKind { .standard }

  /// Does nothing.
  public func prepare(_ cell: inout Cell, for item: Item, at path: ItemPath) {}

  /// Returns the section's title.
  public func header(of section: SourceSection) -> String { section.title }

  /// Returns the section's footer.
  public func footer(of section: SourceSection) -> String? { section.footer }

  /// Returns the section's index title.
  public func indexTitle(of section: SourceSection) -> String? { section.indexTitle }

  /// Returns no attributes.
  public func attributes(of item: Item, at path: ItemPath) -> ItemAttributes { ItemAttributes() }

  /// Makes a cell and prepares it, as for one that is shown at once.
  ///
  /// - Throws: What ``cell(for:at:)`` throws.
  public func preparedCell(for item: Item, at path: ItemPath) throws -> Cell {
    var cell = try cell(for: item, at: path)
    prepare(&cell, for: item, at: path)
    return cell
  }

  /// Returns a section with its texts as they are shown; it stays the same section.
  public func presented(_ section: SourceSection) -> SourceSection {
    SourceSection(
      identity: section.identity, title: header(of: section), indexTitle: indexTitle(of: section),
      footer: footer(of: section), aggregates: section.aggregates)
  }
}
