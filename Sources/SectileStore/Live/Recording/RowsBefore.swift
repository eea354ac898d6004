import SectileCore

/// What the rows of the base table were at a version: the commits since, the oldest first.
struct RowsBefore {
  /// Where the item's columns stand in an image; empty where there are no images.
  let positions: [Int]
  /// Whether others may have changed rows besides, of which nobody has heard: by their digests they
  /// are found.
  var mayLackRows = false
  private let commits: Commits
  /// The first commit that touched each row, where there are too many to ask them all.
  private let listed: FirstCommits?

  /// How many commits are asked one after the other.
  private static let askedCommitLimit = 4

  /// For contents that are empty: there were no rows.
  static let nothing = RowsBefore(nil, positions: [])

  /// For rows of which nobody sees how they change.
  static let unknown = RowsBefore(.unknown, positions: [])

  /// Tells what the rows were that one commit changed, or none.
  init(_ commit: PreImages?, positions: [Int]) {
    self.positions = positions
    commits = Commits(commit)
    listed = nil
  }

  /// Collects the commits since a version.
  ///
  /// - Parameters:
  ///   - node: The version.
  ///   - newest: The newest version; where the links do not lead to it, not everything is known.
  ///   - unfinished: What a transaction touched that no link leads past yet.
  ///   - columns: The columns whose values are kept now. Those of images from before the table was
  ///     watched anew may be others.
  ///   - positions: See ``positions``.
  init(
    since node: VersionNode, upTo newest: VersionNode, unfinished: PreImages? = nil,
    columns: [String], positions: [Int]
  ) {
    var commits = Commits()
    let wanted = (positions.max() ?? -1) + 1
    let last = node.forEachLater { preImages in
      let isLikeNow = preImages.columns.count >= wanted && columns.starts(with: preImages.columns)
      commits.append(isLikeNow ? preImages : .unknown)
    }
    if last !== newest { commits.append(.unknown) }
    if let unfinished { commits.append(unfinished) }
    self.positions = positions
    self.commits = commits
    listed = commits.count <= Self.askedCommitLimit ? nil : FirstCommits(commits)
  }

  var commitCount: Int { commits.count }

  /// What the first commit that may have touched the row knows of it, and that commit; nil where
  /// none touched it.
  func entry(of key: RowKey) -> (PreImages.Entry, PreImages)? {
    if let listed {
      return listed.commit(touching: key).map { ($0.entry(of: key, at: positions), $0) }
    }
    for preImages in commits {
      let entry = preImages.entry(of: key, at: positions)
      if case .untouched = entry { continue }
      return (entry, preImages)
    }
    return nil
  }

  /// Whether all rows that were touched are known.
  var isComplete: Bool { commits.allSatisfy(\.isComplete) }

  /// Whether no other rows were touched than those that are known.
  var hasAllRows: Bool { isComplete && !mayLackRows }

  /// How many rows were touched, as far as known.
  var touchedCount: Int { commits.reduce(0) { $0 + $1.count } }

  /// The key of the row that was touched, as far as known, where one commit touched one.
  var onlyTouchedKey: RowKey? { commits.only?.onlyKey }

  var isEmpty: Bool { commits.allSatisfy(\.isEmpty) }

  /// Returns some of the touched keys, spread evenly over the order in which they were touched.
  func touchedKeys(about count: Int) -> [RowKey] {
    let step = max(1, touchedCount / count)
    var keys: [RowKey] = []
    var position = 0
    for preImages in commits {
      while position < preImages.count {
        keys.append(preImages.key(at: position))
        position += step
      }
      position -= preImages.count
    }
    return keys
  }

  func forEachTouchedKey(_ body: (RowKey) throws -> Void) rethrows {
    for preImages in commits { try preImages.forEachKey(body) }
  }
}

/// Commits, the oldest first.
private struct Commits: RandomAccessCollection {
  /// Apart from the others: usually there is one, and it needs no list.
  private var oldest: PreImages?
  private var others: [PreImages] = []

  init(_ oldest: PreImages? = nil) { self.oldest = oldest }

  /// The only commit; nil where there are several, or none.
  var only: PreImages? { others.isEmpty ? oldest : nil }

  var startIndex: Int { 0 }
  var endIndex: Int { oldest == nil ? 0 : others.count + 1 }

  subscript(position: Int) -> PreImages {
    if position == 0, let oldest { return oldest }
    return others[position - 1]
  }

  mutating func append(_ preImages: PreImages) {
    if oldest == nil {
      oldest = preImages
    } else {
      others.append(preImages)
    }
  }
}

/// Which of many commits touched a row first.
private struct FirstCommits {
  private var byKey: [RowKey: PreImages] = [:]
  /// The first commit of which not everything is known.
  private var unknown: PreImages?

  init(_ commits: Commits) {
    // What happened after a commit of which not everything is known does not matter.
    for preImages in commits where unknown == nil {
      for position in 0..<preImages.count where byKey[preImages.key(at: position)] == nil {
        byKey[preImages.key(at: position)] = preImages
      }
      if !preImages.isComplete { unknown = preImages }
    }
  }

  /// The commit to ask about a row; nil where none touched it.
  func commit(touching key: RowKey) -> PreImages? { byKey[key] ?? unknown }
}
