public import SectileCore

/// A presenter made of closures, with one kind of cell or several.
///
/// ```swift
/// var presenter = CellPresenter<Entry, TextRow>.choosingKind { entry, _ in
///   entry.isBanner ? "banner" : "song"
/// }
/// presenter.register("song") { song, _ in [song.title, song.artist] }
/// presenter.register("banner") { banner, _ in [banner.text] }
/// presenter.makeHeader = { section in section.title.uppercased() }
/// presenter.setAttribute(.height) { entry, _ in entry.isBanner ? 80 : 44 }
/// ```
///
/// It is a value: what is changed after it was handed to an adapter does not reach the adapter.
public struct CellPresenter<Item: Sendable, Cell: Sendable>: Presenter {
  /// Makes a cell for an item at a path.
  public typealias Make = @Sendable (_ item: Item, _ path: ItemPath) throws -> Cell
  /// Completes a cell of an item at a path just before it is shown.
  public typealias Prepare = @Sendable (_ cell: inout Cell, _ item: Item, _ path: ItemPath) -> Void

  private struct Registration {
    let make: Make
    let prepare: Prepare?
  }

  private let chooseKind: @Sendable (Item, ItemPath) -> CellKind
  private var registrations: [CellKind: Registration] = [:]
  private var makeAttributes: [@Sendable (inout ItemAttributes, Item, ItemPath) -> Void] = []

  /// Returns the text above a section's items, empty for none; its title where this is nil.
  public var makeHeader: (@Sendable (SourceSection) -> String)?
  /// Returns the text below a section's items; its footer where this is nil.
  public var makeFooter: (@Sendable (SourceSection) -> String?)?
  /// Returns the short text for an index beside the list; the section's own where this is nil.
  public var makeIndexTitle: (@Sendable (SourceSection) -> String?)?

  /// Creates a presenter with one kind of cell.
  ///
  /// - Parameters:
  ///   - make: Makes a cell.
  ///   - prepare: Completes it just before it is shown.
  public init(make: @escaping Make, prepare: Prepare? = nil) {
    chooseKind = { _, _ in .standard }
    register(.standard, make: make, prepare: prepare)
  }

  private init(chooseKind: @escaping @Sendable (Item, ItemPath) -> CellKind) {
    self.chooseKind = chooseKind
  }

  /// Creates a presenter that chooses a kind for each item; the kinds are to be registered.
  ///
  /// - Parameter chooseKind: Returns the kind of cell for an item at a path.
  /// - Returns: The presenter.
  public static func choosingKind(
    _ chooseKind: @escaping @Sendable (_ item: Item, _ path: ItemPath) -> CellKind
  ) -> CellPresenter {
    CellPresenter(chooseKind: chooseKind)
  }

  /// Registers how cells of a kind are made.
  ///
  /// A kind that is registered again is made in the new way.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - make: Makes a cell.
  ///   - prepare: Completes it just before it is shown.
  public mutating func register(
    _ kind: CellKind, make: @escaping Make, prepare: Prepare? = nil
  ) {
    registrations[kind] = Registration(make: make, prepare: prepare)
  }

  /// Gives each item an attribute; nil gives it to none.
  public mutating func setAttribute<Value: Sendable>(
    _ key: ItemAttributeKey<Value>, _ value: @escaping @Sendable (Item, ItemPath) -> Value?
  ) {
    makeAttributes.append { attributes, item, path in
      if let value = value(item, path) { attributes[key] = value }
    }
  }

  // MARK: - Presenting

  /// Returns the kind that was chosen for an item.
  public func kind(of item: Item, at path: ItemPath) -> CellKind { chooseKind(item, path) }

  /// Makes the cell for an item.
  ///
  /// - Throws: ``PresentationError`` with `unknownKind` where the kind was not registered; what the
  ///   closure throws.
  public func cell(for item: Item, at path: ItemPath) throws -> Cell {
    let kind = chooseKind(item, path)
    guard let registration = registrations[kind] else {
      let known = registrations.keys.map(\.name).sorted().joined(separator: ", ")
      throw PresentationError(
        code: .unknownKind,
        message:
          "The item at \(path) is to be shown by a cell of kind “\(kind)”, which is unknown.",
        hint: "Register it with the presenter; it knows: \(known.isEmpty ? "none" : known).")
    }
    return try registration.make(item, path)
  }

  /// Completes a cell.
  public func prepare(_ cell: inout Cell, for item: Item, at path: ItemPath) {
    registrations[chooseKind(item, path)]?.prepare?(&cell, item, path)
  }

  /// Returns the text above a section's items.
  public func header(of section: SourceSection) -> String {
    makeHeader.map { $0(section) } ?? section.title
  }

  /// Returns the text below a section's items.
  public func footer(of section: SourceSection) -> String? {
    makeFooter.map { $0(section) } ?? section.footer
  }

  /// Returns the short text for an index beside the list.
  public func indexTitle(of section: SourceSection) -> String? {
    makeIndexTitle.map { $0(section) } ?? section.indexTitle
  }

  /// Returns an item's attributes.
  public func attributes(of item: Item, at path: ItemPath) -> ItemAttributes {
    var attributes = ItemAttributes()
    for add in makeAttributes { add(&attributes, item, path) }
    return attributes
  }
}
