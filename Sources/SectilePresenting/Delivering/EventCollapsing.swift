/// What becomes of events that wait in too great a number, for an observer that is too slow.
struct EventCollapsing<Event: Sendable>: Sendable {
  /// How many events may wait.
  let limit: Int
  /// Returns fewer events that lead to the same, given all that wait, in their order.
  ///
  /// It is called under a lock, and calls nobody.
  let collapse: @Sendable (_ waiting: [Event]) -> [Event]
}
