import SectileStore
import Synchronization

/// Which statements a store runs, and how often it reads items.
final class StatementRecorder: Sendable {
  private let events = Mutex<[StoreEvent]>([])
  private let markerNumber = Counter()

  /// A configuration that tells the recorder of everything, and looks for nobody else's commits.
  var configuration: StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.synchronous = .off
    configuration.externalChangePolling = nil
    configuration.slowStatementThreshold = .zero
    configuration.onEvent = { [self] event in events.withLock { $0.append(event) } }
    return configuration
  }

  /// Returns the statements about a table that a closure causes, and how many items are read for
  /// it.
  ///
  /// On a file a load has a pass over all rows, which goes on beside whatever comes after it: it is
  /// left out.
  func activity(
    of store: Store, on table: String, during body: () async throws -> Void
  ) async throws -> (statements: [String], itemCount: Int) {
    try await mark(store)
    let start = events.withLock { $0.count }
    try await body()
    try await mark(store)
    let told = events.withLock { $0[start...] }
    var (statements, itemCount): ([String], Int) = ([], 0)
    for event in told {
      switch event.content {
      case .slowStatement(let sql, _)
      where sql.contains("\"\(table)\"") && !sql.hasSuffix("FROM \"main\".\"\(table)\""):
        statements.append(sql)
      case .readItems(_, let count, _): itemCount += count
      default: break
      }
    }
    return (statements, itemCount)
  }

  /// Waits until everything so far was told: a statement of its own comes behind it.
  private func mark(_ store: Store) async throws {
    markerNumber.increment()
    let sql = "SELECT 'marker \(markerNumber.value)'"
    _ = try await store.read { try $0.query(sql) }
    while !events.withLock({ $0.contains { Self.isStatement(sql, $0) } }) { await Task.yield() }
  }

  private static func isStatement(_ sql: String, _ event: StoreEvent) -> Bool {
    if case .slowStatement(sql, _) = event.content { true } else { false }
  }
}
