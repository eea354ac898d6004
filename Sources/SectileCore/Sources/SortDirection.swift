/// Which of two values comes first.
public enum SortDirection: Hashable, Sendable {
  /// Smaller values first.
  case ascending
  /// Larger values first.
  case descending
}
