/// A way to work out how contents change.
///
/// Ways are siblings: they come to the same change from the same contents and differ in what they
/// have to read, none is part of another, and what several do is a step of its own. Whoever has the
/// occasion decides which one is taken: ``CommitDerivation`` for a commit, ``LoadDerivation`` for a
/// load.
///
/// | Way | Reads | Cost for c touched rows of n |
/// |---|---|---|
/// | ``OneRowDerivation`` | one touched row, while all sections stay | O(log n) |
/// | ``SomeRowsDerivation`` | touched rows, which may be many | O(c · log n) |
/// | ``WindowDerivation`` | touched rows, and those that enter a window for them | O(c · log n) |
/// | ``FullDerivation`` | everything, and compares | O(n), with a far smaller factor |
/// | ``FirstBatchDerivation``, ``FirstLoadDerivation`` | everything, of which nothing is known | O(n) |
protocol Derivation<Outcome> {
  /// What the way comes to: a change or nil, or a word on why it does not serve.
  associatedtype Outcome

  /// Works out the change from the contents before.
  ///
  /// - Parameter context: Knows the contents before, and reads rows.
  /// - Returns: What it comes to.
  /// - Throws: ``StaleContents`` where the contents do not fit the database; what reading throws.
  func change(in context: borrowing DerivationContext) throws -> Outcome
}
