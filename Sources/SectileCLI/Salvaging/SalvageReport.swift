/// What became of a damaged file's contents.
struct SalvageReport {
  /// Keys whose rows cannot be read; an end that is nil is that of the table.
  struct Gap: Equatable {
    /// The last key before it.
    let after: String?
    /// The first key behind it.
    let before: String?
    /// Whether some rows between them were saved.
    var isPart = false

    var description: String {
      let part = isPart ? "some of " : ""
      return switch (after, before) {
      case (nil, nil): part + (isPart ? "it" : "all of it")
      case (nil, let before?): "\(part)what comes before \(before)"
      case (let after?, nil): "\(part)what comes after \(after)"
      case (let after?, let before?): "\(part)what lies between \(after) and \(before)"
      }
    }
  }

  /// What became of one table.
  struct Table {
    /// The table's name.
    let name: String
    /// How many rows the copy has.
    var savedCount = 0
    /// How many of them stood on pages that no readable page leads to.
    var strayCount = 0
    /// How many rows were read, but break a rule of the table, such as a key that is there twice.
    var refusedCount = 0
    /// Where rows cannot be read, in the order of the keys.
    var gaps: [Gap] = []

    /// How many gaps are told one by one.
    private static let toldGaps = 100

    /// Makes one gap of more than anybody reads.
    mutating func joinGaps() {
      guard gaps.count > Self.toldGaps, let first = gaps.first, let last = gaps.last else { return }
      gaps = [Gap(after: first.after, before: last.before, isPart: true)]
    }
  }

  /// The tables, in the order of their names.
  var tables: [Table] = []
  /// What else the copy lacks, a sentence for each.
  var losses: [String] = []

  /// Whether the copy has all there was.
  var isWhole: Bool {
    losses.isEmpty && tables.allSatisfy { $0.gaps.isEmpty && $0.refusedCount == 0 }
  }

  /// How many rows the copy has.
  var savedCount: Int { tables.reduce(0) { $0 + $1.savedCount } }
}
