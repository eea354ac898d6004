public import SectileCore
internal import Synchronization

/// Which rows of a source a window shows, counted over all sections.
public struct WindowPlace<ItemID: Hashable & Sendable>: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case from(Int, limit: Int?)
    case last(Int)
    case around(ItemID, before: Int, after: Int)
  }

  let kind: Kind

  /// The rows from a position on.
  ///
  /// - Parameters:
  ///   - offset: How many rows come before; zero where it is negative.
  ///   - limit: How many rows there are at most; nil for all that follow. None where it is
  ///     negative.
  /// - Returns: The place.
  public static func from(_ offset: Int, limit: Int?) -> WindowPlace {
    WindowPlace(kind: .from(max(0, offset), limit: limit.map { max(0, $0) }))
  }

  /// The last rows, as those of a chat: a row that comes at the end lets the first of them go.
  ///
  /// - Parameter count: How many rows there are at most; none where it is negative.
  /// - Returns: The place.
  public static func last(_ count: Int) -> WindowPlace { WindowPlace(kind: .last(max(0, count))) }

  /// A row, and those before and behind it: they go where the row goes.
  ///
  /// Where the row is gone, the window stays at the position where it was; where it comes again,
  /// the window goes there.
  ///
  /// - Parameters:
  ///   - id: The row.
  ///   - before: How many rows are shown before it, where there are as many.
  ///   - after: How many rows are shown behind it, where there are as many.
  /// - Returns: The place.
  public static func around(_ id: ItemID, before: Int, after: Int) -> WindowPlace {
    WindowPlace(kind: .around(id, before: max(0, before), after: max(0, after)))
  }

  /// The place with more rows at its ends, or with fewer where a number is negative.
  func growing(before: Int, after: Int) -> WindowPlace {
    switch kind {
    case .from(let offset, let limit):
      let start = max(0, before == .min ? .max : offset.addingSaturated(-before))
      return .from(
        start, limit: limit.map { $0.addingSaturated(offset - start).addingSaturated(after) })
    case .last(let count): return .last(count.addingSaturated(before))
    case .around(let id, let own, let other):
      return .around(
        id, before: own.addingSaturated(before), after: other.addingSaturated(after))
    }
  }
}

/// Shows a part of another source, and can be moved over it: a page, the last rows, the rows around
/// one that is looked at.
///
/// ```swift
/// let ranking = players.window(around: ada.id, before: 20, after: 20)
/// ranking.load()              // 41 rows, which follow Ada through the list
/// ranking.grow(after: 20)     // 20 more
/// ranking.show(.last(50))     // the end of the list
/// ```
///
/// Moving the window reads nothing from a database or a service: rows that are no longer shown are
/// deleted, rows that are shown now are inserted, in one changeset.
///
/// - Complexity: A change costs O(log *n*); a change that moves the window, and moving it by hand,
///   O(*w* log *n*) for *w* rows that enter or leave it.
public final class WindowDataSource<ItemID: Hashable & Sendable, Item: Sendable>: DataSource {
  private let composed: ComposedDataSource<ItemID, Item>
  private let engine: CompositionEngine<MovableWindow<ItemID, Item>>
  private let position: MovableWindow<ItemID, Item>.Position

  init(_ place: WindowPlace<ItemID>, of source: any DataSource<ItemID, Item>) {
    position = MovableWindow.Position(place)
    engine = CompositionEngine(
      MovableWindow(position: position), of: [source], delivery: .immediate,
      didShow: { [position] in position.note($0) })
    composed = ComposedDataSource(name: source.name, engine: engine)
    composed.events.bind(self)
  }

  // MARK: Moving

  /// Where the window is to be.
  public var place: WindowPlace<ItemID> { position.place.withLock { $0 } }

  /// The ranks, in the other source, of the rows that are shown.
  public var ranks: Range<Int> { engine.shown?.ranks ?? 0..<0 }

  /// How many rows of the other source come before those that are shown.
  public var numberOfItemsBefore: Int { ranks.lowerBound }

  /// How many rows of the other source follow those that are shown.
  public var numberOfItemsAfter: Int {
    engine.shown.map { $0.input.numberOfItems - $0.ranks.upperBound } ?? 0
  }

