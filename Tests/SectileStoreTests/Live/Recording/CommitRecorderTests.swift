import SectileStore
import Testing

import class GRDB.DatabaseQueue

@Suite(.timeLimit(.minutes(60))) struct CommitRecorderTests {
  @Test func aConnectionIsAdoptedByOneStoreOnly() throws {
    let queue = try DatabaseQueue()
    let store = try Store(adopting: queue)
    try store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT)") }
    let results = try store.results(
      of: FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "s"]))
    try results.load()

    let error = #expect(throws: StoreError.self) { _ = try Store(adopting: queue) }
    #expect(error?.code == .connectionTaken)
    #expect(
      error?.message
        == "The connection in memory was adopted a second time: another store has this connection "
        + "already.")
    #expect(error?.hint != nil)

    try store.write { try $0.execute("INSERT INTO item VALUES (1, 'A')") }
    #expect(results.numberOfItems == 1, "the first store's hook was put back")
  }

  @Test func aClosedStoreLeavesTheConnectionToTheNext() throws {
    let queue = try DatabaseQueue()
    try Store(adopting: queue).close()
    let next = try Store(adopting: queue)
    try next.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
    let results = try next.results(
      of: FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id"]))
    try results.load()
    try next.write { try $0.execute("INSERT INTO item VALUES (1)") }
    #expect(results.numberOfItems == 1)
  }
}
