/// What a row of the change log tells.
///
/// Insert, update and delete say what a statement did; what a row is *now* is only said by the
/// table, since a later statement may have done something else with it.
package enum LogOperation: Int64, Hashable, Sendable {
  /// A row was inserted, perhaps in the place of one with the same key.
  case insert = 1
  /// A row was updated; this is its key afterwards.
  case update = 2
  /// A row was deleted, or has another key now; this is the key it had.
  case delete = 3
  /// A row stands in the way of one that is being written: REPLACE removes it, all else leaves it
  /// alone.
  case touched = 4
  /// A transaction of a store, with its author, tag and time.
  case commit = 5
  /// Sectile did something of its own in the file, which no result shows.
  case note = 6
  /// Any row of the table may have changed.
  case reset = 7
}
