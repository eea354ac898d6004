import SectileCore

/// The rows of a change in the terms of their items: each list of a changeset, made of the rows at
/// some offsets.
///
/// It is an object, so that its code need not be told the type of the items with each call.
final class TypedRows<Item: Identifiable & Sendable> where Item.ID: EntityKey {
  let rows: [PlanTransition]
  /// The items that were read.
  let items: ReadItems<Item>
  /// The contents after, where not all items were read.
  let snapshot: ResultsSnapshot<Item>?
  private var forms: [ColumnEncoding] { items.format.keyForms }

  init(rows: [PlanTransition], items: ReadItems<Item>, snapshot: ResultsSnapshot<Item>?) {
    self.rows = rows
    self.items = items
    self.snapshot = snapshot
  }

  // Loops rather than closures: where types are known at run time only, those are slow to call.

  func deletes(_ offsets: [Int]) throws -> [ItemDelete<Item.ID>] {
    var changes: [ItemDelete<Item.ID>] = []
    if offsets.isEmpty { return changes }
    changes.reserveCapacity(offsets.count)
    for offset in offsets {
      let row = rows[offset]
      guard let source = row.source else { continue }
      changes.append(ItemDelete(path: source, id: try row.key.id(forms: forms), before: row.before))
    }
    return changes
  }

  func inserts(_ offsets: [Int]) throws -> ChangeList<ItemInsert<Item.ID, Item>> {
    if offsets.isEmpty { return [] }
    var changes: [ItemInsert<Item.ID, Item>] = []
    changes.reserveCapacity(offsets.count)
    for offset in offsets {
      let row = rows[offset]
      guard let target = row.target, let payload = payload(of: row) else { continue }
      changes.append(
        ItemInsert(
          path: target, id: try row.key.id(forms: forms), payload: payload, after: row.after))
    }
    return ChangeList(changes)
  }

  func moves(_ offsets: [Int]) throws -> [ItemMove<Item.ID, Item>] {
    var changes: [ItemMove<Item.ID, Item>] = []
    if offsets.isEmpty { return changes }
    changes.reserveCapacity(offsets.count)
    for offset in offsets {
      let row = rows[offset]
      guard let source = row.source, let target = row.target, let payload = payload(of: row) else {
        continue
      }
      changes.append(
        ItemMove(
          source: source, target: target, id: try row.key.id(forms: forms),
          isContentChanged: row.isContentChanged, payload: payload, before: row.before,
          after: row.after))
    }
    return changes
  }

  func updates(_ offsets: [Int]) throws -> [ItemUpdate<Item.ID, Item>] {
    var changes: [ItemUpdate<Item.ID, Item>] = []
    if offsets.isEmpty { return changes }
    changes.reserveCapacity(offsets.count)
    for offset in offsets {
      let row = rows[offset]
      guard let source = row.source, let target = row.target, let payload = payload(of: row) else {
        continue
      }
      changes.append(
        ItemUpdate(
          source: source, target: target, id: try row.key.id(forms: forms), payload: payload,
          before: row.before, after: row.after))
    }
    return changes
  }

  /// Whether a row that stayed as it was has to be remembered for merging.
  func isRemembered(_ offset: Int) -> Bool { rows[offset].before != rows[offset].after }

  /// The row's item.
  ///
  /// A row that stays as it is was not read; its item is asked for only where this change is merged
  /// with a later one.
  @inline(__always)
  private func payload(of row: PlanTransition) -> ItemPayload<Item>? {
    if let item = row.item { return .value(items[item]) }
    guard let target = row.target, let snapshot else { return nil }
    return .deferred { try snapshot.item(at: target) }
  }
}
