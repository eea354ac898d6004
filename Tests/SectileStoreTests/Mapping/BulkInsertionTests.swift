import SectileCore
import SectileStore
import Testing

@Suite(.timeLimit(.minutes(60))) struct BulkInsertionTests {
  private func artists(_ ids: some Sequence<Int64>) -> [Performer] {
    ids.map { Performer(id: $0, "name \($0)") }
  }

  private func count(_ transaction: StoreTransaction) throws -> StoredValue? {
    try transaction.query("SELECT count(*) FROM artist").first?.values.first
  }

  @Test func sequencesAreInserted() throws {
    try withTransaction(Performer.table) { transaction throws in
      #expect(try transaction.insert(contentsOf: artists(1...500)) == 500)
      #expect(try count(transaction) == 500)
      #expect(try transaction.fetchOne(Performer.self, key: 77)?.name == "name 77")
    }
  }

  @Test func emptySequenceInsertsNothing() throws {
    try withTransaction(Performer.table) { transaction throws in
      #expect(try transaction.insert(contentsOf: [Performer]()) == 0)
    }
  }

  @Test func policiesDecideAboutExistingRows() throws {
    try withTransaction(Performer.table) { transaction throws in
      try transaction.insert(Performer(id: 2, "old"))
      let error = storeError { try transaction.insert(contentsOf: artists(1...3)) }
      #expect(error?.code == .uniqueConstraint)
      #expect(try count(transaction) == 2)
      try transaction.execute("DELETE FROM artist WHERE id = 1")

      #expect(try transaction.insert(contentsOf: artists(1...3), onConflict: .ignore) == 2)
      #expect(try transaction.fetchOne(Performer.self, key: 2)?.name == "old")
      #expect(try transaction.insert(contentsOf: artists(1...3), onConflict: .update) == 3)
      #expect(try transaction.fetchOne(Performer.self, key: 2)?.name == "name 2")

      let thief = Performer(id: 9, "name 1")
      #expect(
        storeError { try transaction.insert(contentsOf: [thief], onConflict: .update) }?.code
          == .uniqueConstraint)
      #expect(try transaction.insert(contentsOf: [thief], onConflict: .replace) == 1)
      #expect(try !transaction.exists(Performer.self, key: 1))
    }
  }

  @Test func progressIsReportedAndCanStop() throws {
    struct Stop: Error {}
    try withTransaction(Performer.table) { transaction throws in
      var reports: [Int] = []
      try transaction.insert(contentsOf: artists(1...25), progressInterval: 10) {
        reports.append($0)
      }
      #expect(reports == [10, 20])
      #expect(throws: Stop.self) {
        try transaction.insert(contentsOf: artists(26...99), progressInterval: 5) { _ in
          throw Stop()
        }
      }
      #expect(try count(transaction) == 30)
    }
  }

  @Test func theSequenceMayUseTheTransaction() throws {
    try withTransaction(Performer.table) { transaction throws in
      let source = (1...5).lazy.map { number -> Performer in
        _ = try? transaction.insert(Performer(id: Int64(100 + number), "nested \(number)"))
        return Performer(id: Int64(number), "outer \(number)")
      }
      #expect(try transaction.insert(contentsOf: source) == 5)
      #expect(try count(transaction) == 10)
      #expect(try transaction.fetchOne(Performer.self, key: 3)?.name == "outer 3")
    }
  }

  @Test func textBeyondTheScratchAreaIsInserted() throws {
    try withTransaction(Performer.table) { transaction throws in
      let names = [0, 1, 15, 16, 1000, 1023, 1024, 1025, 3000].map { count in
        String(repeating: "é", count: count / 2) + "\(count)"
      }
      let rows = names.enumerated().map { Performer(id: Int64($0.offset), $0.element) }
      #expect(try transaction.insert(contentsOf: rows) == rows.count)
      for row in rows {
        #expect(try transaction.fetchOne(Performer.self, key: row.id)?.name == row.name)
      }
    }
  }

  /// SQLite 3.40 takes the index entries of the row that is to be replaced out, and finds the wrong
  /// type then.
  @Test func aRowThatIsNotReplacedKeepsItsIndexEntries() throws {
    try withTransaction(
      "CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT UNIQUE, pages INTEGER) STRICT"
    ) { transaction throws in
      try transaction.insert(
        contentsOf: [Note(id: 1, "a", pages: "1"), Note(id: 2, "b", pages: "2")])
      let rows = [Note(id: 3, "c", pages: "3"), Note(id: 1, "d", pages: "four")]
      let error = storeError { try transaction.insert(contentsOf: rows, onConflict: .replace) }
      #expect(error?.code == .otherConstraint)
      #expect(try transaction.query("PRAGMA integrity_check").map(\.values) == [["ok"]])
      #expect(
        try transaction.query("SELECT id, title FROM note ORDER BY title").map(\.values)
          == [[1, "a"], [2, "b"], [3, "c"]])
      try transaction.insert(contentsOf: [Note(id: 1, "d", pages: "4")], onConflict: .replace)
      #expect(
        try transaction.query("SELECT id FROM note WHERE title = 'd'").map(\.values) == [[1]])
    }
  }

  @Test func anErrorOfOneRowLeavesTheStatementUsable() throws {
    try withTransaction(Holder<Double>.table) { transaction throws in
      let rows = [Holder(id: 1, 1.5), Holder(id: 2, Double.nan)]
      #expect(storeError { try transaction.insert(contentsOf: rows) }?.code == .encodingFailed)
      #expect(try transaction.insert(contentsOf: [Holder(id: 3, 2.5)]) == 1)
    }
  }
}

/// A row of a table that takes nothing but what it declares; numbers are written as text.
private struct Note: Entity {
  var id: Int64
  var title: String
  var pages: String

  static var schema: EntitySchema<Note> {
    EntitySchema(
      "note", primaryKey: "id", attributes: .init("id", \.id), .init("title", \.title),
      .init("pages", \.pages))
  }

  init(id: Int64, _ title: String, pages: String) {
    (self.id, self.title, self.pages) = (id, title, pages)
  }

  init(row: inout RowReader) throws {
    id = try row.next()
    title = try row.next()
    pages = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(title)
    try row.append(pages)
  }
}
