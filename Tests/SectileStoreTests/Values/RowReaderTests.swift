import SectileCore
import SectileStore
import Testing

/// Declares two columns, and reads and writes as many as it is told.
private struct Careless: Entity {
  nonisolated(unsafe) static var count = 2
  var id: Int64

  static let schema = EntitySchema<Careless>(
    "careless", primaryKey: "id", attributes: .init("id", \.id), .init("copy", \.id))

  init(id: Int64) { self.id = id }

  init(row: inout RowReader) throws {
    id = 0
    for _ in 0..<Self.count { id = try row.next() }
  }

  func write(to row: inout RowWriter) throws {
    for _ in 0..<Self.count { try row.append(id) }
  }
}

@Suite(.serialized, .timeLimit(.minutes(60))) struct RowReaderTests {
  private let table = "CREATE TABLE careless (id INTEGER PRIMARY KEY, copy)"

  @Test func readingMoreColumnsThanDeclaredIsAnError() throws {
    try withTransaction("\(table); INSERT INTO careless VALUES (1, 1)") { transaction throws in
      Careless.count = 3
      let error = storeError { _ = try transaction.fetchOne(Careless.self, key: 1) }
      #expect(error?.code == .decodingFailed)
      #expect(error?.message == "A row of careless has 2 columns, and more were read.")
    }
  }

  @Test func writingFewerOrMoreColumnsThanDeclaredIsAnError() throws {
    try withTransaction(table) { transaction throws in
      Careless.count = 1
      let fewer = storeError { try transaction.insert(Careless(id: 1)) }
      #expect(fewer?.message == "A row of careless has 2 columns, 1 were written.")
      Careless.count = 3
      let more = storeError { try transaction.insert(Careless(id: 1)) }
      #expect(more?.code == .encodingFailed)
      Careless.count = 2
      try transaction.insert(Careless(id: 1))
    }
  }
}
