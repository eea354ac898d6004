import GRDB
import SectileCore
import Synchronization

/// The side of a results object that knows its items: decodes them, remembers the ones asked for
/// lately, and delivers changes of them.
final class ItemDelivery<Item: Identifiable & Sendable>: Sendable where Item.ID: EntityKey {
  typealias Hub = DataSourceEvents<Item.ID, Item>
  typealias Cycle = LoadCycle<Item.ID, Item>

  let sourceHub: Hub
  let format: RowFormat<Item>
  let reader: ItemReader<Item>
  // Guarded by the mutex, and changed only while the tracker's state is locked, so that the items
  // are always those of the visible version.
  private let cache: Mutex<ItemCache<Item>>
  /// The type of the box for one row, which takes a search to name.
  private let rowBox: DeliveredChanges<Item.ID, Item>.Type = DeliveredRow<Item.ID, Item>.self
  /// A place for items, of which others are made.
  private let noItems: ReadItems<Item>

  init(plan: FetchPlan, format: RowFormat<Item>, delivery: CallbackDelivery, access: ReadAccess) {
    self.format = format
    noItems = ReadItems(format: format)
    reader = ItemReader(of: plan, format: format, access: access)
    cache = Mutex(ItemCache(limit: ItemCache<Item>.limit(batchSize: plan.batchSize)))
    sourceHub = Hub(delivery: delivery)
  }

  // MARK: Reading

  func snapshot(of tracker: ResultsTracker) -> ResultsSnapshot<Item> {
    let shown = tracker.state.withLock { $0.shown }
    return ResultsSnapshot(
      contents: shown.contents, version: shown.version, node: shown.node, reader: reader,
      batchSize: shown.batchSize, view: shown.view)
  }

  /// Returns contents as a snapshot, whose rows are held as long as it is there.
  func snapshot(
    of latest: LatestContents, in view: HeldView, heldBy views: LoadViews
  ) -> ResultsSnapshot<Item> {
    ResultsSnapshot(
      contents: latest.contents, version: latest.version, node: latest.node, reader: reader,
      batchSize: latest.batchSize, view: view, heldBy: views)
  }

  /// How often a newer version is asked where the one before could not be read.
  private static var attemptLimit: Int { 8 }

  func item(at path: ItemPath, of tracker: ResultsTracker) throws -> Item {
    for _ in 1..<Self.attemptLimit {
      let version = tracker.state.withLock { $0.versions.version }
      do {
        return try currentItem(at: path, of: tracker)
      } catch let error as StoreError where error.code == .itemChangedElsewhere {
        // The path is one of the current version, which is a newer one by now.
        if tracker.state.withLock({ $0.versions.version }) == version { throw error }
      }
    }
    return try currentItem(at: path, of: tracker)
  }

  /// Returns the item at a path where nothing has to be read for it.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath`.
  func rememberedItem(at path: ItemPath, of tracker: ResultsTracker) throws -> Item? {
    try find(path, of: tracker).item
  }

  private func currentItem(at path: ItemPath, of tracker: ResultsTracker) throws -> Item {
    let found = try find(path, of: tracker)
    if let item = found.item { return item }
    guard let missing = found.missing else { throw StaleContents() }
    let batch = try missing.contents.fault(
      at: path, batchSize: missing.batchSize, node: missing.node, view: missing.view, by: reader)
    tracker.state.withLock { state in
      guard state.versions.version == missing.version else { return }
      state.items.isRemembering = true
      cache.withLock { $0.insert(batch) }
    }
    releaseForgotten()
    return batch.item
  }

  /// Looks a path up in the current version: the item where it is remembered, or else where to read
  /// it.
  @inline(__always)
  private func find(
    _ path: ItemPath, of tracker: ResultsTracker
  ) throws -> (item: Item?, missing: ShownContents?) {
    var remembered: Item?
    // Released outside of the locks.
    var forgotten: [Item] = []
    defer { withExtendedLifetime(forgotten) {} }
    let missing = try tracker.state.withLock { state throws(DataSourceError) -> ShownContents? in
      guard state.versions.visible.index.contains(path) else {
        let isLoaded = state.versions.version > 0 || state.isFollowing
        throw isLoaded
          ? .noSuchPath(path) : .notLoaded(path, "the results of \(state.request.plan.table)")
      }
      let key = state.versions.visible.key(at: path)
      remembered = cache.withLock { cache in
        for key in state.items.overwritten { cache.remove(key) }
        let item = cache.item(key)
        forgotten = cache.takeForgotten()
        return item
      }
      state.items.didForgetOverwritten()
      if remembered == nil { remembered = state.items.latest.flatMap { Self.item(key, in: $0) } }
      return remembered == nil ? state.shown : nil
    }
    return (remembered, missing)
  }

  // MARK: Cycles

  /// Returns a step of a load, which delivers the oldest change that waits.
  ///
  /// - Parameters:
  ///   - tracker: Whose change.
  ///   - prepare: Does what takes time, and returns the steps that follow.
  /// - Returns: The step.
  func step(
    of tracker: ResultsTracker, _ prepare: @escaping @Sendable () throws -> [Cycle.Step] = { [] }
  ) -> Cycle.Step {
    Cycle.Step(prepare: prepare, flip: { tracker.flip().map { Self.unboxed($0).changes } })
  }

  // A tracker hands back what it was handed by this very object, or by one of equal results.

