/// What rows are told apart by where neither the request nor the schema names a key.
package enum KeySubstitute: Hashable, Sendable {
  /// Of a view or a query, the columns that its text says tell rows apart; else nothing: such a
  /// request is refused.
  case none
  /// As ``none``; else the row id, which holds until the file is vacuumed, and in a view, which has
  /// none, the place among all its rows. Of a query, nothing.
  case rowIDsAndPlacesOfViews
  /// As ``rowIDsAndPlacesOfViews``; and the place in a query, too.
  case rowIDsAndPlaces
  /// The row id; in a view and in a query the place, whatever its text says.
  case rowIDsAndPlacesAlone

  /// Whether the text of a view or query is looked into.
  var looksIntoText: Bool { self != .rowIDsAndPlacesAlone }
}
