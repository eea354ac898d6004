/// What rows are told apart by where neither the request nor the schema names a key.
package enum KeySubstitute: Hashable, Sendable {
  /// Nothing: such a request is refused.
  case none
  /// The row id, which holds until the file is vacuumed; in a view, which has none, the place among
  /// all its rows.
  case rowIDsAndPlaces
}
