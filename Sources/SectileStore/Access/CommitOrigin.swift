/// Who commits a transaction, and what it is about, as the change log remembers it.
package struct CommitOrigin: Hashable, Sendable {
  /// Who commits; nil where that was not said.
  package var author: String?
  /// What it is about; nil where that was not said.
  package var tag: String?
}
