import SectileCore
import SectileStore
import Testing

@Suite(.timeLimit(.minutes(60))) struct InspectionStatementTests {
  @Test func rowsCanBeAskedForOneByOne() throws {
    let connection = try InspectionConnection.inMemory()
    #expect(connection.path == ":memory:")
    let statement = try connection.prepare("SELECT value + ?1 FROM json_each('[1, 2]')")
    try statement.start([.integer(10)])
    #expect(try statement.next() == [.integer(11)])
    #expect(try statement.next() == [.integer(12)])
    #expect(try statement.next() == nil)
    // A run begins anew, however far the last one came.
    try statement.start([.integer(20)])
    #expect(try statement.next() == [.integer(21)])
    try statement.start()
    #expect(try statement.next() == [.null])
    statement.reset()
    #expect(throws: StoreError.self) { try statement.start([.null, .null]) }
  }

  @Test func textThatIsNotUTF8CanBeKept() throws {
    let connection = try InspectionConnection.inMemory()
    let statement = try connection.prepare("SELECT CAST(x'41FF' AS TEXT), 'é'")
    try statement.start()
    #expect(try statement.next() == [.text("A\u{FFFD}"), .text("é")])
    statement.keepsInvalidText = true
    try statement.start()
    #expect(try statement.next() == [.blob([0x41, 0xFF]), .text("é")])
  }

  @Test func transactionsAndChangesAreKnown() throws {
    let connection = try InspectionConnection.inMemory()
    try connection.run("CREATE TABLE t (a); BEGIN") { _ in }
    #expect(connection.isInTransaction)
    try connection.run("INSERT INTO t VALUES (1), (2)") { _ in }
    #expect(connection.lastChangeCount == 2)
    try connection.run("ROLLBACK") { _ in }
    #expect(!connection.isInTransaction)
  }
}
