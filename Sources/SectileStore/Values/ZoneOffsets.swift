internal import Foundation
internal import SectileCore
internal import Synchronization

/// How far the clocks of a time zone are from UTC, and since when.
///
/// Foundation tells the offset of one moment, and the changes to and from summer time. Others, such
/// as those of a zone that chose another country's time, are found by asking about each day: no
/// zone has changed twice within one (the shortest, of Boa Vista in 2000, lasted seven days), and
/// by halving it.
struct ZoneOffsets: Sendable {
  /// A change of the offset.
  struct Change: Sendable {
    /// The first second of the new offset, in seconds since 1970.
    let start: Int64
    /// The offset from then on, in seconds to the east.
    let offset: Int
  }

  /// 1970-01-01, before which the offset is that of this day.
  static let first: Int64 = 0
  /// 2060-01-01, since when it is that of this day.
  static let last: Int64 = 2_840_140_800

  /// The offset before the first change.
  let initial: Int
  /// The changes, in the order of time.
  let changes: [Change]

  /// Finds the offsets of a zone.
  ///
  /// - Complexity: Some 33,000 questions to Foundation, a few milliseconds; once for each zone.
  private init(asking zone: TimeZone) {
    func offset(at second: Int64) -> Int {
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
    }
    var changes: [Change] = []
    var former = offset(at: Self.first)
    initial = former
    for start in stride(from: Self.first, to: Self.last, by: 86_400) {
      let next = offset(at: start + 86_400)
      guard next != former else { continue }
      var (before, since) = (start, start + 86_400)
      while since - before > 1 {
        let middle = (before + since) / 2
        if offset(at: middle) == former { before = middle } else { since = middle }
      }
      changes.append(Change(start: since, offset: next))
      former = next
    }
    self.changes = changes
  }

  // MARK: - Mutable state
  //
  // - `known`: guarded by its mutex; a zone may be looked at twice, with the same result.
  private static let known = Mutex<[String: ZoneOffsets]>([:])

  /// Returns the offsets of a zone.
  static func of(_ zone: TimeZone) -> ZoneOffsets {
    if let known = known.withLock({ $0[zone.identifier] }) { return known }
    let found = ZoneOffsets(asking: zone)
    known.withLock { $0[zone.identifier] = found }
    return found
  }

  /// Returns an expression for the offset of a moment: comparisons with the changes, by halves.
  ///
  /// - Parameters:
  ///   - moment: The moment.
  ///   - limit: Returns what the moment is compared with for a change, given its second.
  /// - Returns: The expression, nested as deep as the logarithm of the number of changes.
  func expression(
    for moment: SQLExpression, comparedWith limit: (Int64) -> SQLExpression
  ) -> SQLExpression {
    // The offset that holds after so many changes.
    func offset(_ count: Int) -> SQLExpression {
      .constant("\(count == 0 ? initial : changes[count - 1].offset)")
    }
    func part(_ counts: Range<Int>) -> SQLExpression {
      if counts.count == 1 { return offset(counts.lowerBound) }
      let middle = counts.lowerBound + counts.count / 2
      return .call(
        "iif",
        [
          .infix(moment, "<", limit(changes[middle - 1].start)),
          part(counts.lowerBound..<middle), part(middle..<counts.upperBound),
        ])
    }
    return part(0..<changes.count + 1)
  }
}
