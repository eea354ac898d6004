public import SectileCore

/// What other sources become by a rule: filtered, sorted, one behind the other, with something in
/// between.
///
/// Compositions are made by the methods of ``DataSource`` in this module, and can be
/// composed again, to any depth:
///
/// ```swift
/// let list = results
///   .filter { $0.installedSize > 1024 }
///   .map { Row.package($0) }
///   .inserting(.advertisement, at: ItemPath(section: 0, item: 3))
///   .concatenated(with: news.map { Row.news($0) })
/// list.delegate = printer
/// try list.load()
/// ```
///
/// A composition copies no items. It translates the changesets of what it is made of, so that one
/// changed row costs O(log *n*); each method says where a rule costs more.
///
/// ``load()`` loads everything the composition is made of, and its lifecycle is open until all of
/// that has ended. Where some of several fail, or are cancelled, the others stand: their contents
/// are shown, and the load ends with a failure that names all that failed. A change that means
/// nothing here calls nobody.
///
/// One commit is one changeset, also where a source stands in several places of a composition,
/// whatever the depth of the chains between: all inputs that the commit reaches are followed, then
/// the contents flip once. Where one of the inputs fails, that is told after the others' changes,
/// as the end of the same cycle. This holds for what is delivered in one place: at once, or on the
/// same queue or actor. An input that is delivered elsewhere flips at its own turn.
///
/// A composition keeps what it is made of alive. Cancelling or releasing it leaves those sources as
/// they are, since others may be listening to them too.
public final class ComposedDataSource<ItemID: Hashable & Sendable, Item: Sendable>: DataSource {
  /// What a reader would call the source.
  public let name: String
  private let engine: any CompositionRunning<ItemID, Item>

  init(name: String, engine: some CompositionRunning<ItemID, Item>) {
    self.name = name
    self.engine = engine
    engine.events.bind(self)
  }

  /// Creates the composition of some sources by a rule.
  convenience init<Rule: Composition<ItemID, Item>>(
    _ rule: Rule, of inputs: [any DataSource<Rule.InputID, Rule.InputItem>],
    name: String? = nil, delivery: CallbackDelivery = .immediate
  ) {
    self.init(
      name: name ?? inputs.map(\.name).joined(separator: ", "),
      engine: CompositionEngine(rule, of: inputs, delivery: delivery))
  }

  /// The current version of the contents.
  public var snapshot: ComposedSnapshot<ItemID, Item> { engine.snapshot }

  /// Returns the item at a path.
  ///
  /// A placeholder, of a source that loads what is read, begins to be loaded.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath`; what reading from the composed source
  ///   throws.
  public func item(at path: ItemPath) throws -> Item {
    let snapshot = snapshot
    let item = try snapshot.item(at: path)
    if snapshot.loadsWantedRows { snapshot.noteWanted(at: path) }
    return item
  }

  /// Returns which source the item at a path comes from, below all compositions, and where it is
  /// there now.
  ///
  /// Where the item is gone from there, the answer is this source itself.
  public func origin(at path: ItemPath) -> ItemOrigin {
    engine.origin(at: path) ?? ItemOrigin(source: self, path: path)
  }

  /// Loads everything the composition is made of.
  ///
  /// See ``DataSource/load()``.
  public func load() { engine.load() }

  /// Stops following; what the composition is made of goes on.
  ///
  /// See ``DataSource/cancel()``.
  public func cancel() { engine.cancel() }

  deinit { engine.cancel() }

  /// What the source tells of its loads and changes.
  public var events: DataSourceEvents<ItemID, Item> { engine.events }
}

extension ComposedDataSource: RootTelling {
  package func root(of id: ItemID) -> RowRoot? { engine.root(of: id) }
}

extension ComposedDataSource: IdentityTelling {
  package func itemInSource(_ id: ItemID) -> ItemInSource? { engine.itemInSource(id) }
}

extension ComposedDataSource: SectionTelling {
  package func origin(ofSection section: Int?) -> SectionOrigin? {
    engine.origin(ofSection: section)
  }

  package func origin(ofAbsentSection identity: StoredValue) -> SectionOrigin? {
    engine.origin(ofAbsentSection: identity)
  }
}

extension ComposedDataSource: InputTelling {
  package var inputs: [any DataSource] { engine.inputs }
  package var pageFetcher: (any PageFetching)? { engine.pageFetcher }
}
