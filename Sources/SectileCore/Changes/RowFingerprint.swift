/// What is remembered of a row's values so that a later reading can be compared with an earlier
/// one.
///
/// Two 64-bit digests: one over the item's own columns, one over what decides its place but lies
/// outside of them (a parent's name, say; zero where there is nothing of the kind). Sources that
/// cannot compute one use none, and every rewritten row then counts as changed.
@usableFromInline
package struct RowFingerprint: Hashable, Sendable {
  package var content: UInt64
  package var order: UInt64

  package init(content: UInt64, order: UInt64 = 0) {
    self.content = content
    self.order = order
  }
}
