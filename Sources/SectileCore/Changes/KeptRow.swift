/// A touched row that was there before a change and is there after it, without a word about its
/// item.
@usableFromInline
package struct KeptRow: Sendable {
  @usableFromInline package let source: ItemPath
  @usableFromInline package let target: ItemPath
  @usableFromInline package let isContentChanged: Bool
  @usableFromInline package let before: RowFingerprint?
  @usableFromInline package let after: RowFingerprint?

  package init(
    source: ItemPath, target: ItemPath, isContentChanged: Bool, before: RowFingerprint?,
    after: RowFingerprint?
  ) {
    self.source = source
    self.target = target
    self.isContentChanged = isContentChanged
    self.before = before
    self.after = after
  }
}
