import SectileCore

/// What the rows of the base table were at a version: the commits since, the oldest first.
struct RowsBefore {
  let later: [PreImages]
  /// Where the item's columns stand in an image; nil where there are no images.
  let positions: [Int]?
  /// The first commit that touched each row, where there are too many to ask them all.
  private let firstCommits: [RowKey: Int]?

  /// How many commits are asked one after the other.
  private static let askedCommitLimit = 4

  init(later: [PreImages], positions: [Int]?) {
    self.later = later
    self.positions = positions
    guard later.count > Self.askedCommitLimit else {
      firstCommits = nil
      return
    }
    var first: [RowKey: Int] = [:]
    for (commit, images) in later.enumerated() {
      for position in 0..<images.count where first[images.key(at: position)] == nil {
        first[images.key(at: position)] = commit
      }
      // What happened after a commit of which not everything is known does not matter.
      if !images.isComplete { break }
    }
    firstCommits = first
  }

  /// What the first commit that may have touched the row knows of it, and which commit that is; nil
  /// where none touched it.
  func finding(_ key: RowKey) -> (PreImages.Finding, commit: Int)? {
    if let firstCommits {
      let commit = firstCommits[key] ?? later.firstIndex { !$0.isComplete }
      return commit.map { (later[$0].finding(key), $0) }
    }
    for commit in later.indices {
      let finding = later[commit].finding(key)
      if case .untouched = finding { continue }
      return (finding, commit)
    }
    return nil
  }

  /// Whether all rows that were touched are known.
  var isComplete: Bool { later.allSatisfy(\.isComplete) }

  /// How many rows were touched, as far as known.
  var touchedCount: Int { later.reduce(0) { $0 + $1.count } }

  /// The key of the row that was touched first, as far as known.
  var firstTouchedKey: RowKey? { later.first { $0.count > 0 }?.key(at: 0) }

  var isEmpty: Bool { later.allSatisfy(\.isEmpty) }

  func forEachTouchedKey(_ body: (RowKey) throws -> Void) rethrows {
    for images in later {
      for position in 0..<images.count { try body(images.key(at: position)) }
    }
  }
}

extension RowsBefore {
  /// The past of contents that are empty.
  static let nothing = RowsBefore(later: [], positions: nil)
}
