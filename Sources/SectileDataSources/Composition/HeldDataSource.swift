public import SectileCore

/// How much is waiting behind a version that is held.
///
/// Each row counts once, by what it will be when it is released: one that came and changed is new,
/// one that came and went is nothing. One that changed and changed back still counts as changed.
public struct HeldChanges: Hashable, Sendable {
  /// How many rows are new.
  public internal(set) var insertedCount = 0
  /// How many rows are gone.
  public internal(set) var deletedCount = 0
  /// How many rows have other contents.
  public internal(set) var changedCount = 0
  /// How many rows stand elsewhere, with the same contents.
  public internal(set) var movedCount = 0
  /// How often sections came, went, moved or got another header.
  public internal(set) var sectionCount = 0

  /// Whether nothing is waiting.
  public var isEmpty: Bool { self == HeldChanges() }
}

extension HeldChanges: CustomStringConvertible {
  /// For example `12 new, 3 changed`.
  public var description: String {
    let counts = [
      (insertedCount, "new"), (changedCount, "changed"), (movedCount, "moved"),
      (deletedCount, "gone"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if words.isEmpty { return sectionCount > 0 ? "other sections" : "nothing new" }
    return words.joined(separator: ", ")
  }
}

/// Shows what another source shows, and can stand still: a list that does not move while somebody
/// reads it.
///
/// ```swift
/// let list = messages.held()
/// list.observePending { pending in button.title = pending.isEmpty ? "" : "Show \(pending)" }
/// list.load()
///
/// list.hold()      // what is shown stays
/// …                // "Show 12 new, 3 changed"
/// list.release()   // one changeset, exactly what has changed
/// ```
///
/// While a version is held, all changes of the other source are waiting: ``pending`` counts them,
/// and listeners hear of failures only. ``release()`` delivers what is waiting as one changeset.
///
/// The held version is read as any snapshot is: items are those of that version. Nothing of a file
/// is locked for it; where another process has overwritten a row that was not read before, reading
/// it throws `itemChangedElsewhere`.
///
/// Edits go to the source that the items come from, also while a version is held.
///
/// - Complexity: A change that waits costs O(log *n*) for each of its rows, where *n* are
///   waiting; releasing costs as much as merging them.
public final class HeldDataSource<ItemID: Hashable & Sendable, Item: Sendable>: DataSource {
  private let composed: ComposedDataSource<ItemID, Item>
  private let engine: CompositionEngine<Holding<ItemID, Item>>
  private let gate: Holding<ItemID, Item>.Gate

  init(_ source: any DataSource<ItemID, Item>) {
    gate = Holding.Gate()
    engine = CompositionEngine(Holding(gate: gate), of: [source], delivery: .immediate)
    composed = ComposedDataSource(name: source.name, engine: engine)
    composed.events.bind(self)
  }

  // MARK: Holding

  /// Whether a version is held.
  public var isHeld: Bool { gate.isHeld }

  /// How much is waiting; nothing where no version is held.
  public var pending: HeldChanges { gate.pending }

  /// Calls a closure whenever another number of changes is waiting, with what is: at last with
  /// nothing, before what was waiting is delivered.
  ///
  /// - Parameter handler: Called where the other source delivers, outside of every lock; it may
  ///   release. It replaces the one before, and is kept by the source, so it must not keep the
  ///   source in turn. Nil for none.
  public func observePending(_ handler: (@Sendable (HeldChanges) -> Void)?) {
    gate.observe(handler)
  }

  /// Goes on showing what is shown now; where that is nothing yet, what comes first.
  ///
  /// A change whose delivery is under way on another thread may still come.
  public func hold() { gate.hold() }

  /// Shows what the other source shows, from now on: delivers all that was waiting as one
  /// changeset.
  public func release() {
    gate.release()
    showPending()
  }

  private func showPending() { engine.change { rule, old in try rule.released(old) } }

  // MARK: DataSource

  /// What a reader would call the source.
  public var name: String { composed.name }

  /// The version that is shown.
  public var snapshot: ComposedSnapshot<ItemID, Item> { composed.snapshot }

  /// What the source tells of its loads and changes.
  public var events: DataSourceEvents<ItemID, Item> { composed.events }

  /// Returns the item at a path, of the version that is shown.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath`; what reading from the other source
  ///   throws: `itemChangedElsewhere` where the row of the held version is overwritten by another
  ///   process.
  public func item(at path: ItemPath) throws -> Item { try composed.item(at: path) }

  /// Returns which source the item at a path comes from, and where it is there now.
  ///
  /// See ``ComposedDataSource/origin(at:)``.
  public func origin(at path: ItemPath) -> ItemOrigin {
    engine.origin(at: path) ?? ItemOrigin(source: self, path: path)
  }

  /// Loads the other source; what is different then is waiting while a version is held.
  ///
  /// See ``DataSource/load()``.
  public func load() {
    composed.load()
    // It may have been released while it was cancelled.
    showPending()
  }

  /// Stops following; the other source goes on.
  ///
  /// See ``DataSource/cancel()``.
  public func cancel() { composed.cancel() }
}

extension HeldDataSource: RootTelling, IdentityTelling, SectionTelling, InputTelling {
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
  /// Returns a source with the same contents that can stand still.
  ///
  /// ```swift
  /// let list = messages.held()
  /// list.hold()
  /// print(list.pending)  // 12 new, 3 changed
  /// list.release()
  /// ```
  ///
  /// - Returns: The source; it is empty until it is loaded, and holds nothing.
  public func held() -> HeldDataSource<ItemID, Item> { HeldDataSource(self) }
}
