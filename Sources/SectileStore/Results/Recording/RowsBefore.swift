import SectileCore

/// What the rows of the base table were at a version: the commits since, the oldest first.
struct RowsBefore {
  /// Where the item's columns stand in an image; empty where there are no images.
  let positions: [Int]
  /// The oldest commit, apart from the others: usually there is one, and it needs no list.
  private var first: PreImages?
  private var others: [PreImages] = []
  /// The first commit that touched each row, where there are too many to ask them all.
  private var firstCommits: [RowKey: PreImages]?
  /// The first commit of which not everything is known.
  private var firstUnknown: PreImages?

  /// How many commits are asked one after the other.
  private static let askedCommitLimit = 4

  /// The past of contents that are empty.
  static let nothing = RowsBefore(first: nil)

  /// The past of rows of which nobody sees how they change.
  static let unknown = RowsBefore(first: .unknown)

  private init(first: PreImages?) {
    positions = []
    self.first = first
  }

  /// Collects the commits since a version.
  ///
  /// - Parameters:
  ///   - node: The version.
  ///   - newest: The newest version; where the links do not lead to it, not everything is known.
  ///   - unfinished: What a transaction touched that no link leads past yet.
  ///   - positions: See ``positions``.
  init(
    since node: VersionNode, upTo newest: VersionNode, unfinished: PreImages? = nil,
    positions: [Int]
  ) {
    self.positions = positions
    let last = node.forEachLater { append($0) }
    if last !== newest { append(.unknown) }
    if let unfinished { append(unfinished) }
    if commitCount > Self.askedCommitLimit { listFirstCommits() }
  }

  private mutating func append(_ images: PreImages) {
    if first == nil {
      first = images
    } else {
      others.append(images)
    }
  }

  private mutating func listFirstCommits() {
    var commits: [RowKey: PreImages] = [:]
    // What happened after a commit of which not everything is known does not matter.
    for images in [first].compactMap(\.self) + others where firstUnknown == nil {
      for position in 0..<images.count where commits[images.key(at: position)] == nil {
        commits[images.key(at: position)] = images
      }
      if !images.isComplete { firstUnknown = images }
    }
    firstCommits = commits
  }

  var commitCount: Int { first == nil ? 0 : others.count + 1 }

  /// What the first commit that may have touched the row knows of it, and that commit; nil where none
  /// touched it.
  func finding(_ key: RowKey) -> (PreImages.Finding, PreImages)? {
    if let firstCommits {
      return (firstCommits[key] ?? firstUnknown).map { ($0.finding(key), $0) }
    }
    guard let first else { return nil }
    let finding = first.finding(key)
    guard case .untouched = finding else { return (finding, first) }
    for images in others {
      let finding = images.finding(key)
      if case .untouched = finding { continue }
      return (finding, images)
    }
    return nil
  }

  /// Whether all rows that were touched are known.
  var isComplete: Bool { first?.isComplete ?? true && others.allSatisfy(\.isComplete) }

  /// How many rows were touched, as far as known.
  var touchedCount: Int { (first?.count ?? 0) + others.reduce(0) { $0 + $1.count } }

  /// The key of the row that was touched first, as far as known.
  var firstTouchedKey: RowKey? {
    if let first, first.count > 0 { return first.key(at: 0) }
    return others.first { $0.count > 0 }?.key(at: 0)
  }

  var isEmpty: Bool { first?.isEmpty ?? true && others.allSatisfy(\.isEmpty) }

  /// Returns some of the touched keys, spread evenly over the order in which they were touched.
  func touchedKeys(about count: Int) -> [RowKey] {
    let step = max(1, touchedCount / count)
    var keys: [RowKey] = []
    var position = 0
    for images in [first].compactMap(\.self) + others {
      while position < images.count {
        keys.append(images.key(at: position))
        position += step
      }
      position -= images.count
    }
    return keys
  }

  func forEachTouchedKey(_ body: (RowKey) throws -> Void) rethrows {
    try first?.forEachKey(body)
    for images in others { try images.forEachKey(body) }
  }
}
