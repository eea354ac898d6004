import SectileCore

/// What one commit, or one load, means for the contents of a plan, without a word about the type of
/// its items.
///
/// Rows are named by key and path, so that results of equal plans and items can share it. It is an
/// object because it passes through many hands, and copying a reference costs less than copying its
/// lists.
final class PlanChange: Sendable {
  /// How the contents get from the version before to the one after.
  ///
  /// Most are of one row: the others are indirect, so that to look at one copies little.
  enum Contents: Sendable {
    /// One row comes, goes, moves or has other values, and all sections stay.
    case oneRow(PlanTransition)
    indirect case edited(ContentsEdits, Rows)
    indirect case replaced(PlanContents, Rows)
    /// The contents before are the beginning of those after; at most of the first rows the items
    /// were read.
    indirect case grown(PlanContents, from: Growth, read: [PlanTransition])
  }

  /// What became of rows and sections.
  struct Rows: Sendable {
    let sectionChanges: SectionChanges
    let rows: [PlanTransition]
    /// What each of the rows is to the changeset.
    let kinds: RowClassification
    /// What changed of the aggregates of all rows.
    var contentsUpdate: ContentsUpdate?

    var isSilent: Bool { sectionChanges.isSilent && kinds.isSilent }
  }

  /// How far the contents before reached.
  struct Growth: Sendable {
    let rowCount: Int
    let sectionCount: Int
    /// What changed of the aggregates of all rows.
    let contentsUpdate: ContentsUpdate?
  }

  let contents: Contents
  /// The items that were read for it.
  let items: any ItemSink

  init(_ contents: Contents, items: any ItemSink) {
    self.contents = contents
    self.items = items
  }

  /// Whether nobody need hear of it: a sort key changed and moved nothing.
  var isSilent: Bool {
    switch contents {
    case .oneRow(let row): row.source == row.target && !row.isContentChanged
    case .edited(_, let rows), .replaced(_, let rows):
      rows.isSilent && rows.contentsUpdate == nil
    case .grown(let after, let growth, _):
      after.count == growth.rowCount && after.index.sectionCount == growth.sectionCount
        && growth.contentsUpdate == nil
    }
  }

  /// Whether the contents after are kept as a whole, and items are read from them later.
  var isWhole: Bool {
    switch contents {
    case .oneRow, .edited: false
    case .replaced, .grown: true
    }
  }

  /// How many rows were looked at.
  var rowCount: Int {
    switch contents {
    case .oneRow: 1
    case .edited(_, let rows), .replaced(_, let rows): rows.rows.count
    case .grown(_, _, let rows): rows.count
    }
  }

  /// The rows that were looked at.
  var rows: [PlanTransition] {
    switch contents {
    case .oneRow(let row): [row]
    case .edited(_, let rows), .replaced(_, let rows): rows.rows
    case .grown(_, _, let rows): rows
    }
  }

  /// The row that has a key; nil where it was not looked at.
  func row(_ key: RowKey) -> PlanTransition? {
    // One row needs no list.
    if case .oneRow(let row) = contents { return row.key == key ? row : nil }
    return rows.first { $0.key == key }
  }

  func apply(to contents: inout PlanContents) {
    switch self.contents {
    case .oneRow(let row): contents.apply(row)
    case .edited(let edits, _): contents.apply(edits)
    case .replaced(let replacement, _), .grown(let replacement, _, _): contents = replacement
    }
  }
}

extension PlanChange.Rows {
  /// Describes the only row of a change in which all sections stay.
  init(_ row: PlanTransition) {
    self.init(sectionChanges: .none, rows: [row], kinds: RowClassification(of: row.touchedRow))
  }
}

/// A touched row: where it was, where it is, and what of it changed.
struct PlanTransition: Sendable {
  let key: RowKey
  let source: ItemPath?
  let target: ItemPath?
  let isContentChanged: Bool
  var before: RowFingerprint?
  var after: RowFingerprint?
  /// The position of the row's item among those that were read; nil where it was not read.
  var item: Int?

  /// The row, if it was there before and is there after.
  var kept: KeptRow? {
    guard let source, let target else { return nil }
    return KeptRow(
      source: source, target: target, isContentChanged: isContentChanged, before: before,
      after: after)
  }

  var touchedRow: TouchedRow {
    TouchedRow(source: source, target: target, isContentChanged: isContentChanged)
  }
}

/// A small change of ``PlanContents``.
struct ContentsEdits: Sendable {
  /// A row that is new, or whose values changed.
  struct Row: Sendable {
    let key: RowKey
    /// Where to put the row; nil for a row that stays where it is.
    let path: ItemPath?
    let content: UInt64
    let order: UInt64
  }

  /// Rows that are gone for good.
  var removedKeys: [RowKey] = []
  var rows: [Row] = []
  /// What happens to the index, but for the rows put in: these have no handle yet.
  var index = IndexEdits()
  /// What is worked out from all rows after them; nil where that stays.
  var aggregates: AggregateValues?
}

extension PlanContents {
  /// Carries out what happens to one row, while all sections stay.
  ///
  /// - Complexity: O(log n), while the storage is not shared.
  mutating func apply(_ row: PlanTransition) {
    guard let target = row.target else {
      if let handle = keys.handle(of: row.key) { keys.remove(handle) }
      if let source = row.source { index.removeRow(at: source) }
      return
    }
    let handle = keys.insert(row.key).handle
    if content != nil { content?[handle] = row.after?.content ?? RowDigest.unknown }
    if order != nil { order?[handle] = row.after?.order ?? RowDigest.unknown }
    switch row.source {
    case target?: break
    case let source? where source.section == target.section:
      index.moveRow(at: source, to: target.item)
    case let source:
      if let source { index.removeRow(at: source) }
      index.insertRow(handle, at: target)
    }
  }

  /// Carries out a change.
  ///
  /// - Complexity: O(c · log n) for c changed rows, while the storage is not shared.
  mutating func apply(_ edits: ContentsEdits) {
    for key in edits.removedKeys {
      if let handle = keys.handle(of: key) { keys.remove(handle) }
    }
    var indexEdits = edits.index
    for row in edits.rows {
      let handle = keys.insert(row.key).handle
      if content != nil { content?[handle] = row.content }
      if order != nil { order?[handle] = row.order }
      if let path = row.path {
        indexEdits.insertedRows.append(IndexEdits.Row(path: path, handle: handle))
      }
    }
    indexEdits.insertedRows.sort { $0.path < $1.path }
    index.apply(indexEdits)
    if let aggregates = edits.aggregates { index.aggregates = aggregates }
  }
}
