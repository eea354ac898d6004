/// A row of the change log, by its number and by what tells it from another row of this number.
///
/// The salt is random: a log that was restored from a backup and written on has other rows at the
/// same numbers.
package struct LogPoint: Hashable, Sendable {
  /// The row's number.
  package var sequence: Int64
  /// The row's salt.
  package var salt: Int64

  /// Creates a point.
  package init(sequence: Int64, salt: Int64) {
    self.sequence = sequence
    self.salt = salt
  }

  /// Before the first row of a log of which nothing was removed.
  package static let origin = LogPoint(sequence: 0, salt: 0)
}
