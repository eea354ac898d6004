internal import FoundationEssentials
internal import SectileCore
internal import SectileHub

/// What a hub in memory has, and how it changes.
struct InMemoryHubState {
  /// A row before and after a change.
  struct RowChange {
    let table: String
    let old: [StoredValue]?
    let new: [StoredValue]?
    var isTruncation = false
  }

  struct Entry {
    let position: HubPosition
    let changes: [RowChange]
    let controlRecords: HubControlRecords
  }

  struct Slot {
    var name: String
    var confirmed: HubPosition
    var lostBecause: String?
  }

  struct Performed {
    let mutation: Mutation
    let outcome: MutationResult
  }

  var tables: [SyncedTable]
  var rows: [String: [[StoredValue]: [StoredValue]]] = [:]
  var log: [Entry] = []
  var position = HubPosition(byteCount: 1_000)
  var slots: [String: Slot] = [:]
  /// The mutations of each client, with what became of them.
  var clients: [String: [Performed]] = [:]
  /// The last key that was made of each table.
  var lastKeys: [String: Int64] = [:]
  var versions: ClosedRange<Int>?
  var timeline: UInt32 = 1
  var lastSlot = 0
  var faults = InMemoryHubFaults()
  var isReachable = true
  /// How many times all connections were broken: one that began before is of no use.
  var connection = 0
  var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  var lastWaiter = 0
  var random: SeededRandom

  init(tables: [SyncedTable], random: SeededRandom) {
    (self.tables, self.random) = (tables, random)
  }

  /// How often each table was defined anew.
  var definitions: [String: Int] = [:]
  var tellsDefinitions = true

  let system = "memory"

  /// What tells the definition of tables.
  func definition(of tables: [SyncedTable]) -> String? {
    guard tellsDefinitions else { return nil }
    return tables.map { "\($0.name)=\(definitions[$0.name] ?? 0)" }.sorted()
      .joined(separator: ",")
  }

  func table(_ name: String) -> SyncedTable? { tables.first { $0.name == name } }

  func sortedRows(of table: String) -> [[StoredValue]] {
    (rows[table] ?? [:]).sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }

  // MARK: - Committing

  /// Commits changes, all or none.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - id: Whose mutation it is; nil for other writers.
  /// - Returns: Why not, where they are refused.
  mutating func commit(_ changes: [RowMutation], by id: MutationID?) -> MutationRejection? {
    let before = rows
    var done: [RowChange] = []
    for (index, change) in changes.enumerated() {
      switch perform(change) {
      case .success(let change?): done.append(change)
      case .success(nil): break
      case .failure(var refusal):
        rows = before
        refusal.rejection.change = index
        return refusal.rejection
      }
    }
    append(
      HubControlRecords(outcomes: id.map { [MutationReceipt($0, isApplied: true)] } ?? []), done)
    return nil
  }

  struct Refusal: Error { var rejection: MutationRejection }

  /// Does one change; nil where there is nothing to be done.
  private mutating func perform(_ change: RowMutation) -> Result<RowChange?, Refusal> {
    guard let table = table(change.table) else {
      return .failure(Refusal(rejection: .init(.constraint, message: "no table \(change.table)")))
    }
    if let name = change.columns.first(where: { name in
      !table.columns.contains { $0.name == name }
    }) {
      return .failure(
        Refusal(rejection: .init(.constraint, message: "\(table.name) has no column \(name)")))
    }
    let revision = table.columns.firstIndex { $0.name == SyncedTable.revisionColumn }
    switch change {
    case .insert(_, let values):
      var row = table.columns.map { values[$0.name] ?? .null }
      if let revision { row[revision] = .integer(1) }
      let key = table.key(of: row)
      if let current = rows[table.name]?[key] {
        return .failure(conflict(table, "the row is there already", current))
      }
      rows[table.name, default: [:]][key] = row
      return .success(RowChange(table: table.name, old: nil, new: row))
    case .update(_, let key, let expected, let values):
      guard let old = rows[table.name]?[key] else {
        return .failure(conflict(table, "there is no such row", nil))
      }
      if let revision, let expected, old[revision] != .integer(expected) {
        return .failure(conflict(table, "the row was changed", old))
      }
      var row = old
      for (index, column) in table.columns.enumerated() {
        if let value = values[column.name] { row[index] = value }
      }
      if let revision, case .integer(let count) = old[revision] {
        row[revision] = .integer(count + 1)
      }
      let newKey = table.key(of: row)
      if newKey != key, let current = rows[table.name]?[newKey] {
        return .failure(conflict(table, "the key is taken", current))
      }
      rows[table.name]?[key] = nil
      rows[table.name]?[newKey] = row
      return .success(RowChange(table: table.name, old: old, new: row))
    case .delete(_, let key, let expected):
      guard let old = rows[table.name]?[key] else {
        return expected == nil
          ? .success(nil) : .failure(conflict(table, "there is no such row", nil))
      }
      if let revision, let expected, old[revision] != .integer(expected) {
        return .failure(conflict(table, "the row was changed", old))
      }
      rows[table.name]?[key] = nil
      return .success(RowChange(table: table.name, old: old, new: nil))
    }
  }

