import SectileCore

/// What one commit, or one load, means for the contents of a plan, without a word about the type of
/// its items.
///
/// Rows are named by key and path, so that results of equal plans and items can share it. It is an object
/// because it passes through many hands, and copying a reference costs less than copying its lists.
final class PlanChange: Sendable {
  /// How the contents get from the version before to the one after.
  enum Contents: Sendable {
    case edited(ContentsEdits)
    /// One row of a section that stays comes, goes, moves or has other values.
    case oneRow(ContentsEdits.OneRow)
    case replaced(PlanContents)
    /// The contents before are the beginning of those after.
    case grown(PlanContents, from: Growth)
  }

  /// How far the contents before reached.
  struct Growth: Sendable {
    let rowCount: Int
    let sectionCount: Int
  }

  let contents: Contents
  let sectionChanges: SectionChanges
  let rows: [PlanTransition]
  /// What each of the rows is to the changeset; nothing where ``contents`` has grown.
  let kinds: RowClassification
  /// The items that were read for it.
  let items: any ItemSink

  init(
    contents: Contents, sectionChanges: SectionChanges, rows: [PlanTransition],
    kinds: RowClassification, items: any ItemSink
  ) {
    self.contents = contents
    self.sectionChanges = sectionChanges
    self.rows = rows
    self.kinds = kinds
    self.items = items
  }

  /// Whether nobody need hear of it: a sort key changed and moved nothing.
  var isQuiet: Bool {
    if case .grown(let after, let growth) = contents {
      return after.count == growth.rowCount && after.index.sectionCount == growth.sectionCount
    }
    return sectionChanges.isSilent && kinds.isSilent
  }

  /// Whether the contents after are kept as a whole, and items are read from them later.
  var isWhole: Bool {
    switch contents {
    case .edited, .oneRow: false
    case .replaced, .grown: true
    }
  }

  /// Returns the same change to other contents.
  func leading(to contents: Contents) -> PlanChange {
    PlanChange(
      contents: contents, sectionChanges: sectionChanges, rows: rows, kinds: kinds, items: items)
  }

  func apply(to contents: inout PlanContents) {
    switch self.contents {
    case .edited(let edits): contents.apply(edits)
    case .oneRow(let edit): contents.apply(edit)
    case .replaced(let replacement), .grown(let replacement, _): contents = replacement
    }
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

  /// What happens to the only row of a change.
  struct OneRow: Sendable {
    let key: RowKey
    /// The path that the row leaves; nil for a row that is new, or stays where it is.
    let removed: ItemPath?
    /// The path at which the row is put in; nil for a row that is gone, or stays where it is.
    let inserted: ItemPath?
    /// The digests of the row; nil where it is gone.
    let digests: RowFingerprint?
  }

  /// Rows that are gone for good.
  var removedKeys: [RowKey] = []
  var rows: [Row] = []
  /// What happens to the index, but for the rows put in: these have no handle yet.
  var index = IndexEdits()
}

extension PlanContents {
  /// Carries out what happens to one row.
  ///
  /// - Complexity: O(log n), while the storage is not shared.
  mutating func apply(_ edit: ContentsEdits.OneRow) {
    guard let digests = edit.digests else {
      if let handle = keys.handle(of: edit.key) { keys.remove(handle) }
      if let path = edit.removed { index.removeRow(at: path) }
      return
    }
    let handle = keys.insert(edit.key).handle
    if content != nil { content?[handle] = digests.content }
    if order != nil { order?[handle] = digests.order }
    if let source = edit.removed, let target = edit.inserted, source.section == target.section {
      return index.moveRow(at: source, to: target.item)
    }
    if let path = edit.removed { index.removeRow(at: path) }
    if let path = edit.inserted { index.insertRow(handle, at: path) }
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
  }
}
