import Foundation
import SectileCore
import SectileStore
import Testing

/// Values that must not reach a log.
@Suite(.timeLimit(.minutes(10))) struct WithheldValueTests {
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
