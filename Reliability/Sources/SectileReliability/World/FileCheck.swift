internal import Sectile

/// Opens a file that something happened to, and says what is wrong with it.
enum FileCheck {
  /// Looks for what is wrong.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - model: Whose transactions it holds.
  ///   - acknowledged: How many of them it must hold; nil where there need be no file.
  ///   - begun: How many it may hold.
  /// - Returns: What is wrong, or nil.
  /// - Throws: ``StoreError`` where the file cannot be opened or read.
  static func problem(
    at path: String, of model: Model, acknowledged: Int64?, begun: Int64
  ) throws -> String? {
    var configuration = StoreConfiguration()
    configuration.externalChangePolling = nil
    configuration.readerCount = 1
    // Migrations that were cut are finished; those that were applied must be in the ledger.
    let store = try Store.open(
      at: path, configuration: configuration, migrations: Model.migrations)
    defer { try? store.close() }
    let (found, marks, entries) = try store.read { transaction in
      let lines = try transaction.query("PRAGMA integrity_check").map { "\($0.values[0])" }
      let marks = try transaction.query("SELECT count(*), coalesce(max(number), 0) FROM mark")
      return (lines, marks[0].values, try transaction.fetchAll(FetchRequest<Entry>()))
    }
    if found.count != 1 || !found[0].contains("ok") { return "integrity_check: \(found)" }
    guard case .integer(let count) = marks[0], case .integer(let last) = marks[1] else {
      return "the marks are no numbers: \(marks)"
    }
    if count != last { return "\(count) transactions are there, the last is number \(last)" }
    if let acknowledged, last < acknowledged {
      return "\(acknowledged - last) acknowledged commits are lost (\(last) of \(acknowledged))"
    }
    if last > begun { return "\(last) transactions are there, \(begun) were begun" }
    let wanted = Model(seed: model.seed, bulk: model.bulk, after: last).entries
    let held = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    if held == wanted { return nil }
    let ids = Set(held.keys).union(wanted.keys).filter { held[$0] != wanted[$0] }.sorted()
    return "after \(last) transactions the rows \(ids.prefix(8)) are other ones"
  }
}
