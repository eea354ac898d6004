/// A place in the change log of a store: with it, a position outlives the process.
///
/// ```text
///   sequence   …  40   41   42   43
///   salt           8a   01   f3   9c      the place (42, f3) says: all up to 42 is known
/// ```
package struct LogPlace: Hashable, Sendable {
  /// The identity of the store.
  package var store: UInt128
  /// The number of the log's life in that store: another one where it was made anew.
  package var epoch: UInt64
  /// The number of the last row of the log that is known.
  package var sequence: UInt64
  /// What that row holds beside its number, so that a log that was written anew is noticed.
  package var salt: UInt64

  /// Creates a place.
  package init(store: UInt128, epoch: UInt64, sequence: UInt64, salt: UInt64) {
    self.store = store
    self.epoch = epoch
    self.sequence = sequence
    self.salt = salt
  }
}

/// What one can go on from in another process: a place in the log, and what was asked for.
package struct ResumePoint: Hashable, Sendable {
  /// Everything up to it is known.
  package var place: LogPlace
  /// A number for the request, with the values of its filter; the same in every process.
  package var request: UInt64

  /// Creates a point.
  package init(place: LogPlace, request: UInt64) {
    self.place = place
    self.request = request
  }
}
