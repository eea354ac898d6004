public import SectileCore

/// A source of sources: a live list whose parts come, go and move at run time, one for each chat,
/// host or file, say.
///
/// It shows the sections of its parts one after the other. A part is any source, under an identity
/// that the caller gives it:
///
/// ```swift
/// let list = DataSourceList<String, Message>(name: "chats", keepsEmptyParts: true)
/// list.delegate = printer
/// list.load()
/// try list.append(ada, as: "ada", title: "Ada")  // one changeset: its sections and rows come
/// try list.append(bob, as: "bob", title: "Bob")
/// try list.move(part: "bob", before: "ada")      // its sections move; no row is told of
/// try ada.append(message)                        // a change of a part is one of the list
/// try list.remove(part: "ada")                   // its sections and rows are deleted
/// ```
///
/// *Changes.* Each edit is one exact changeset, and none where nothing is different for a reader:
/// adding an empty part, unless such parts are kept. Of a moved part the sections move, as few as
/// possible. What one commit changes in several parts is one changeset. Of an edit that is made
/// inside a callback listeners hear after the current changeset has ended.
///
/// *Loading.* Where the list is loaded, a part that is added is loaded first, so that what it has
/// at once comes with it; what it loads later follows as a change. ``load()`` loads all parts, and
/// lasts until all of them have ended. Parts that fail are told together, as one error that names
/// each (``DataSourceError/sourceErrors``); what the others have is shown. A failure beside a load
/// is told at once.
///
/// *Removing* a part ends that the list listens to it, whatever it is doing. The part itself is
/// left alone: others may show it too. The list keeps its parts alive.
///
/// *Sections* are called by the part and by what they are called there, as text that people can
/// read, in changesets and in the modes of a selection: `ada/today` is the section `today` of the
/// part `ada`; `ada` alone the section of a part that has one without an identity, as sources
/// without sections do, and flattened ones. See ``StoredValue/init(section:ofPart:)``.
///
/// All members may be used from any thread, and from inside callbacks. A list must not be a part of
/// itself, at any depth.
///
/// - Complexity: An edit of the parts costs O(*p*) for *p* parts, and O(*k*) for the *k* sections
///   it concerns; removing one O(*r* log *r*) for its *r* rows. A changed row costs what it costs
///   in its part, and O(*p*) for counting.
public final class DataSourceList<PartID: Hashable & Sendable, Item: Sendable>: DataSource {
  /// An item is identified by its part, and its identity there.
  public typealias ItemID = PartItemID<PartID>
  typealias Rule = PartRule<PartID, Item>

  /// What a reader would call the source.
  public let name: String
  private let engine: CompositionEngine<Rule>

  /// Creates a list without parts.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the list.
  ///   - keepsEmptyParts: Whether a part without sections has an empty one, which has no identity
  ///     in the part: the section of a source without sections stays where its last item goes.
  ///   - delivery: Where callbacks are made.
  public init(name: String, keepsEmptyParts: Bool = false, delivery: CallbackDelivery = .immediate)
  {
    self.name = name
    engine = CompositionEngine(
      Rule(keepsEmptyParts: keepsEmptyParts), of: [], delivery: delivery,
      height: Rule.leastHeight)
    engine.events.bind(self)
  }

  // MARK: - Parts

  /// The identities of the parts, in order, as last edited: listeners may have yet to hear of it.
  ///
  /// - Complexity: O(*p*) for *p* parts.
  public var parts: [PartID] { engine.roster.rule.ids }

  /// Adds a part at the end.
  ///
  /// See ``insert(_:as:title:before:)``.
  ///
  /// - Throws: ``DataSourceError`` with `duplicatePart`.
  public func append<Part: DataSource>(
    _ source: Part, as id: PartID, title: String? = nil
  ) throws(DataSourceError) where Part.Item == Item {
    try insert(source, as: id, title: title, before: nil)
  }

