internal import SectileCore
internal import Synchronization

/// Keeps the parts of a list to the items of a source.
///
/// What the source shows counts, not how often it was told: each time the parts are brought to one
/// version of it, and never back to an earlier one.
struct KeyedParts<Keys: DataSource, Item: Sendable>: Sendable {
  typealias Rule = PartRule<Keys.ItemID, Item>
  typealias Engine = CompositionEngine<Rule>
  typealias Input = any DataSource<AnyItemID, Item>
  private typealias Made = [IdentityKey<Keys.ItemID>: Input]

  let source: Keys
  let title: @Sendable (Keys.Item) -> String?
  let part: @Sendable (Keys.Item) -> Input

  var conductor: Conductor<Rule> {
    Conductor(
      name: source.name, observe: { engine, life in observe(engine, life) },
      catchUp: { engine in catchUp(engine, nil) }, load: { try source.load() },
      hasEnded: { source.events.hasEnded }, observeEnd: { source.events.observeEnd($0) })
  }

  private func observe(_ engine: Engine, _ life: Int) -> [DataSourceObservation] {
    source.events.noteComposition()
    let number = Conductor<Rule>.number
    return [
      source.observe { [weak engine] event in
        guard let engine else { return }
        switch event {
        case .willLoad: engine.noteLoading(number, life)
        case .didPartiallyLoad(let changes):
          for error in catchUp(engine, changes) { engine.fail(error, life) }
        case .didFinishLoading: engine.end(number, life)
        case .didFail(let error): engine.fail(number, error, life)
        }
        engine.events.flush()
      },
      source.events.observeCancellation { [weak engine] in
        engine?.noteCancellation(ofInput: number, life)
      },
    ]
  }

  /// Brings the parts to what the source shows.
  ///
  /// - Parameters:
  ///   - engine: The list's engine.
  ///   - changes: What led there, where that is known.
  /// - Returns: What went wrong.
  private func catchUp(
    _ engine: Engine, _ changes: Changeset<Keys.ItemID, Keys.Item>?
  ) -> [any Error] {
    engine.events.raise(above: source.events.height)
    let snapshot = source.snapshot
    do {
      let keys = try Self.keys(of: snapshot)
      // Parts that were made stay where another thread is faster, and the edit is made anew.
      var made: Made = [:]
      var refused: [DataSourceError] = []
      engine.edit(followsCommit: changes != nil) { draft in
        (made, refused) = arrange(keys, at: snapshot.version, changes, in: &draft, made)
      }
      return refused
    } catch {
      return [DataSourceError.inputFailed(name: source.name, cause: error)]
    }
  }

  private static func keys(
    of snapshot: Keys.Snapshot
  ) throws -> [(id: Keys.ItemID, item: Keys.Item)] {
    try snapshot.materialized().sections.flatMap { $0.rows.map { ($0.id, $0.item) } }
  }

  /// Makes a draft one of the parts for some keys.
  ///
  /// - Returns: The parts that were made, and why others were left out.
  private func arrange(
    _ keys: [(id: Keys.ItemID, item: Keys.Item)], at version: Int,
    _ changes: Changeset<Keys.ItemID, Keys.Item>?, in draft: inout RosterDraft<Rule>,
    _ earlier: Made
  ) -> (made: Made, refused: [DataSourceError]) {
    var made = earlier
    guard version > draft.conductorVersion else { return (made, []) }
    let moved = movedKeys(changes, since: draft.conductorVersion)
    draft.conductorVersion = version
    let wanted = Set(keys.map { IdentityKey($0.id) })
    for id in draft.rule.ids where !wanted.contains(IdentityKey(id)) {
      try? draft.remove(part: id)
    }
    var refused: [DataSourceError] = []
    var order: [Int] = []
    for (id, item) in keys {
      do throws(DataSourceError) {
        if draft.rule.number(of: id) == nil {
          let input = made[IdentityKey(id)] ?? part(item)
          made[IdentityKey(id)] = input
          try draft.insert(input, as: id, title: title(item), before: nil)
        } else {
          try draft.setTitle(title(item), ofPart: id)
        }
        if let number = draft.rule.number(of: id) { order.append(number) }
      } catch {
        refused.append(error)
      }
    }
    if order != draft.numbers {
      draft.reorder(order, moved: moved.map { $0.compactMap { draft.rule.number(of: $0) } })
      draft.rule.order = draft.numbers
    }
    return (made, refused)
  }

  /// Returns the keys that changed places; nil where that is not known.
  private func movedKeys(
    _ changes: Changeset<Keys.ItemID, Keys.Item>?, since version: Int
  ) -> [Keys.ItemID]? {
    guard let changes, changes.sourceVersion == version, changes.sectionMoves.isEmpty else {
      return nil
    }
    return changes.moves.map(\.id)
  }
}
