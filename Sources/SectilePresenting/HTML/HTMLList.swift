public import SectileCore

/// Shows a source as HTML: sections with headings, their rows as lists or as tables.
///
/// ```html
/// <section data-section="fruit"><h2>Fruit</h2><ul><li data-id="1">apple</li></ul></section>
/// ```
///
/// The first thing a page gets is the whole; from then on it gets fragments, one for each step, to
/// be applied in order. Everything that comes from items and sections is escaped.
///
/// ```swift
/// let list = HTMLList<Int> { changes in socket.send(changes) }
/// let presenter = CellPresenter<Food, HTMLFragment> { food, _ in .text(food.name) }
/// let adapter = Adapter(source: foods, presenter: presenter, target: list)
/// ```
public final class HTMLList<ItemID: Hashable & Sendable>: PresentationTarget {
  /// What shows an item: what is between the tags of its row.
  public typealias Cell = HTMLFragment

  private let style: HTMLListStyle
  private let send: @Sendable ([HTMLChange]) throws -> Void

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - style: What the rows are.
  ///   - send: Takes what is to be done to the page: at least one change.
  public init(
    _ style: HTMLListStyle = .list, send: @escaping @Sendable ([HTMLChange]) throws -> Void
  ) {
    self.style = style
    self.send = send
  }

  /// Sends the whole.
  ///
  /// - Throws: What making a cell, or sending, throws.
  public func reload(_ contents: any PresentedContents<ItemID, HTMLFragment>) throws {
    try send([.whole(Self.whole(contents, style))])
  }

  /// Sends a fragment for each step.
  ///
  /// - Throws: What making a cell, or sending, throws.
  public func update(_ update: PresentationUpdate<ItemID, HTMLFragment>) throws {
    try send(update.changes.sequential.flatMap { try changes($0) })
  }

  /// Returns contents as one piece of HTML.
  ///
  /// - Throws: What making a cell throws.
  /// - Complexity: O(*m*) for the *m* bytes of it.
  public static func whole(
    _ contents: any DataSourceSnapshot<ItemID, HTMLFragment>, _ style: HTMLListStyle = .list
  ) throws -> HTMLFragment {
    var result = HTMLFragment.empty
    for (ordinal, header) in contents.sections.enumerated() {
      var rows = HTMLFragment.empty
      for item in 0..<contents.numberOfItems(in: ordinal) {
        let path = ItemPath(section: ordinal, item: item)
        rows += row(contents.id(at: path), try contents.item(at: path), style)
      }
      result += section(header, rows, style)
    }
    return result
  }

  private func changes(_ edit: SequentialEdit<ItemID, HTMLFragment>) throws -> [HTMLChange] {
    switch edit {
    case .insertSection(let section, let change):
      return [.insertSection(at: section, Self.section(change.header, .empty, style))]
    case .moveSection(let from, let to, _): return [.moveSection(from: from, to: to)]
    case .deleteSection(let section, _): return [.removeSection(at: section)]
    case .updateSection(let section, let change):
      let (heading, footer) = (Self.heading(change.header), Self.footer(change.header))
      return [.replaceHeading(at: section, heading, footer: footer)]
    case .insertRow(let path, let change):
      return [.insertRow(at: path, Self.row(change.id, try change.item, style))]
    case .moveRow(let from, let to, let change):
      let move = HTMLChange.moveRow(from: from, to: to)
      if !change.isContentChanged { return [move] }
      return [move, .replaceRow(at: to, Self.row(change.id, try change.item, style))]
    case .deleteRow(let path, _): return [.removeRow(at: path)]
    case .updateRow(let path, let change):
      return [.replaceRow(at: path, Self.row(change.id, try change.item, style))]
    }
  }

  // MARK: - Fragments

  private static func section(
    _ header: SourceSection, _ rows: HTMLFragment, _ style: HTMLListStyle
  ) -> HTMLFragment {
    let body = style.body.map { HTMLFragment.element($0, [:], rows) } ?? rows
    let content = heading(header) + .element(style.container, [:], body) + footer(header)
    return .element("section", ["data-section": header.identity.label], content)
  }

  private static func heading(_ header: SourceSection) -> HTMLFragment {
    header.title.isEmpty ? .empty : .element("h2", [:], .text(header.title))
  }

  private static func footer(_ header: SourceSection) -> HTMLFragment {
    header.footer.map { .element("footer", [:], .text($0)) } ?? .empty
  }

  private static func row(_ id: ItemID, _ cell: HTMLFragment, _ style: HTMLListStyle)
    -> HTMLFragment
  {
    .element(style.row, ["data-id": IdentityText.text(of: id)], cell)
  }
}
