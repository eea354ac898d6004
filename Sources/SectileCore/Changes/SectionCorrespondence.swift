/// Which section before is which section after, and which of them moved.
///
/// Only what changed is listed; a section that is not listed keeps its place among the others that
/// are not.
package struct SectionCorrespondence: Sendable {
  /// The ordinals before of the sections that are gone, ascending.
  package let deleted: [Int]
  /// The ordinals after of the sections that are new, ascending.
  package let inserted: [Int]
  /// The sections that move, ascending by their ordinal before: as few of those that may as
  /// possible, and never the earliest where it makes no difference.
  package let moves: [IndexEdits.SectionShift]
  /// The sections that might have moved and did not, ascending.
  package let stationary: [IndexEdits.SectionShift]

  private let shift: ListShift
  private let targets: [Int: Int]
  private let sources: [Int: Int]

  /// All sections stay where they are.
  package static let unchanged = SectionCorrespondence()

  /// Creates a correspondence.
  ///
  /// - Parameters:
  ///   - oldCount: The number of sections before, to check the lists with.
  ///   - newCount: The number of sections after, to check the lists with.
  ///   - deleted: The ordinals before of sections that are gone.
  ///   - inserted: The ordinals after of sections that are new.
  ///   - eligible: The surviving sections that may move, because what decides their place changed.
  /// - Complexity: O(*c* log *c*) for *c* listed sections.
  package init(
    oldCount: Int? = nil, newCount: Int? = nil, deleted: [Int] = [], inserted: [Int] = [],
    eligible: [IndexEdits.SectionShift] = []
  ) {
    let eligible = eligible.sorted { $0.source < $1.source }
    let shift = ListShift(
      removed: deleted + eligible.map(\.source), inserted: inserted + eligible.map(\.target))
    if let oldCount, let newCount {
      assert(
        oldCount - shift.removed.count == newCount - shift.inserted.count,
        "\(shift.removed.count) of \(oldCount) sections are listed as they were, and "
          + "\(shift.inserted.count) of \(newCount) as they are")
    }
    var isMover = [Bool](repeating: true, count: eligible.count)
    for offset in StationaryChoice.stationary(
      sources: eligible.map(\.source), targets: eligible.map(\.target), shift: shift)
    {
      isMover[offset] = false
    }
    self.deleted = deleted.sorted()
    self.inserted = inserted.sorted()
    self.shift = shift
    moves = eligible.indices.filter { isMover[$0] }.map { eligible[$0] }
    stationary = eligible.indices.filter { !isMover[$0] }.map { eligible[$0] }
    targets = Dictionary(eligible.map { ($0.source, $0.target) }) { first, _ in first }
    sources = Dictionary(eligible.map { ($0.target, $0.source) }) { first, _ in first }
  }

  /// Returns the ordinal after of a section, or nil where it is gone.
  package func target(of source: Int) -> Int? {
    // A dictionary hashes what it is asked for although it is empty.
    (targets.isEmpty ? nil : targets[source]) ?? shift.target(of: source)
  }

  /// Returns the ordinal before of a section, or nil where it is new.
  package func source(of target: Int) -> Int? {
    (sources.isEmpty ? nil : sources[target]) ?? shift.source(of: target)
  }
}
