/// What to do about a change that does not fit what the file holds.
enum ConflictPolicy: String, CaseIterable {
  /// Nothing is written, and all conflicts are told.
  case error
  /// The row stays as it is.
  case skip
  /// The row becomes what the patch says.
  case force
}