  /// Adds a part before another one.
  ///
  /// - Parameters:
  ///   - source: What the part shows, in its sections; flatten it for one section.
  ///   - id: What the part is called. No other part may be called, or printed, alike.
  ///   - title: What stands above its section without an identity, and above that of an empty part;
  ///     nil for what the source says.
  ///   - other: The part before which it is put; nil for the end.
  /// - Throws: ``DataSourceError`` with `duplicatePart`, or with `noSuchPart` for the other part;
  ///   the list is as it was then. What loading the part meets is told as a failure of the list.
  public func insert<Part: DataSource>(
    _ source: Part, as id: PartID, title: String? = nil, before other: PartID?
  ) throws(DataSourceError) where Part.Item == Item {
    let input = source.erased
    try engine.edit { draft throws(DataSourceError) in
      try draft.insert(input, as: id, title: title, before: other)
    }
  }

  /// Removes a part; it is not listened to any more when this returns.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPart`.
  public func remove(part id: PartID) throws(DataSourceError) {
    try engine.edit { draft throws(DataSourceError) in try draft.remove(part: id) }
  }

  /// Moves a part before another one, or to the end.
  ///
  /// - Parameters:
  ///   - id: The part.
  ///   - other: The part before which it is put; nil for the end. Before itself it stays where it
  ///     is.
  /// - Throws: ``DataSourceError`` with `noSuchPart` where either is missing.
  public func move(part id: PartID, before other: PartID?) throws(DataSourceError) {
    try engine.edit { draft throws(DataSourceError) in try draft.move(part: id, before: other) }
  }

  /// Replaces what stands above the section of a part that has no identity, and above that of an
  /// empty part.
  ///
  /// - Parameters:
  ///   - title: The title; nil for what the source says.
  ///   - id: The part.
  /// - Throws: ``DataSourceError`` with `noSuchPart`.
  public func setTitle(_ title: String?, ofPart id: PartID) throws(DataSourceError) {
    try engine.edit { draft throws(DataSourceError) in try draft.setTitle(title, ofPart: id) }
  }

  /// Returns the part that a section of the current version belongs to; nil where there is no such
  /// section.
  ///
  /// - Complexity: O(log *p*) for *p* parts.
  public func part(ofSection section: Int) -> PartID? {
    guard let shown = engine.shown, section >= 0, section < shown.numberOfSections else {
      return nil
    }
    return shown.rule.part(at: shown.part(ofSection: section)).id
  }

  /// Returns the ordinals of the sections that a part has in the current version; none where it is
  /// not shown.
  ///
  /// - Complexity: O(*p*) for *p* parts.
  public func sections(ofPart id: PartID) -> Range<Int> {
    guard let shown = engine.shown,
      let position = shown.rule.number(of: id).flatMap({ shown.rule.position(of: $0) })
    else { return 0..<0 }
    return shown.sections(ofPart: position)
  }

  // MARK: - Reading and listening

  /// The current version of the contents.
  public var snapshot: ComposedSnapshot<PartItemID<PartID>, Item> { engine.snapshot }

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

  /// Loads all parts.
  ///
  /// See ``DataSource/load()``.
  public func load() { engine.load() }

  /// Stops following; the parts go on.
  ///
  /// What is edited until the next ``load()`` is seen then.
  ///
  /// See ``DataSource/cancel()``.
  public func cancel() { engine.cancel() }

  deinit { engine.cancel() }

  /// What the list tells of its loads and changes.
  public var events: DataSourceEvents<PartItemID<PartID>, Item> { engine.events }
}

extension DataSourceList: RootTelling {
  package func root(of id: PartItemID<PartID>) -> RowRoot? { engine.root(of: id) }
}

extension DataSourceList: IdentityTelling {
  package func itemInSource(_ id: PartItemID<PartID>) -> ItemInSource? { engine.itemInSource(id) }
}

extension DataSourceList: SectionTelling {
  package func origin(ofSection section: Int?) -> SectionOrigin? {
    engine.origin(ofSection: section)
  }

  package func origin(ofAbsentSection identity: StoredValue) -> SectionOrigin? {
    engine.origin(ofAbsentSection: identity)
  }
}

extension DataSourceList: InputTelling {
  package var inputs: [any DataSource] { engine.inputs }
  package var pageFetcher: (any PageFetching)? { nil }
}

extension PartRule {
  /// How far a list is above the sources from the beginning: compositions of it that are made
  /// before its parts are above these too, unless the parts are higher than that.
  static var leastHeight: Int { 8 }
}
