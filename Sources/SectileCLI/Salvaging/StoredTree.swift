internal import Sectile

/// A table or an index of a file, and where its tree begins.
struct StoredTree {
  /// The name of the table or index.
  let name: String
  /// Its first page.
  let root: Int
  /// Whether its tree is ordered by row ids.
  let hasRowIDs: Bool
  /// Whether it is an index, which is made anew.
  let isIndex: Bool
  /// What its records look like; nil where nobody knows.
  let shape: RecordShape?

  /// The schema's own table.
  static let schema = StoredTree(
    name: "sqlite_schema", root: 1, hasRowIDs: true, isIndex: false, shape: nil)

  /// Reads which trees a file has.
  ///
  /// - Parameter source: The file.
  /// - Returns: The trees, the schema's own first.
  /// - Throws: ``StoreError`` where the schema cannot be read.
  static func all(in source: InspectionConnection) throws(StoreError) -> [StoredTree] {
    let rows = try source.schemaRows(
      """
      SELECT type, name, rootpage,
        (SELECT count(*) FROM pragma_index_xinfo(entry.name, 'main'))
      FROM main.sqlite_schema AS entry
      WHERE type IN ('table', 'index') AND typeof(rootpage) = 'integer' AND rootpage > 0
      ORDER BY rowid
      """, [])
    var trees = [schema]
    for row in rows {
      guard case .text(let type) = row[0], case .text(let name) = row[1],
        case .integer(let root) = row[2], case .integer(let count) = row[3]
      else { continue }
      if type == "index" {
        trees.append(
          StoredTree(
            name: name, root: Int(root), hasRowIDs: false, isIndex: true,
            shape: RecordShape(ofIndexWith: Int(count))))
        continue
      }
      let table = try? TableSchema(of: name, in: source)
      var shape: RecordShape?
      if let table { shape = try? RecordShape(of: table, in: source) }
      trees.append(
        StoredTree(
          name: name, root: Int(root), hasRowIDs: table?.listing.isWithoutRowID != true,
          isIndex: false, shape: shape))
    }
    return trees
  }
}

/// A leaf with rows.
struct StoredLeaf {
  /// The number of its page.
  let page: Int
  /// The row id behind which its rows are; nil where none is known.
  var above: Int64?
  /// The last row id that it may have.
  var upTo: Int64?
  /// The row ids on it, from the first to the last; nil in trees without row ids.
  var rowIDs: ClosedRange<Int64>?
  /// Whether some of the page makes no sense.
  var isDamaged = false
  /// Whether no readable page leads to it.
  var isStray = false
  /// Whether something before it is damaged.
  var followsHole = false
}

/// What is left of a tree.
struct StoredParts {
  /// One part, in the order of the tree.
  enum Part {
    /// A leaf.
    case leaf(StoredLeaf)
    /// A row on a page that leads to others.
    case row(page: Int, position: Int)
    /// What is damaged; the row ids between which it is, where the tree has some.
    case hole(above: Int64?, upTo: Int64?)
  }

  /// The parts.
  var parts: [Part] = []
  /// Whether all of it is there, so that SQLite reads it as it was written.
  var isWhole = true

  /// Whether something is damaged that may have led to pages.
  var hasHoles: Bool {
    parts.contains { if case .hole = $0 { true } else { false } }
  }

  /// The leaves of a tree by row ids, in their order, and whether something behind is damaged.
  var leavesByRowID: (leaves: [StoredLeaf], endsWithHole: Bool) {
    var leaves: [StoredLeaf] = []
    var isBehindHole = false
    for part in parts {
      switch part {
      case .leaf(let leaf) where leaf.isStray: leaves.append(leaf)
      case .leaf(var leaf):
        leaf.followsHole = isBehindHole
        isBehindHole = false
        leaves.append(leaf)
      case .hole: isBehindHole = true
      case .row: continue
      }
    }
    leaves.sort { ($0.rowIDs?.lowerBound ?? .min) < ($1.rowIDs?.lowerBound ?? .min) }
    return (leaves, isBehindHole)
  }
}
