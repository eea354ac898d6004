/// Counts the rows of a bulk insertion, and reports how far it got.
@usableFromInline
struct InsertionCount {
  /// How many rows were inserted or updated.
  @usableFromInline var changed = 0
  @usableFromInline var taken = 0
  @usableFromInline var untilProgress: Int
  @usableFromInline let interval: Int
  @usableFromInline let progress: ((Int) throws -> Void)?

  @inlinable
  init(interval: Int, progress: ((Int) throws -> Void)?) {
    self.interval = max(interval, 1)
    self.progress = progress
    untilProgress = self.interval
  }

  /// Counts one entity that changed some rows.
  @inlinable
  mutating func add(_ changedCount: Int) throws {
    changed += changedCount
    guard let progress else { return }
    taken += 1
    untilProgress -= 1
    guard untilProgress == 0 else { return }
    untilProgress = interval
    try progress(taken)
  }
}
