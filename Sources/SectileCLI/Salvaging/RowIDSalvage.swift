internal import Sectile

/// Saves a table by its row ids, and goes round what is damaged.
///
/// It reads on to the first page that is damaged, then looks for the next row id from which on rows
/// can be read: in steps that double, and by halving the last of them. In the range between,
/// readable rows are looked for by halving again, as long as it takes no more than ``probeLimit``
/// attempts.
final class RowIDSalvage {
  /// How often one damaged range is probed for what is still readable inside.
  static let probeLimit = 4096

  private enum Probe {
    case row(Int64)
    case end
    case damaged
  }

  private let saver: RowSaver
  private let upward: InspectionStatement
  private let downward: InspectionStatement
  private let first: InspectionStatement
  private var probes = 0

  /// Creates the work on one table.
  ///
  /// - Parameters:
  ///   - saver: Its rows; the row id is their key.
  ///   - rowID: The name of the row id.
  /// - Throws: ``StoreError`` where the file refuses the queries.
  init(_ saver: RowSaver, rowID: String) throws {
    self.saver = saver
    let id = SQLName.quote(rowID)
    upward = try saver.query("WHERE \(id) >= ?1 AND \(id) <= ?2 ORDER BY \(id)")
    downward = try saver.query("WHERE \(id) >= ?1 AND \(id) <= ?2 ORDER BY \(id) DESC")
    first = try saver.query("WHERE \(id) >= ?1 ORDER BY \(id) LIMIT 1")
  }

  /// Saves what can be read.
  func run() throws {
    var next = Int64.min
    var last: Int64?
    while true {
      let ending = try save(next...Int64.max, by: upward) { last = $0 }
      if ending == .complete { return }
      let damage = last.map { $0 + 1 } ?? .min
      let start = try firstReadable(after: damage)
      let end = start.map { $0 - 1 } ?? .max
      probes = 0
      if damage < end { try search(damage...end) }
      saver.add(
        SalvageReport.Gap(
          after: last.map { "\($0)" }, before: start.map { "\($0)" }))
      guard let start else { return }
      next = start
    }
  }

  /// Saves rows whose ids lie in a range, in the order of a statement.
  private func save(
    _ range: ClosedRange<Int64>, by statement: InspectionStatement,
    _ heard: (Int64) -> Void
  ) throws -> RowSaver.Ending {
    let isUpward = statement === upward
    var last: Int64?
    return try saver.save(
      statement, [.integer(range.lowerBound), .integer(range.upperBound)]
    ) { key in
      guard case .integer(let id)? = key.first, range.contains(id),
        last.map({ isUpward ? id > $0 : id < $0 }) ?? true
      else { return false }
      last = id
      heard(id)
      return true
    }
  }

  /// Looks for the first row at a row id or behind it.
  private func probe(_ id: Int64) throws(StoreError) -> Probe {
    defer { first.reset() }
    do {
      try first.start([.integer(id)])
      guard let row = try first.next() else { return .end }
      guard case .integer(let found) = row[0], found >= id else { return .damaged }
      return .row(found)
    } catch {
      if error.code == .interrupted { throw error }
      return .damaged
    }
  }

  /// Returns the row id of a row behind a damage from which on reading makes sense; nil where there
  /// is none up to the end.
  private func firstReadable(after damage: Int64) throws -> Int64? {
    // From here on it is damaged, up to there it may be.
    var low = damage
    var step: Int64 = 1
    var found: Int64?
    while found == nil {
      let (candidate, isTooFar) = low.addingReportingOverflow(step)
      if isTooFar || candidate == .max { break }
      switch try probe(candidate) {
      case .damaged:
        low = candidate
        step = step > .max / 2 ? .max : step * 2
      case .row, .end: found = candidate
      }
    }
    guard var high = found else { return nil }
    while low + 1 < high {
      let middle = low + (high - low) / 2
      if case .damaged = try probe(middle) { low = middle } else { high = middle }
    }
    if case .row(let id) = try probe(high) { return id }
    return nil
  }

  /// Saves what is readable inside of a range whose first row is not.
  private func search(_ range: ClosedRange<Int64>) throws {
    guard range.lowerBound < range.upperBound, probes < Self.probeLimit else { return }
    probes += 1
    // Halves the distance, which may be larger than a number.
    let middle = (range.lowerBound >> 1) + (range.upperBound >> 1) + (range.lowerBound & 1)
    let lower: ClosedRange<Int64>
    var upper: ClosedRange<Int64>?
    switch try probe(middle) {
    case .row(let id) where id <= range.upperBound:
      var lowest = id
      var highest = id
      let ending = try save(id...range.upperBound, by: upward) { highest = $0 }
      if id > range.lowerBound {
        _ = try save(range.lowerBound...(id - 1), by: downward) { lowest = $0 }
      }
      if ending == .damaged, highest < range.upperBound {
        upper = (highest + 1)...range.upperBound
      }
      guard lowest > range.lowerBound else {
        if let upper { try search(upper) }
        return
      }
      lower = range.lowerBound...(lowest - 1)
    case .damaged:
      lower = range.lowerBound...max(range.lowerBound, middle - 1)
      if middle < range.upperBound { upper = (middle + 1)...range.upperBound }
    case .row, .end:
      // Nothing is left from the middle on.
      lower = range.lowerBound...max(range.lowerBound, middle - 1)
    }
    try search(lower)
    if let upper { try search(upper) }
  }
}
