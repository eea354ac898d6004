import SectileCore

/// Whether a row of a plan's table asks the clock: hands a function of time the word `now`, which
/// is stored in one of its columns.
///
/// As long as none does, touched rows alone are asked. While one does, rows change that nobody
/// writes.
///
/// It is about the newest contents. Nothing is known where contents come about otherwise than by
/// reading touched rows; then all rows are asked.
///
/// Confined to the writing connection's serial queue.
final class ClockAskingRows {
  private enum Answer {
    case unknown
    case none
    case some
  }

  /// The number of the contents that a change was worked out from last.
  private var contents = 0
  /// The number of the contents after that change.
  private var next = 0
  /// Also holds for a change that was rolled back: too much is asked then, and nothing missed.
  private var answer = Answer.unknown

  init() {}

  /// Takes note of the contents that a change is worked out from.
  ///
  /// - Parameters:
  ///   - number: Their number.
  ///   - next: The number of the contents after the change.
  func begin(_ number: Int, next: Int) {
    if number != self.next, number != contents { forget() }
    contents = number
    self.next = next
  }

  /// Forgets what is known: the contents that come next are worked out otherwise.
  func forget() { answer = .unknown }

  /// Whether a row asks the clock.
  ///
  /// - Parameters:
  ///   - keys: The keys of the rows that were touched since this was asked last.
  ///   - reader: Reads in the transaction that touched them.
  /// - Returns: True if one does.
  /// - Throws: What reading throws.
  /// - Complexity: O(*n*) for *n* rows where nothing is known, else O(c · log *n*) for *c* keys.
  func areThere(touching keys: [RowKey], _ reader: PlanReader) throws -> Bool {
    switch answer {
    case .unknown: answer = try reader.asksTheClock(nil) ? .some : .none
    case .none: if try keys.contains(where: { try reader.asksTheClock($0) }) { answer = .some }
    case .some: break
    }
    return answer == .some
  }
}