  private func conflict(
    _ table: SyncedTable, _ message: String, _ current: [StoredValue]?
  ) -> Refusal {
    let named = current.map { row in
      Dictionary(uniqueKeysWithValues: zip(table.columns.map(\.name), row))
    }
    return Refusal(rejection: .init(.conflict, message: message, current: named))
  }

  mutating func truncate(_ table: String) {
    let gone = sortedRows(of: table).map { row in
      RowChange(table: table, old: row, new: nil, isTruncation: true)
    }
    rows[table] = [:]
    append(
      HubControlRecords(),
      gone.isEmpty ? [RowChange(table: table, old: nil, new: nil, isTruncation: true)] : gone)
  }

  /// Replaces rows without a commit.
  mutating func redefine(
    _ table: String, replacing old: [[StoredValue]], with new: [[StoredValue]?]
  ) {
    guard let described = self.table(table) else { return }
    for (old, new) in zip(old, new) { rows[table]?[described.key(of: old)] = new }
    definitions[table, default: 0] += 1
  }

  mutating func addColumn(_ column: SyncedTable.Column, to table: String, _ value: StoredValue) {
    guard let index = tables.firstIndex(where: { $0.name == table }) else { return }
    tables[index].columns.append(column)
    rows[table] = rows[table]?.mapValues { $0 + [value] }
    append(HubControlRecords())
  }

  mutating func beat(at date: Date) {
    let mark = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
    append(HubControlRecords(heartbeat: HubHeartbeat(date: date, mark: mark)))
  }

  mutating func append(_ controlRecords: HubControlRecords, _ changes: [RowChange] = []) {
    let step = UInt64.random(in: 8...200, using: &random)
    position = HubPosition(byteCount: position.byteCount + step)
    log.append(Entry(position: position, changes: changes, controlRecords: controlRecords))
  }

  // MARK: - Performing mutations

  /// Performs a mutation once, or says what became of it before.
  mutating func perform(_ mutation: Mutation) throws(HubError) -> MutationResult {
    let last = clients[mutation.id.client]?.last
    let number = last?.mutation.id.number ?? 0
    if mutation.id.number == number, let last {
      guard last.mutation == mutation else {
        throw HubError(.mutationReused, message: "mutation \(number) was another one")
      }
      return last.outcome
    }
    guard mutation.id.number == number + 1 else {
      throw HubError(
        mutation.id.number > 0 && mutation.id.number < number
          ? .mutationReused : .mutationOutOfOrder,
        message: "mutation \(mutation.id.number) comes after \(number)")
    }
    let outcome: MutationResult
    if let rejection = commit(mutation.changes, by: mutation.id) {
      outcome = .rejected(rejection)
      append(HubControlRecords(outcomes: [MutationReceipt(mutation.id, isApplied: false)]))
    } else {
      outcome = .applied
    }
    clients[mutation.id.client, default: []].append(
      Performed(mutation: mutation, outcome: outcome))
    return outcome
  }

  // MARK: - Going back

  /// Takes the last commits back, as if they had never been.
  mutating func undo(_ count: Int) {
    for entry in log.suffix(count).reversed() {
      for change in entry.changes.reversed() {
        guard let table = table(change.table) else { continue }
        if let new = change.new { rows[change.table]?[table.key(of: new)] = nil }
        if let old = change.old { rows[change.table, default: [:]][table.key(of: old)] = old }
      }
      for record in entry.controlRecords.outcomes { _ = clients[record.id.client]?.popLast() }
    }
    log.removeLast(min(count, log.count))
    // What comes now is elsewhere in the log than what was there.
    position = log.last?.position ?? HubPosition(byteCount: 1_000)
  }
}

extension RowMutation {
  /// The columns that it names.
  fileprivate var columns: [String] {
    switch self {
    case .insert(_, let values), .update(_, _, _, let values): values.keys.sorted()
    case .delete: []
    }
  }
}
