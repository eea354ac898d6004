/// What editing an item in its place offers.
public enum EditingKind: Hashable, Sendable {
  /// Nothing.
  case none
  /// The item can be deleted.
  case delete
  /// Another item can be inserted here.
  case insert
}
