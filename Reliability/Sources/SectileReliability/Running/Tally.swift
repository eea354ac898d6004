/// What a case did, and what it found.
struct Tally: Codable {
  var name: String
  /// Workloads that were run from beginning to end, or to their end by force.
  var cycles = 0
  /// Operations that failed on purpose.
  var faults = 0
  /// Power cuts.
  var cuts = 0
  /// Processes that were killed.
  var kills = 0
  var seeds = 0
  var seconds = 0.0
  /// What must not be: a sentence each, with the command that shows it again.
  var findings: [String] = []
  /// Of a control: how often it saw what it must see.
  var seen: Int?
  /// What else there is to tell, in sums over all seeds.
  var figures: [String: Int] = [:]

  /// Adds to a sum.
  mutating func add(_ count: Int, _ what: String) { figures[what, default: 0] += count }
}
