internal import SectileCore
internal import Synchronization

extension CompositionEngine {
  /// The next version, ready to be flipped to.
  struct Prepared: Sendable {
    let next: Visible
    let changes: Changeset<ItemID, Item>
  }

  /// Works a change out; where nothing is different for a reader, it takes effect at once.
  ///
  /// - Returns: What to flip to, or what went wrong; nil where there is nothing to tell of.
  func prepare(
    _ change: (CompositionEngine, Visible) throws -> Prepared?, _ life: Int
  ) -> Swift.Result<Prepared, any Error>? {
    guard let visible = state.withLock({ $0.life == life ? $0.visible : nil }) else { return nil }
    do {
      guard let prepared = try change(self, visible) else { return nil }
      if !prepared.changes.isEmpty { return .success(prepared) }
      _ = flip(to: prepared, life)
      return nil
    } catch {
      return .failure(error)
    }
  }

  /// Brings what is visible to what all inputs show now.
  func catchUp(_ visible: Visible) throws -> Prepared? {
    let now: [InputSnapshot] = inputs.map { $0.snapshot }
    let isCurrent =
      visible.inputs.count == now.count
      && zip(visible.inputs, now).allSatisfy { $0.version == $1.version }
    return isCurrent ? nil : try arrangeAnew(now, visible)
  }

  func follow(
    _ changes: Changeset<Rule.InputID, Rule.InputItem>, to snapshot: InputSnapshot,
    ofInput number: Int, _ visible: Visible
  ) throws -> Prepared? {
    guard let result = visible.result else { return try catchUp(visible) }
    let old = visible.inputs[number]
    // What catching up has seen already comes once more as a change.
    guard changes.targetVersion > old.version else { return nil }
    var after = visible.inputs
    after[number] = snapshot
    // The rows of a first load need not be gone through one by one.
    let isFirst = result.numberOfSections == 0 && old.numberOfSections == 0
    guard changes.sourceVersion == old.version, changes.targetVersion == snapshot.version, !isFirst
    else { return try arrangeAnew(after, visible) }
    let followed = try rule.follow(
      InputChange(input: number, changes: changes, before: visible.inputs, after: after),
      from: result)
    return prepared(followed.result, after, followed.changes, visible)
  }

  /// Arranges the inputs from nothing, and compares with what is visible.
  private func arrangeAnew(_ inputs: [InputSnapshot], _ visible: Visible) throws -> Prepared {
    let result = try rule.arrange(inputs)
    guard let old = visible.result, old.numberOfSections > 0 else {
      return prepared(result, inputs, .inserting(result), visible)
    }
    let changes = try WholeComparison(old: old, new: result).changes()
    return prepared(result, inputs, changes, visible)
  }

  private func prepared(
    _ result: Rule.Result, _ inputs: [InputSnapshot], _ changes: Changeset<ItemID, Item>,
    _ visible: Visible
  ) -> Prepared {
    let version = changes.isEmpty ? visible.version : visible.version + 1
    return Prepared(
      next: Visible(version: version, result: result, inputs: inputs),
      changes: changes.leading(from: visible.version, to: version))
  }

  /// Shows the next version, unless the composition was cancelled meanwhile.
  func flip(to prepared: Prepared, _ life: Int) -> DeliveredChanges<ItemID, Item>? {
    let former: Visible? = state.withLock { state in
      guard state.life == life else { return nil }
      defer { state.visible = prepared.next }
      return state.visible
    }
    return former.flatMap { _ in prepared.changes.boxed }
  }
}

/// What was prepared when a cycle's turn came, until the cycle flips to it.
final class PreparedBox<Value: Sendable>: Sendable {
  private let outcome = Mutex<Result<Value, any Error>?>(nil)

  /// Keeps what was prepared, and returns whether there is anything.
  func set(_ prepared: Result<Value, any Error>?) -> Bool {
    outcome.withLock { $0 = prepared }
    return prepared != nil
  }

  func take() -> Result<Value, any Error>? {
    outcome.withLock { outcome in
      defer { outcome = nil }
      return outcome
    }
  }
}
