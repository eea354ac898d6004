import Glibc
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// What it costs to find out what others have committed.
@Suite(.timeLimit(.minutes(60))) struct RefetchCostTests {
  private static let rowCount = 50_000

  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("data.sqlite")
    try write(
      """
      CREATE TABLE job (id INTEGER PRIMARY KEY, kind TEXT, name TEXT, size INT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(Self.rowCount))
      INSERT INTO job SELECT i, 'kind ' || (i % 50), 'name ' || ((i * 7919) % 1000003), i % 977
      FROM n;
      CREATE INDEX job_kind ON job (kind, name);
      """)
  }

  private func write(_ sql: String) throws {
    let connection = try InspectionConnection(path: path, access: .create)
    try connection.run("PRAGMA synchronous = OFF") { _ in }
    try connection.run(sql) { _ in }
  }

  /// The processor's time that a call takes on its thread, in seconds.
  private func time(of body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    return now() - start
  }

  private func plan(sectionBy section: String?) -> FetchPlan {
    var plan = FetchPlan(
      table: "job", keyColumns: ["id"], itemColumns: ["id", "kind", "name", "size"], where: nil,
      sectionedBy: section.map { SQLFragment($0) })
    plan.sort = [plan.term("name")]
    return plan
  }

  /// An index leads to the keys in order; all columns would have to be looked up row by row.
  @Test(.withoutInternalChecks, arguments: ["\"job\".\"kind\"", nil])
  func aRefetchCostsAboutWhatAFirstLoadDoes(section: String?) throws {
    var configuration = StoreConfiguration()
    configuration.isReadOnly = true
    configuration.externalChangePolling = nil
    let store = try Store.open(at: path, configuration: configuration)
    let results = try store.results(of: plan(sectionBy: section))
    let load = try time { try results.load() }
    #expect(results.numberOfItems == Self.rowCount)
    var refetches: [Double] = []
    for number in 1...3 {
      try write("UPDATE job SET size = -\(number), name = 'a' WHERE id = \(number)")
      refetches.append(try time { try store.checkForExternalChanges() })
      #expect(results.statistics.resyncCount == number)
      let path = try #require(results.path(of: UntypedRow.ID(keyValues: [.integer(Int64(number))])))
      #expect(try results.item(at: path).row["size"] == .integer(Int64(-number)))
    }
    let least = try #require(refetches.min())
    #expect(least < 1.4 * load, "a load takes \(load) s, the refetches \(refetches)")
  }
}
