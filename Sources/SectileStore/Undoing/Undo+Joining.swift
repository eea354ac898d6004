import SectileCore

extension Store.Undo {
  /// Joins what takes back several transactions to what takes them back as if they had been one.
  ///
  /// A row that several of them changed is what the last one left, and becomes what it was before
  /// the first one: what it was in between is not written.
  ///
  /// - Parameter undos: What takes them back, in the order of the transactions.
  /// - Throws: ``StoreError``: `editConflict` where somebody else changed a row between two of the
  ///   transactions that changed it; `notUndoable` where a table was altered between them.
  /// - Complexity: O(*n*) for *n* rows.
  init(joining undos: [Store.Undo]) throws(StoreError) {
    if undos.count == 1 {
      self = undos[0]
      return
    }
    var joinedTables: [JoinedChanges] = []
    var tableNumbers: [String: Int] = [:]
    for changes in undos.flatMap(\.tables) {
      let name = changes.rows.table
      let number = tableNumbers[name] ?? joinedTables.count
      if number == joinedTables.count {
        tableNumbers[name] = number
        joinedTables.append(JoinedChanges(of: changes.rows, calling: name))
      }
      try joinedTables[number].add(changes)
    }
    var joinedIndexes: [(index: FullTextIndex, rows: JoinedChanges)] = []
    var indexNumbers: [FullTextIndex: Int] = [:]
    for changes in undos.flatMap(\.indexes) {
      let index = changes.index
      let number = indexNumbers[index] ?? joinedIndexes.count
      if number == joinedIndexes.count {
        indexNumbers[index] = number
        joinedIndexes.append(
          (index, JoinedChanges(of: changes.rows.rows, calling: index.name)))
      }
      try joinedIndexes[number].rows.add(changes.rows)
    }
    let tables = joinedTables.map(\.changes.withoutEqualRows).filter { !$0.changes.isEmpty }
    let indexes = joinedIndexes.map { index, rows in
      // As where one transaction is recorded: other texts may be of the same size, if there are
      // other texts.
      let keepsEqualRows = index.texts != .own && !tables.isEmpty
      let changes = rows.changes
      return FullTextChanges(
        index: index,
        rows: keepsEqualRows ? changes.withoutMissingRows : changes.withoutEqualRows)
    }
    self.init(
      tables: tables, indexes: indexes.filter { !$0.rows.changes.isEmpty },
      sequences: Self.sequences(of: undos))
  }

  /// Joins what tables with AUTOINCREMENT have given away.
  ///
  /// Numbers that others were given in between are not given again: what was there before them is
  /// not put back.
  private static func sequences(of undos: [Store.Undo]) -> [AutoincrementState.Change] {
    var joined: [Int64: AutoincrementState.Change] = [:]
    for change in undos.reversed().flatMap(\.sequences) {
      guard let later = joined[change.rowID] else {
        joined[change.rowID] = change
        continue
      }
      guard change.after == later.before else { continue }
      joined[change.rowID] = AutoincrementState.Change(
        rowID: change.rowID, before: change.before, after: later.after)
    }
    return joined.values.filter { $0.before != $0.after }.sorted { $0.rowID < $1.rowID }
  }
}

/// What several transactions did to the rows of one table, one after another.
private struct JoinedChanges {
  private let rows: WholeRows
  /// What messages call the table.
  private let name: String
  private var joined: [TableChanges.Change] = []
  private var positions: [RowKey: Int] = [:]
  private var bytes: [UInt8] = []

  init(of rows: WholeRows, calling name: String) { (self.rows, self.name) = (rows, name) }

  /// What all of them did; a row that is what it was is still among them.
  var changes: TableChanges { TableChanges(rows: rows, changes: joined, bytes: bytes) }

  /// Adds what the next one did.
  mutating func add(_ later: TableChanges) throws(StoreError) {
    guard later.rows == rows else { throw .alteredTable(name) }
    let start = bytes.count
    bytes += later.bytes
    func shifted(_ row: Range<Int>?) -> Range<Int>? {
      row.map { $0.lowerBound + start..<$0.upperBound + start }
    }
    for change in later.changes {
      let (before, after) = (shifted(change.before), shifted(change.after))
      guard let position = positions[change.key] else {
        positions[change.key] = joined.count
        joined.append(TableChanges.Change(key: change.key, before: before, after: after))
        continue
      }
      let former = joined[position]
      guard isSame(former.after, before) else {
        throw .undoConflict(table: name, key: change.key)
      }
      joined[position] = TableChanges.Change(
        key: change.key, before: former.before, after: after)
    }
  }

  private func isSame(_ left: Range<Int>?, _ right: Range<Int>?) -> Bool {
    guard let left, let right else { return left == right }
    return bytes[left] == bytes[right]
  }
}

extension TableChanges {
  /// These changes without rows that there were neither before nor afterwards.
  fileprivate var withoutMissingRows: TableChanges {
    TableChanges(
      rows: rows, changes: changes.filter { $0.before != nil || $0.after != nil }, bytes: bytes)
  }
}
