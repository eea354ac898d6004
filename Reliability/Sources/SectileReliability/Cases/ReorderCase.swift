internal import Foundation
internal import Sectile

/// Two processes reorder one list at random: the order stays total at every moment, and both end
/// with the same.
///
/// Once with a change log, once without.
struct ReorderCase: ReliabilityCase {
  let name = "reorder"
  let summary = "two processes reorder one list; the order stays total, both end with the same"
  /// How long they reorder each file.
  let seconds: Int
  var weight: Double { 0.2 }

  private static let processCount = 2
  /// What must find nothing, in whichever state of the file.
  private static let violations = """
    SELECT 1 FROM listed_row WHERE position IS NULL OR typeof(position) <> 'integer'
    UNION ALL SELECT 1 FROM listed_row GROUP BY list, position HAVING count(*) > 1
    UNION ALL SELECT 1 WHERE (SELECT count(*) FROM listed_row) <> \(ReorderedList.rowCount)
    """

  func run(seed: UInt64, tally: inout Tally) throws {
    for hasLog in [true, false] {
      do {
        try run(seed: seed, hasLog: hasLog, tally: &tally)
      } catch {
        throw Finding("\(hasLog ? "with" : "without") a log: \(error)")
      }
      tally.cycles += 1
    }
  }

  private func run(seed: UInt64, hasLog: Bool, tally: inout Tally) throws {
    let folder = try Folder()
    let store = try ReorderedList.open(folder.database)
    if hasLog { try store.changeLog.enable() }
    let children = try (0..<Self.processCount).map { number in
      try ChildProcess(
        workload: "reorder", path: folder.database, seed: seed &* 8 &+ UInt64(number),
        listens: true, seconds: seconds)
    }
    let looks = try look(at: store)
    let suffix = hasLog ? "with a log" : "without"
    for child in children {
      let words = (child.nextLine() ?? "").split(separator: " ")
      guard words.count == 2, let moved = Int(words[0]), let refused = Int(words[1]) else {
        throw Finding("a process failed: \(words.joined(separator: " "))")
      }
      if moved == 0 { throw Finding("a process moved nothing") }
      tally.add(moved, "moves " + suffix)
      tally.add(refused, "conflicts " + suffix)
    }
    tally.add(looks, "looks " + suffix)
    for child in children { child.tell("show") }
    let shown = children.map { $0.nextLine() ?? "nothing" }
    try check(store)
    let fetched = try store.read { try $0.fetchAll(ReorderedList.request) }
    let results = try store.results(of: ReorderedList.request)
    try results.load()
    let expected = ReorderedList.text(results.snapshot)
    if try results.snapshot.materialized().sections.flatMap({ $0.rows.map(\.item) }) != fetched {
      throw Finding("live results differ from a fetch")
    }
    for (number, text) in shown.enumerated() where text != expected {
      throw Finding("process \(number) shows \(text), the file holds \(expected)")
    }
    for child in children {
      _ = child.lines()
      if child.status != 0 { throw Finding("a process ended with \(child.status)") }
    }
    try store.close()
  }

  /// Looks at state after state while the others reorder; returns how many there were.
  private func look(at store: Store) throws -> Int {
    let end = Date().timeIntervalSince1970 + Double(seconds)
    var count = 0
    while Date().timeIntervalSince1970 < end {
      try check(store)
      count += 1
      usleep(2_000)
    }
    return count
  }

  private func check(_ store: Store) throws {
    let found = try store.read { try $0.query(Self.violations) }
    if !found.isEmpty { throw Finding("\(found.count) rows break the order") }
  }
}
