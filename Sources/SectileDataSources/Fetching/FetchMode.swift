/// What a load of a ``FetchedDataSource`` does with the items of the loads before.
public struct FetchMode: Hashable, Sendable {
  let isReplacing: Bool

  /// The items are replaced: when all have arrived, the source shows what is different.
  ///
  /// Nothing is cleared first. Where there is nothing yet, and while no load was ever complete,
  /// each batch is shown at once.
  public static let replacing = FetchMode(isReplacing: true)

  /// The items are added to those that are there, each batch at once.
  ///
  /// Items that are there already are updated where they are.
  public static let adding = FetchMode(isReplacing: false)
}
