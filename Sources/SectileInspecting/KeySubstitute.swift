/// What rows are told apart by where neither the request nor the schema names a key.
///
/// A query has no substitute: its text says what tells rows apart, or whoever writes it does.
package enum KeySubstitute: Hashable, Sendable {
  /// Of a view, the columns that its text says tell rows apart; else nothing: such a request is
  /// refused.
  case none
  /// The row id, which holds until the file is vacuumed; in a view, which has none, the place among
  /// all its rows, whatever its text says.
  case rowIDsAndPlaces
  /// Of a view, the columns that its text says tell rows apart; else as ``rowIDsAndPlaces``.
  case keysOfTextRowIDsAndPlaces
}
