internal import Sectile

/// Brings a table to the contents that the lines of `sectile watch` tell.
///
/// The lines say what rows are, not what they were: a row becomes what it is told to be, whether it
/// was there or not. After a `start` the rows that are not in the first contents go.
final class StreamPatcher {
  private static let seen = "temp.sectile_seen"

  /// The table.
  let table: TargetTable

  private let policy: ConflictPolicy
  private let connection: InspectionConnection
  private let conflict: (_ text: String) throws -> Void
  /// Rows that collide with rows whose change is still to come, by their keys.
  private var waiting: [[ExactValue]: PatchRow] = [:]
  private var seenCount = 0
  /// Whether the first contents are not complete.
  private(set) var isStarting = true
  /// What was done in this transaction.
  private(set) var summary = ApplySummary()

  /// Creates a patcher, at the beginning of the contents.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - policy: What to do about rows that have unique values of others.
  ///   - connection: The table's connection.
  ///   - conflict: Hears of each row that does not fit.
  init(
    _ table: TargetTable, policy: ConflictPolicy, on connection: InspectionConnection,
    conflict: @escaping (_ text: String) throws -> Void
  ) {
    self.table = table
    self.policy = policy
    self.connection = connection
    self.conflict = conflict
  }

  /// Begins a transaction: counts from zero.
  func begin() throws {
    summary = ApplySummary()
    guard isStarting else { return }
    let schema = try TableSchema(of: table.name, in: connection)
    let columns = table.key.enumerated().map { position, name in
      // With the type of the table's own column, so that an index can be used for both.
      let type = schema?.columns.first { $0.name.lowercased() == name.lowercased() }?.declaredType
      return "k\(position) \(type.map { $0.isEmpty ? "" : SQLName.quote($0) } ?? "INTEGER")"
    }
    let names = table.key.indices.map { "k\($0)" }.joined(separator: ", ")
    try connection.run("DROP TABLE IF EXISTS \(Self.seen)") { _ in }
    try connection.run(
      "CREATE TABLE \(Self.seen) (\(columns.joined(separator: ", ")), UNIQUE (\(names)))"
    ) { _ in }
    seenCount = 0
    marking = try connection.prepare(
      "INSERT OR IGNORE INTO \(Self.seen) VALUES (\(table.key.map { _ in "?" }.joined(separator: ", ")))"
    )
  }

  private var marking: InspectionStatement?

  /// Carries out a change.
  ///
  /// - Parameters:
  ///   - deletes: The keys of rows that are gone.
  ///   - rows: The rows that are new or other ones.
  ///   - isComplete: Whether the contents are whole now.
  /// - Throws: ``CommandFailure`` for a column that is not there; ``StoreError``.
  func apply(
    deletes: [[ExactValue]], rows: [PatchLine.StreamRow], isComplete: Bool
  ) throws {
    for id in deletes {
      waiting[id] = nil
      if try table.delete(id) { summary.deletedCount += 1 }
    }
    for row in rows {
      if isStarting {
        seenCount += 1
        try marking?.runExactly(row.id)
      }
      // A row that was overwritten before it was read comes with the next change.
      if let item = row.item { try change(row.id, try table.writable(item, id: row.id)) }
    }
    if isComplete && !isStarting { try bringWaiting() }
  }

  /// Ends a transaction.
  ///
  /// - Parameter rowCount: How many rows there are to be.
  /// - Throws: ``StoreError``.
  func finish(rowCount: Int) throws {
    if isStarting {
      // A watch that tells changes only leaves the first contents out.
      if seenCount >= rowCount { try removeUnseen() }
      marking = nil
      try connection.run("DROP TABLE \(Self.seen)") { _ in }
    }
    try bringWaiting()
    isStarting = false
  }

  private func change(_ id: [ExactValue], _ row: PatchRow) throws {
    waiting[id] = nil
    do {
      guard let values = try table.values(of: id, row.names) else {
        try table.insert(row)
        return summary.insertedCount += 1
      }
      if zip(values, row.values).allSatisfy({ $0.isSame(as: $1) }) { return }
      try table.update(id, to: row)
      summary.updatedCount += 1
    } catch let error as StoreError where error.code == .uniqueConstraint {
      waiting[id] = row
    } catch let error as StoreError where error.isConstraint {
      try report(id, error)
    }
  }

  private func removeUnseen() throws {
    let conditions = table.key.enumerated().map { position, name in
      "seen.k\(position) IS \(SQLName.quote(table.name)).\(SQLName.quote(name))"
    }
    try connection.run(
      "DELETE FROM \(SQLName.table(table.name)) WHERE NOT EXISTS "
        + "(SELECT 1 FROM \(Self.seen) AS seen WHERE \(conditions.joined(separator: " AND ")))"
    ) { _ in }
    // Without what triggers of a change log have written.
    summary.deletedCount += connection.lastChangeCount
  }

  /// A row that was told, and collided with another one.
  private struct WaitingRow {
    let id: [ExactValue]
    let row: PatchRow
    let isThere: Bool
  }

  private func bringWaiting() throws {
    var rows: [WaitingRow] = []
    for (id, new) in waiting {
      var row = PatchRow()
      let old = try table.values(of: id, table.columns)
      if let old { row = PatchRow(names: table.columns, values: old) }
      row.merge(new)
      rows.append(WaitingRow(id: id, row: row, isThere: old != nil))
    }
    waiting = [:]
    // A row that does not fit stays as it was; the others are tried without it.
    while !rows.isEmpty, let misfit = try bring(rows) {
      try report(rows[misfit.place].id, misfit.error)
      rows.remove(at: misfit.place)
    }
  }

  /// Brings rows that take each other's unique values: all go before the first comes.
  ///
  /// - Returns: The first that does not fit, with all rows as they were before; nil where all fit.
  private func bring(_ rows: [WaitingRow]) throws -> (place: Int, error: StoreError)? {
    try connection.run("SAVEPOINT sectile_rows") { _ in }
    for row in rows where row.isThere { try table.delete(row.id) }
    let own = Set(rows.map(\.id))
    var removed: [(id: [ExactValue], for: [ExactValue])] = []
    for (place, row) in rows.enumerated() {
      do {
        if policy == .force {
          removed += try table.insert(row.row, keeping: own).map { ($0, row.id) }
        } else {
          try table.insert(row.row)
        }
      } catch let error as StoreError where error.isConstraint {
        try connection.run("ROLLBACK TO sectile_rows; RELEASE sectile_rows") { _ in }
        return (place, error)
      }
    }
    try connection.run("RELEASE sectile_rows") { _ in }
    let oldCount = rows.count(where: \.isThere)
    summary.updatedCount += oldCount
    summary.insertedCount += rows.count - oldCount
    summary.deletedCount += removed.count
    summary.conflictCount += removed.count
    for (id, other) in removed {
      let others = table.text(of: other)
      try conflict("\(table.text(of: id)) is deleted: it has unique values of \(others)")
    }
    return nil
  }

  private func report(_ id: [ExactValue], _ error: StoreError) throws {
    summary.conflictCount += 1
    try conflict("\(table.text(of: id)) does not fit: \(error.plainText)")
  }
}