  /// Calls a closure whenever another number of rows comes before those that are shown, or follows
  /// them: also where the rows that are shown stay as they are, so that no listener is called.
  ///
  /// ```swift
  /// let chat = messages.window(around: read.id, before: 20, after: 20)
  /// chat.observeNumbersOfItems { before, after in button.title = "\(after) newer" }
  /// ```
  ///
  /// It is called with ``numberOfItemsBefore`` and ``numberOfItemsAfter`` as readers see them by
  /// then, before listeners hear of the change that they belong to.
  ///
  /// - Parameter handler: Called where the other source delivers, outside of every lock of the
  ///   window. It replaces the one before, and is kept by the window, so it must not keep the
  ///   window in turn. Nil for none.
  public func observeNumbersOfItems(
    _ handler: (@Sendable (_ before: Int, _ after: Int) -> Void)?
  ) {
    position.observe(handler)
  }

  /// Moves the window.
  ///
  /// - Parameter place: Where it is to be from now on.
  public func show(_ place: WindowPlace<ItemID>) {
    let former = position.place.withLock { exchange(&$0, with: place) }
    withExtendedLifetime(former) { move() }
  }

  /// Shows more rows.
  ///
  /// - Parameters:
  ///   - before: How many more rows are shown at the beginning; fewer where it is negative.
  ///   - after: How many more are shown at the end; of the last rows there are none behind.
  public func grow(before: Int = 0, after: Int = 0) {
    position.place.withLock { $0 = $0.growing(before: before, after: after) }
    move()
  }

  private func move() { engine.change { rule, old in rule.moved(old) } }

  // MARK: DataSource

  /// What a reader would call the source.
  public var name: String { composed.name }

  /// The current version of the contents.
  public var snapshot: ComposedSnapshot<ItemID, Item> { composed.snapshot }

  /// What the source tells of its loads and changes.
  public var events: DataSourceEvents<ItemID, Item> { composed.events }

  /// Returns the item at a path.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath`; what reading from the other source
  ///   throws.
  public func item(at path: ItemPath) throws -> Item { try composed.item(at: path) }

  /// Returns which source the item at a path comes from, and where it is there now.
  ///
  /// See ``ComposedDataSource/origin(at:)``.
  public func origin(at path: ItemPath) -> ItemOrigin {
    engine.origin(at: path) ?? ItemOrigin(source: self, path: path)
  }

  /// Loads the other source.
  ///
  /// See ``DataSource/load()``.
  public func load() {
    composed.load()
    // It may have been moved while it was cancelled.
    move()
  }

  /// Stops following; the other source goes on.
  ///
  /// See ``DataSource/cancel()``.
  public func cancel() { composed.cancel() }
}

extension WindowDataSource: RootTelling, IdentityTelling, SectionTelling, InputTelling {
  package func root(of id: ItemID) -> RowRoot? { composed.root(of: id) }
  package func itemInSource(_ id: ItemID) -> ItemInSource? { composed.itemInSource(id) }
  package func origin(ofSection section: Int?) -> SectionOrigin? {
    composed.origin(ofSection: section)
  }
  package func origin(ofAbsentSection identity: StoredValue) -> SectionOrigin? {
    composed.origin(ofAbsentSection: identity)
  }
  package var inputs: [any DataSource] { composed.inputs }
  package var pageFetcher: (any PageFetching)? { composed.pageFetcher }
}

extension DataSource {
  /// Returns a source with a part of the items, which can be moved.
  ///
  /// ```swift
  /// let chat = messages.window(.last(50))
  /// chat.grow(before: 50)   // older ones
  /// ```
  ///
  /// - Parameter place: Which items it has at first.
  /// - Returns: The source; it is empty until it is loaded.
  public func window(_ place: WindowPlace<ItemID>) -> WindowDataSource<ItemID, Item> {
    WindowDataSource(place, of: self)
  }

  /// Returns a source with one item and those around it, which follow the item wherever it goes.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - before: How many items are shown before it, where there are as many.
  ///   - after: How many are shown behind it, where there are as many.
  /// - Returns: The source; it is empty until it is loaded.
  public func window(
    around id: ItemID, before: Int, after: Int
  ) -> WindowDataSource<ItemID, Item> {
    window(.around(id, before: before, after: after))
  }
}
