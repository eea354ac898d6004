import Foundation
import SectileCore
import SectileStore
import SectileTestHelpers
import SectileTestSupport
import Testing

/// Values that must not reach a log.
@Suite(.timeLimit(.minutes(60))) struct WithheldValueTests {
  private let secret = "s3cr3t-4711"

  /// Everything a log could make of an error.
  private func texts(of error: StoreError) -> String {
    var dumped = ""
    dump(error, to: &dumped)
    return [
      "\(error)", error.message, error.hint ?? "", error.detailedDescription,
      String(reflecting: error), dumped,
    ].joined(separator: "\n")
  }

  private func reading<Value: StorableValue & Equatable>(
    _ sql: String, as type: Value.Type
  ) throws -> StoreError {
    try withTransaction("\(Holder<Value>.table); INSERT INTO holder VALUES (5, \(sql))") {
      transaction throws in
      try #require(storeError { _ = try transaction.fetchOne(Holder<Value>.self, key: 5) })
    }
  }

  @Test func aStoredValueIsNamedByItsKindAndLength() throws {
    let error = try reading("'\(secret)'", as: Int.self)
    #expect(
      error.message
        == "holder.value of a row: expected an integer, found a text of 11 characters.")
    #expect(!texts(of: error).contains(secret))
    #expect(error.storedValue == .text(secret))

    let number = try reading("471147114711", as: Int8.self)
    #expect(!texts(of: number).contains("471147114711"))
    #expect(number.storedValue == 471_147_114_711)
    for error in [
      try reading("'\(secret)'", as: UUID.self), try reading("'\(secret)'", as: Date.self),
      try reading("'\(secret)'", as: Decimal.self), try reading("'\(secret)'", as: Genre.self),
    ] {
      #expect(!texts(of: error).contains(secret))
      #expect(error.storedValue == .text(secret))
    }
  }

  @Test func textThatIsNoJSONOfItsTypeIsWithheld() throws {
    for json in ["{\"a\": \"\(secret)", "[[\"\(secret)\"]]", "{\"\(secret)\": 1}"] {
      let error = try withTransaction(Performer.table) { transaction throws in
        try transaction.execute("INSERT INTO artist VALUES (7, 'Nina', ?, NULL)", json)
        return try #require(storeError { _ = try transaction.fetchOne(Performer.self, key: 7) })
      }
      #expect(!texts(of: error).contains(secret))
      #expect(error.storedValue == .text(json))
    }
  }

  /// A key is often an e-mail address.
  @Test func theKeyOfARowIsBesideTheMessage() throws {
    let key = StoredValue.text(secret)
    let plan = FetchPlan(table: "item", keyColumns: ["k"], itemColumns: ["k", "v"])
    try withStore(.memory) { store in
      try store.write {
        try $0.execute("CREATE TABLE item (k, v); INSERT INTO item VALUES (?1, 1), (?1, 2)", secret)
      }
      let duplicate = try #require(storeError { try store.results(of: plan).load() })
      #expect(duplicate.code == .duplicateKey)
      #expect(duplicate.rowKey == [key])
      #expect(!texts(of: duplicate).contains(secret))
    }
    let folder = try TemporaryFolder()
    let store = try StorageKind.file.open(in: folder, configuration: SmallWorld.configuration)
    try store.write {
      try $0.execute("CREATE TABLE item (k, v); INSERT INTO item VALUES (?, 1)", secret)
    }
    let results = try store.results(of: plan)
    try results.load()
    let snapshot = results.snapshot
    let other = try ForeignConnection(folder.file("store.sqlite"))
    try other.execute("DELETE FROM item")
    let gone = try #require(
      storeError { _ = try snapshot.item(at: ItemPath(section: 0, item: 0)) })
    #expect(gone.code == .itemChangedElsewhere)
    #expect(gone.rowKey == [key])
    #expect(!texts(of: gone).contains(secret))
    other.close()
    try store.close()
    let error = StoreError(
      .rowNotFound, message: "no row", hint: "insert it", storedValue: key, rowKey: [key])
    #expect(!texts(of: error).contains(secret))
    #expect(error.localizedDescription == "no row")
    #expect((error as any Error).localizedDescription == "no row")
  }

  @Test func aKeyThatDoesNotFitIsWithheld() throws {
    let key = try #require(storeError { _ = try UUID(keyValues: [.text(secret)]) })
    #expect(key.message == "A key is a text of 11 characters, expected one UUID in upper case.")
    #expect(!texts(of: key).contains(secret))
    #expect(key.storedValue == .text(secret))
  }

  @Test func aValueThatIsBoundIsWithheldWhereSQLiteRepeatsIt() throws {
    try withTransaction("CREATE VIRTUAL TABLE text_index USING fts5(t)") { transaction throws in
      let search = try #require(
        storeError {
          _ = try transaction.query(
            "SELECT * FROM text_index WHERE text_index MATCH ?", "a ) 4711")
        })
      #expect(search.message == "fts5: syntax error near a value that was bound")
      let path = try #require(
        storeError { _ = try transaction.query("SELECT json_extract('{}', ?)", secret) })
      #expect(!texts(of: path).contains(secret))
    }
  }

  @Test func aValueThatCannotBeWrittenIsWithheld() throws {
    let date = Date(timeIntervalSince1970: 471_147_114_711_471)
    let error = try withTransaction(Holder<Date>.table) { transaction throws in
      try #require(storeError { try transaction.insert(Holder(date)) })
    }
    #expect(!texts(of: error).contains("4711471"))
  }
}
