/// What a figure must reach, and what it should.
struct Goal: Sendable {
  /// The number of the goal and its variant, such as `P9-file`.
  let id: String
  let what: String
  /// What it must reach; nil for a figure that is shown and not judged.
  let must: Double?
  /// What it should reach; nil for a figure that is shown and not judged.
  let aim: Double?
  /// The number of rows the goal speaks of; nil if it has to hold for any number.
  var size: Int?
  /// Whether the goal stands in the table of goals, rather than being one of its goals in another
  /// place.
  var isStated = true

  init(_ id: String, _ what: String, must: Double? = nil, aim: Double? = nil, size: Int? = nil) {
    self.id = id
    self.what = what
    self.must = must
    self.aim = aim
    self.size = size
  }

  /// Returns a goal by its number, for a place.
  ///
  /// On a file a goal without limits of its own keeps those for memory, as a variant with the
  /// suffix `-file`.
  static func named(_ id: String, in storage: Storage) -> Goal? {
    guard storage == .file, !isOfFiles(id) else { return all.first { $0.id == id } }
    if let goal = all.first(where: { $0.id == id + "-file" }) { return goal }
    guard let base = all.first(where: { $0.id == id }) else { return nil }
    var goal = Goal(
      id + "-file", base.what + ", on a file", must: base.must, aim: base.aim, size: base.size)
    goal.isStated = false
    return goal
  }

  /// Whether a goal is about files to begin with, as those of programs are.
  private static func isOfFiles(_ id: String) -> Bool {
    ["P17", "L2", "L3"].contains(id) || id.hasPrefix("Q") || id.hasPrefix("S")
  }

  /// The goals, in their order.
  static let all = [
    Goal("P1", "open, indexed / C", must: 1.40, aim: 1.20, size: 1_000_000),
    Goal("P2", "open, no index / C that sorts", must: 1.15, aim: 0.80),
    Goal("P3", "open / GRDB records + grouping", must: 0.20, aim: 0.10, size: 1_000_000),
    Goal("P4", "first batch / opening all", must: 0.02, aim: 0.01, size: 1_000_000),
    Goal("P5", "decode every row / C with malloc", must: 1.20, aim: 1.08),
    Goal("P6", "decode / GRDB by hand", must: 0.80, aim: 0.70),
    Goal("P6-codable", "decode / GRDB Codable", must: 0.27, aim: 0.23),
    Goal("P7", "bulk insert, no index / C", must: 1.25, aim: 1.10),
    Goal("P7-indexed", "bulk insert, indexed / C", must: 1.10, aim: 1.03),
    Goal("P8", "bulk insert / GRDB record.insert", must: 0.15, aim: 0.12),
    Goal("P9", "commit with 1 view / none, memory", must: 2.0, aim: 1.6),
    Goal("P9-file", "commit with 1 view / none, file", must: 1.30, aim: 1.15),
    Goal("P10", "commit with 10 views / none, memory", must: 6.5, aim: 3.0),
    Goal("P10-file", "commit with 10 views / none, file", must: 2.5, aim: 1.5),
    Goal(
      "P11", "commit to diff / GRDB observation, 10k", must: 1 / 30, aim: 1 / 100, size: 10_000),
    Goal(
      "P11-100k", "commit to diff / GRDB observation, 100k", must: 1 / 300, aim: 1 / 800,
      size: 100_000),
    Goal(
      "P11-1m", "commit to diff / GRDB observation, 1M", must: 1 / 2_000, aim: 1 / 5_000,
      size: 1_000_000),
    Goal("P12", "growth of a view's cost per commit", must: 0.35, aim: 0.20),
    Goal("P13", "10k-row transaction, 1 view / none, memory", must: 2.4, aim: 1.5, size: 100_000),
    Goal(
      "P13-file", "10k-row transaction, 1 view / none, file", must: 2.1, aim: 1.3, size: 100_000),
    Goal("P14", "key → (section, item), µs", must: 0.5, aim: 0.25, size: 1_000_000),
    Goal("P15", "memory of a view, bytes per row", must: 24, aim: 16, size: 1_000_000),
    Goal("P16", "added by a view not touched, µs", must: 0.5, aim: 0.1),
    Goal("P17", "one-row file commit / GRDB write", must: 1.10, aim: 1.00),
    Goal("C1", "loading filter / a loop over the rows", must: 5, aim: 3),
    Goal("C2", "loading sorted / a loop that sorts", must: 5, aim: 3),
    Goal("C3", "loading sectioned / a loop that groups", must: 5, aim: 3),
    Goal("C4", "loading four layers / a loop that does all", must: 5, aim: 3),
    Goal("C5", "memory of a layer, bytes per row", must: 100, aim: 50),
    Goal("J1", "commit, row of three tables / of one", must: 4, aim: 2.5),
    Goal(
      "J2", "commit to diff of joined rows / GRDB observation", must: 1 / 200, aim: 1 / 1_000,
      size: 100_000),
    Goal("J3", "commit, parent of 20 rows / 20 rows", must: 2, aim: 1.3),
    Goal("J5", "commit, group of all rows / of 20", must: 5, aim: 2, size: 100_000),
    Goal("J6", "memory of a member of a family, bytes", must: 12_000, aim: 6_000),
    Goal("J7", "added by a family to a commit that concerns one, µs", must: 30, aim: 15),
    Goal("J8", "added by a family to a commit that concerns none, µs", must: 10, aim: 2),
    Goal("J9", "commit, window around a row that moves / plain list", must: 5, aim: 2),
    Goal("J10", "a day passes / a commit of as many rows", must: 2, aim: 1, size: 1_000_000),
    Goal("L1", "one-row commit, change log / none"),
    Goal("L2", "following a commit elsewhere, µs", must: 1_000, aim: 300, size: 1_000_000),
    Goal("L3", "noticing a commit elsewhere, µs", must: 2_000, aim: 500),
    Goal("Q5", "commit with five aggregates / none, INTEGER", must: 1.5, aim: 1.2),
    Goal("Q9", "start and end of sectile sqlite / sqlite3", must: 2.0, aim: 1.5),
    Goal("Q10", "import into a table / sqlite3 .import", must: 1.25, aim: 0.67, size: 1_000_000),
    Goal("Q10-new", "import into a new table / sqlite3 .import", must: 2.0, aim: 1.25),
    Goal("S1", "export as CSV / sqlite3 -csv", must: 2.0, aim: 1.0),
    Goal("S2", ".dump / sqlite3 .dump", must: 2.0, aim: 1.0),
    Goal("S3", "diff --sql of files / sqldiff", must: 2.0, aim: 1.0),
  ]
}
