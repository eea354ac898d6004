import SectileCore

extension ReadContents {
  /// Whether rows that nobody has touched, as far as known, stand in another order than before.
  ///
  /// So it may be where others may have written past the change log and there are no digests to
  /// tell: then any row may have moved. Anywhere else it would be an error of what is known, which
  /// internal checks look for.
  ///
  /// - Parameters:
  ///   - after: The rows as they are.
  ///   - context: Knows the contents before.
  ///   - isMet: Whether a row is new, or may have changed.
  /// - Returns: True where some of the others moved.
  func hasUnseenMoves(
    to after: SectionedIndex, in context: borrowing DerivationContext,
    unless isMet: (Int32) -> Bool
  ) -> Bool {
    let base = context.base
    let mayBe = context.rowsBefore.mayLackRows && base.content == nil
    guard mayBe || InternalChecks.isOn else { return false }
    // Of a section before: where it is now, and the last of its rows so far.
    var last: (source: Int, section: Int?, item: Int) = (-1, nil, -1)
    for (handle, source) in RowWalk(base.index) where !isMet(handle) {
      if source.section != last.source {
        let identity = base.index.header(ofSection: source.section).identity
        last = (source.section, after.sectionOrdinal(of: identity), -1)
      }
      guard let target = after.path(of: handle), target.section == last.section else { continue }
      if target.item < last.item {
        let key = base.keys.key(of: handle)
        precondition(mayBe, "\(key) at \(source) moved, though nobody has touched it")
        return true
      }
      last.item = target.item
    }
    return false
  }
}
