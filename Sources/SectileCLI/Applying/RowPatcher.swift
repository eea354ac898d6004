internal import Sectile

/// Carries out the changes of one table as `sectile diff` writes them, each after a look whether
/// the row still is what it was.
///
/// Rows may take each other's unique values, in any order: what does not fit yet waits for the end
/// of the table. There all such rows go before the first comes.
final class RowPatcher {
  private enum Waiting {
    case insert(id: [ExactValue], PatchRow)
    case update(id: [ExactValue], PatchRow)

    var id: [ExactValue] {
      switch self {
      case .insert(let id, _), .update(let id, _): id
      }
    }
  }

  let table: TargetTable
  private let policy: ConflictPolicy
  private let conflict: (_ text: String) throws -> Void
  private let connection: InspectionConnection
  private var waiting: [Waiting] = []
  /// What was done so far.
  private(set) var summary = ApplySummary()
  /// How many lines of each kind there were.
  private(set) var lineCounts = (deletes: 0, inserts: 0, updates: 0)

  /// Creates a patcher.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - policy: What to do about conflicts.
  ///   - connection: The table's connection.
  ///   - conflict: Hears of each conflict.
  init(
    _ table: TargetTable, policy: ConflictPolicy, on connection: InspectionConnection,
    conflict: @escaping (_ text: String) throws -> Void
  ) {
    self.table = table
    self.policy = policy
    self.connection = connection
    self.conflict = conflict
  }

  /// Deletes a row.
  func delete(_ id: [ExactValue], _ row: PatchRow) throws {
    lineCounts.deletes += 1
    guard let problem = try problem(id, try table.writable(row)) else {
      try table.delete(id)
      return summary.deletedCount += 1
    }
    try report(id, "cannot be deleted: \(problem)")
    if policy == .force, try table.delete(id) { summary.deletedCount += 1 }
  }

  /// Inserts a row.
  func insert(_ id: [ExactValue], _ row: PatchRow) throws {
    lineCounts.inserts += 1
    let row = try table.writable(row, id: id)
    guard try table.values(of: id, []) == nil else {
      try report(id, "cannot be inserted: it is there already")
      if policy == .force { try changeNow(id, row) }
      return
    }
    try attempt(.insert(id: id, row)) {
      try table.insert(row)
      summary.insertedCount += 1
    }
  }

  /// Gives a row other values.
  func update(_ id: [ExactValue], _ before: PatchRow, _ after: PatchRow) throws {
    lineCounts.updates += 1
    let after = try table.writable(after)
    if let problem = try problem(id, try table.writable(before)) {
      try report(id, "cannot be updated: \(problem)")
      guard policy == .force, try table.values(of: id, []) != nil else { return }
    }
    try changeNow(id, after)
  }

  /// Carries out what waited.
  func finish() throws {
    if waiting.isEmpty { return }
    var rows: [(Waiting, PatchRow)] = []
    for change in waiting {
      switch change {
      case .insert(_, let row): rows.append((change, row))
      case .update(let id, let new):
        guard let values = try table.values(of: id, table.columns) else { continue }
        var row = PatchRow(names: table.columns, values: values)
        row.merge(new)
        rows.append((change, row))
      }
    }
    waiting = []
    try connection.run("SAVEPOINT sectile_rows") { _ in }
    for case (.update(let id, _), _) in rows { try table.delete(id) }
    let own = Set(rows.map(\.0.id))
    var removed: [(id: [ExactValue], for: [ExactValue])] = []
    var isFitting = true
    for (change, row) in rows {
      do {
        if policy == .force {
          removed += try table.insert(row, keeping: own).map { ($0, change.id) }
        } else {
          try table.insert(row)
        }
      } catch let error as StoreError where error.isConstraint {
        try report(change.id, "does not fit: \(error.plainText)")
        isFitting = false
      }
    }
    // Where one does not fit, those that change places with it do not either.
    if !isFitting { try connection.run("ROLLBACK TO sectile_rows") { _ in } }
    try connection.run("RELEASE sectile_rows") { _ in }
    guard isFitting else { return }
    for (id, other) in removed {
      try report(id, "is deleted: it has unique values of \(table.text(of: other))")
    }
    summary.deletedCount += removed.count
    for (change, _) in rows {
      if case .insert = change { summary.insertedCount += 1 } else { summary.updatedCount += 1 }
    }
  }

  // MARK: - Single changes

  private func changeNow(_ id: [ExactValue], _ row: PatchRow) throws {
    try attempt(.update(id: id, row)) {
      try table.update(id, to: row)
      summary.updatedCount += 1
    }
  }

  /// Tries a change; one that collides with another row waits.
  private func attempt(_ change: Waiting, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as StoreError where error.code == .uniqueConstraint {
      waiting.append(change)
    } catch let error as StoreError where error.isConstraint {
      try report(change.id, "does not fit: \(error.plainText)")
    }
  }

  /// Returns why a row is not what a patch expects; nil where it is.
  private func problem(_ id: [ExactValue], _ expected: PatchRow) throws -> String? {
    guard let values = try table.values(of: id, expected.names) else { return "it is not there" }
    for (place, name) in expected.names.enumerated()
    where !values[place].isSame(as: expected.values[place]) {
      return "\(name) is \(Self.text(values[place])), not \(Self.text(expected.values[place]))"
    }
    return nil
  }

  private static func text(_ value: ExactValue) -> String {
    let text = ValueText.json(value)
    return text.utf8.count > 60 ? String(text.unicodeScalars.prefix(60)) + "…" : text
  }

  private func report(_ id: [ExactValue], _ text: String) throws {
    summary.conflictCount += 1
    try conflict("\(table.text(of: id)) \(text)")
  }
}