  private static func unboxed(_ changes: BoxedChanges) -> DeliveredChanges<Item.ID, Item> {
    unsafeDowncast(changes, to: DeliveredChanges<Item.ID, Item>.self)
  }

  private static func items(of change: PlanChange) -> ReadItems<Item> {
    unsafeDowncast(change.items, to: ReadItems<Item>.self)
  }

  /// The item of a row as a small change left it; nil where it is not among its rows.
  private static func item(_ key: RowKey, in change: PlanChange) -> Item? {
    change.row(key)?.item.map { items(of: change)[$0] }
  }
}

// MARK: - ItemDelivering

extension ItemDelivery: ItemDelivering {
  var hub: HubCore { sourceHub.core }

  var itemType: ObjectIdentifier { ObjectIdentifier(Item.self) }

  func checkSchema(in db: Database) throws { try format.table?.check(against: db) }

  func checkKey(in db: Database) throws { try format.table?.checkKey(against: db) }

  func makeSink() -> any ItemSink { noItems.makeEmpty() }

  func boxedChanges(_ change: PlanChange, _ step: VersionStep) throws -> BoxedChanges? {
    if change.isSilent { return nil }
    let items = Self.items(of: change)
    switch change.contents {
    case .oneRow(let row): return try oneRowChange(row, items, step)
    case .edited(_, let rows):
      return try rowChanges(rows, items, after: nil, step)
    case .replaced(let after, let rows):
      return try rowChanges(rows, items, after: after, step)
    case .grown(let after, let growth, _):
      return growthChange(after, growth, step)
    }
  }

  func text(of changes: BoxedChanges) -> String { Self.unboxed(changes).changes.description }

  func remember(_ change: PlanChange) -> Bool {
    let rows = change.rows
    let items = Self.items(of: change)
    return cache.withLock { cache in
      if cache.isTooSmall(for: rows.count) {
        cache.removeAll()
        return false
      }
      for row in rows {
        if let item = row.item {
          cache.insert(items[item], for: row.key)
        } else if row.isContentChanged || row.target == nil {
          cache.remove(row.key)
        }
      }
      return !cache.isEmpty
    }
  }

  func forgetAll() { cache.withLock { $0.removeAll() } }

  func releaseForgotten() {
    let forgotten = cache.withLock { $0.takeForgotten() }
    withExtendedLifetime(forgotten) {}
  }

  func submitFailure(_ error: any Error) { sourceHub.submit(.failed(error)) }

  func submitRecovery() { sourceHub.submit(LoadCycle([])) }

  // MARK: Changesets

  private func makeSnapshot(_ after: PlanContents, _ step: VersionStep) -> ResultsSnapshot<Item> {
    ResultsSnapshot(
      contents: after, version: step.target, node: step.node, reader: reader,
      batchSize: step.batchSize, view: step.view)
  }

  /// Describes what became of one row.
  ///
  /// The result is that of ``rowChanges(_:_:after:_:)``. Each type that depends on that of the
  /// items takes a search at run time, so none is named that is not needed.
  private func oneRowChange(
    _ row: PlanTransition, _ items: ReadItems<Item>, _ step: VersionStep
  ) throws -> BoxedChanges? {
    guard let kept = row.kept, let item = row.item else {
      return try rowChanges(PlanChange.Rows(row), items, after: nil, step)
    }
    let id = try row.key.id(as: Item.ID.self, forms: format.keyForms)
    return rowBox.of(kept, id: id, item: items[item], from: step.source, to: step.target)
  }

  private func rowChanges(
    _ changes: PlanChange.Rows, _ items: ReadItems<Item>, after: PlanContents?,
    _ step: VersionStep
  ) throws -> BoxedChanges? {
    let rows = TypedRows(
      rows: changes.rows, items: items, snapshot: after.map { makeSnapshot($0, step) })
    let (sections, kinds) = (changes.sectionChanges, changes.kinds)
    return DeliveredLists<Item.ID, Item>(
      sourceVersion: step.source, targetVersion: step.target,
      sections: sections.isEmpty && changes.contentsUpdate == nil
        ? .none : SectionLists(sections, contents: changes.contentsUpdate),
      deletes: try rows.deletes(kinds.deletes), inserts: try rows.inserts(kinds.inserts),
      moves: try rows.moves(kinds.moves), updates: try rows.updates(kinds.updates),
      silentRows: try rows.updates(kinds.unchanged.filter { rows.isRemembered($0) }))
  }

  /// Describes a load of many rows by the contents after, without writing down a row.
  private func growthChange(
    _ after: PlanContents, _ growth: PlanChange.Growth, _ step: VersionStep
  ) -> BoxedChanges? {
    let snapshot = makeSnapshot(after, step)
    return Changeset<Item.ID, Item>(
      sourceVersion: step.source, targetVersion: step.target, contentsUpdate: growth.contentsUpdate,
      sectionInserts: ChangeList(
        count: after.index.sectionCount - growth.sectionCount
      ) { offset in
        let ordinal = growth.sectionCount + offset
        let section = after.section(ordinal)
        return SectionInsert(section: ordinal, header: section.header, order: section.order)
      },
      inserts: ChangeList(count: after.count - growth.rowCount) { offset in
        let path = after.index.path(atRank: growth.rowCount + offset)
        return ItemInsert(
          path: path, id: snapshot.id(at: path), payload: .deferred { try snapshot.item(at: path) })
      }
    ).boxed
  }
}
