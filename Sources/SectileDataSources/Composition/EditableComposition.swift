internal import SectileCore

/// A rule whose inputs come, go and move while it runs.
protocol EditableComposition<ItemID, Item>: Composition {
  /// Returns the difference between what two rosters give of the same versions of the inputs that
  /// both have.
  ///
  /// - Parameters:
  ///   - old: What the one gives.
  ///   - new: What the other gives.
  ///   - moved: The inputs that may have changed places among the others, by number; nil for all.
  /// - Returns: The difference; its versions are of no meaning.
  static func changes(
    from old: Result, to new: Result, moved: Set<Int>?
  ) -> Changeset<ItemID, Item>
}

/// What says which inputs a composition has, where that changes by itself.
///
/// To the engine it is one more input, whose changes are edits of the roster.
struct Conductor<Rule: Composition>: Sendable {
  /// The number by which its news are told from those of the inputs.
  static var number: Int { -1 }

  let name: String
  /// Observes the conductor for a life of an engine, which is not to be kept alive by it.
  let observe: @Sendable (CompositionEngine<Rule>, _ life: Int) -> [DataSourceObservation]
  /// Brings the roster of an engine to what the conductor shows, and returns what went wrong.
  let catchUp: @Sendable (CompositionEngine<Rule>) -> [any Error]
  let load: @Sendable () throws -> Void
  /// Whether the conductor's store is closed, and who is to be told of that.
  let hasEnded: @Sendable () -> Bool
  let observeEnd: @Sendable (@escaping @Sendable () -> Void) -> DataSourceObservation
}
