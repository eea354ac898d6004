/// A touched row that was there before a change and is there after it, without a word about its item.
package struct KeptRow: Sendable {
  package let source: ItemPath
  package let target: ItemPath
  package let isContentChanged: Bool
  package let before: RowFingerprint?
  package let after: RowFingerprint?

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
