/// Keeps the old rows of a table's commits within a limit, by dropping the oldest.
///
/// Not every commit is remembered, only one every megabyte: the versions behind it are found along
/// the links.
struct ImageBudget {
  /// How many bytes of old rows are kept of one table, for all snapshots together.
  static let byteLimit = 64 << 20
  /// How many bytes of old rows lie behind one mark before the next one is set.
  private static let markDistance = 1 << 20

  /// A version, and the old rows of the commits from it to that of the next mark.
  private struct Mark {
    weak var node: VersionNode?
    var byteCount: Int
  }

  private var marks: [Mark] = []
  private var byteCount = 0

  /// Counts the old rows of one more commit, and drops what is too much.
  ///
  /// - Parameters:
  ///   - added: How many bytes they are.
  ///   - node: The version before the commit.
  mutating func add(_ added: Int, since node: VersionNode) {
    // Named by its position: a copy of a mark would be one more weak reference.
    let last = marks.count - 1
    if last >= 0, max(marks[last].byteCount, added) < Self.markDistance {
      marks[last].byteCount += added
    } else {
      marks.append(Mark(node: node, byteCount: added))
    }
    byteCount += added
    if byteCount > Self.byteLimit { makeRoom() }
  }

  /// Forgets what nobody reads any more, then drops the oldest rows that somebody still may.
  private mutating func makeRoom() {
    marks.removeAll { $0.node == nil }
    byteCount = marks.reduce(0) { $0 + $1.byteCount }
    var dropped = 0
    while byteCount > Self.byteLimit, dropped < marks.count - 1 {
      marks[dropped].node?.dropImages(before: marks[dropped + 1].node)
      byteCount -= marks[dropped].byteCount
      dropped += 1
    }
    marks.removeFirst(dropped)
  }
}
