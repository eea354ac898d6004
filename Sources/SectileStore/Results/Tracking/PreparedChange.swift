import SectileCore

/// What one commit means for one results object, worked out before the commit and carried out when
/// its turn of delivery comes.
struct PreparedChange<Item: Identifiable & Sendable>: Sendable where Item.ID: EntityKey {
  /// How the contents get from the version before to the one after.
  enum Contents: Sendable {
    case edited(ContentsEdits)
    case replaced(PlanContents)
  }

  let contents: Contents
  let changes: Changeset<Item.ID, Item>
  /// The version of the database the contents after belong to.
  let node: VersionNode
  /// Rows whose items of the version before no longer hold, and what they are now where that is
  /// known.
  let items: [RowKey: Item?]

  func apply(to contents: inout PlanContents) {
    switch self.contents {
    case .edited(let edits): contents.apply(edits)
    case .replaced(let replacement): contents = replacement
    }
  }
}

/// A small change of ``PlanContents``.
struct ContentsEdits: Sendable {
  /// A row that is new, or whose values changed.
  struct Row: Sendable {
    let key: RowKey
    /// The row's handle before; nil for a row that is new.
    let handle: Int32?
    let fingerprint: RowFingerprint
    /// Where to put the row; nil for a row that stays where it is.
    let path: ItemPath?
  }

  /// Rows that are gone for good.
  var removedHandles: [Int32] = []
  var rows: [Row] = []
  /// What happens to the index, but for the rows put in: these have no handle yet.
  var index = IndexEdits()
}

extension PlanContents {
  /// Carries out a change.
  ///
  /// - Complexity: O(c · log n) for c changed rows, while the storage is not shared.
  mutating func apply(_ edits: ContentsEdits) {
    for handle in edits.removedHandles { keys.remove(handle) }
    var indexEdits = edits.index
    for row in edits.rows {
      let handle = row.handle ?? keys.insert(row.key).handle
      setFingerprint(row.fingerprint, of: handle)
      if let path = row.path {
        indexEdits.insertedRows.append(IndexEdits.Row(path: path, handle: handle))
      }
    }
    indexEdits.insertedRows.sort { $0.path < $1.path }
    index.apply(indexEdits)
  }
}
