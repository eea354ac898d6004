internal import SectileCore
internal import Synchronization

extension CompositionEngine {
  /// Brings what is visible to what all inputs show now.
  func catchUp(_ life: Int) throws -> Changeset<ItemID, Item>? {
    guard let visible = current(life) else { return nil }
    let now: [InputSnapshot] = inputs.map { $0.snapshot }
    let isCurrent =
      visible.inputs.count == now.count
      && zip(visible.inputs, now).allSatisfy { $0.version == $1.version }
    return isCurrent ? nil : try arrangeAnew(now, visible, life)
  }

  func follow(
    _ changes: Changeset<Rule.InputID, Rule.InputItem>, to snapshot: InputSnapshot,
    ofInput number: Int, _ life: Int
  ) throws -> Changeset<ItemID, Item>? {
    guard let visible = current(life) else { return nil }
    guard let result = visible.result, visible.inputs.count == inputs.count else {
      return try catchUp(life)
    }
    let known = visible.inputs[number].version
    // What catching up has seen already comes once more as a change.
    guard changes.targetVersion > known else { return nil }
    var after = visible.inputs
    after[number] = snapshot
    guard changes.sourceVersion == known, changes.targetVersion == snapshot.version,
      result.numberOfSections > 0
    else { return try arrangeAnew(after, visible, life) }
    let followed = try rule.follow(
      InputChange(input: number, changes: changes, before: visible.inputs, after: after),
      from: result)
    return flip(to: followed.result, after, followed.changes, visible, life)
  }

  /// Arranges the inputs from nothing, and compares with what is visible.
  private func arrangeAnew(
    _ inputs: [InputSnapshot], _ visible: Visible, _ life: Int
  ) throws -> Changeset<ItemID, Item>? {
    let result = try rule.arrange(inputs)
    let changes: Changeset<ItemID, Item>
    if let old = visible.result, old.numberOfSections > 0 {
      changes = try WholeComparison(old: old, new: result).changes()
    } else {
      changes = .inserting(result)
    }
    return flip(to: result, inputs, changes, visible, life)
  }

  private func current(_ life: Int) -> Visible? {
    state.withLock { $0.life == life ? $0.visible : nil }
  }

  private func flip(
    to result: Rule.Result, _ inputs: [InputSnapshot], _ changes: Changeset<ItemID, Item>,
    _ visible: Visible, _ life: Int
  ) -> Changeset<ItemID, Item>? {
    let version = changes.isEmpty ? visible.version : visible.version + 1
    let next = Visible(version: version, result: result, inputs: inputs)
    let former: Visible? = state.withLock { state in
      guard state.life == life else { return nil }
      defer { state.visible = next }
      return state.visible
    }
    guard former != nil, !changes.isEmpty else { return nil }
    return changes.leading(from: visible.version, to: version)
  }
}
