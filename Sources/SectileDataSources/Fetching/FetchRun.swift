internal import SectileCore

/// One fetch: takes in the batches in the order in which they arrive.
///
/// It is an actor, so that the user's hashing and comparing runs under no lock, and a fetcher may
/// call from several tasks.
actor FetchRun<Item: Identifiable & Sendable> where Item.ID: Sendable {
  typealias Items = SectionedItems<Item.ID, Item>
  typealias Edit = ItemsEdit<Item.ID, Item>

  /// How a run goes on.
  struct Plan: Sendable {
    let header: SourceSection
    let limit: FetchLimit
    let keepsEmptySection: Bool
    /// Whether batches are shown when they arrive.
    let showsArrivals: Bool
    /// Whether the contents are replaced by what arrived, in the end.
    let replaces: Bool
  }

  /// Why `receive` throws once the limit is reached; never seen by anybody else.
  private struct NoMore: Error {}

  private let store: ItemStore<Item.ID, Item>
  private let life: Int
  private let plan: Plan
  /// What arrived, where it is not simply what is shown.
  private var collected: Items?
  private var isFull = false
  private var failure: DataSourceError?

  init(store: ItemStore<Item.ID, Item>, life: Int, plan: Plan) {
    self.store = store
    self.life = life
    self.plan = plan
    collected = plan.replaces ? Items() : nil
  }

  /// Takes in a batch.
  ///
  /// - Throws: Why no more is wanted.
  func receive(_ batch: [Item]) throws {
    try Task.checkCancellation()
    if let failure { throw failure }
    if isFull { throw NoMore() }
    var isCurrent = true
    do throws(DataSourceError) {
      if let items = collected {
        var edit = Edit(items)
        try take(batch, &edit, isLimited: true)
        collected = edit.items
      }
      if plan.showsArrivals {
        let isLimited = collected == nil
        isCurrent = try store.change(in: life) { edit throws(DataSourceError) in
          try take(batch, &edit, isLimited: isLimited)
        }
      }
    } catch {
      failure = error
      throw error
    }
    if !isCurrent { throw CancellationError() }
    if isFull { throw NoMore() }
  }

  /// Shows what is only known once all is there.
  ///
  /// - Parameter error: What the fetch threw.
  /// - Returns: What the load fails with; nil where it is complete.
  func end(_ error: (any Error)?) -> (any Error)? {
    if let failure { return failure }
    if let error, !isFull { return error }
    do throws(DataSourceError) {
      try store.change(in: life) { edit throws(DataSourceError) in
        if let collected { edit.replaceAll(with: collected) }
        if plan.keepsEmptySection, edit.items.sectionCount == 0 {
          edit.insertSection(plan.header, at: 0)
        }
      }
    } catch {
      return error
    }
    return nil
  }

  private func take(
    _ batch: [Item], _ edit: inout Edit, isLimited: Bool
  ) throws(DataSourceError) {
    for item in batch {
      if let path = edit.items.path(of: item.id) {
        edit.setItem(item, at: path)
        continue
      }
      if isLimited, edit.items.count >= plan.limit.count {
        switch plan.limit.kind {
        case .failing: throw .tooManyItems(plan.limit.count)
        case .prefix:
          isFull = true
          return
        case .suffix: edit.removeRow(at: ItemPath(section: 0, item: 0))
        }
      }
      if edit.items.sectionCount == 0 { edit.insertSection(plan.header, at: 0) }
      let row = Items.Row(id: item.id, item: item)
      try edit.insert(row, at: ItemPath(section: 0, item: edit.items.count))
    }
    if isLimited, plan.limit.kind == .prefix, edit.items.count >= plan.limit.count { isFull = true }
  }
}
