internal import Sectile

/// Transactions of many rows with a live view.
struct TransactionCase: GuardCase {
  static let name = "transaction"
  static let summary = "update 1,000 rows in one transaction, which move in one view"
  static let counts = Counts(few: 2, many: 12)

  private static let size = 1_000

  private let store: Store
  private let view: View
  private var changes: TrackChanges

  init() throws {
    let (store, tracks) = try TrackStore.make()
    self.store = store
    view = try View(.indexed, in: store)
    changes = TrackChanges(tracks, count: Self.size)
  }

  mutating func perform() throws {
    let tracks = (0..<Self.size).map { _ in changes.next() }
    try store.write { transaction in
      for track in tracks { try transaction.update(track) }
    }
  }

  func verify(performed count: Int) throws { try view.verify(delivered: count * Self.size) }
}
