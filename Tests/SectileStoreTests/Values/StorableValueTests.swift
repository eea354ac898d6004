import Foundation
import SectileCore
import SectileStore
import Testing

@Suite(.timeLimit(.minutes(60))) struct StorableValueTests {
  private func checkRoundTrip<Value: StorableValue & Equatable>(
    _ values: Value..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withTransaction(Holder<Value>.table) { transaction throws in
      for (id, value) in zip(Int64(1)..., values) {
        let holder = Holder(id: id, value)
        try transaction.insert(holder)
        #expect(
          try transaction.fetchOne(Holder<Value>.self, key: id) == holder,
          sourceLocation: sourceLocation)
        let stored = try transaction.query(
          "SELECT value FROM holder WHERE id = ?", values: [.integer(id)])
        #expect(
          stored.first?.values.first == (try value.storedValue), sourceLocation: sourceLocation)
      }
    }
  }

  /// Stores a SQL literal and returns the error of reading it.
  private func readError<Value: StorableValue & Equatable>(
    _ literal: String, as type: Value.Type, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String? {
    try withTransaction(Holder<Value>.table) { transaction throws in
      try transaction.execute("INSERT INTO holder VALUES (5, \(literal))")
      let error = storeError(
        { _ = try transaction.fetchOne(Holder<Value>.self, key: 5) },
        sourceLocation: sourceLocation)
      #expect(error?.code == .decodingFailed, sourceLocation: sourceLocation)
      return error?.message
    }
  }

  private func writeError<Value: StorableValue & Equatable>(_ value: Value) throws -> StoreError? {
    try withTransaction(Holder<Value>.table) { transaction throws in
      storeError { try transaction.insert(Holder(value)) }
    }
  }

  @Test func integersOfEveryWidthRoundTrip() throws {
    try checkRoundTrip(Int.min, 0, Int.max)
    try checkRoundTrip(Int8.min, Int8.max)
    try checkRoundTrip(Int16.min, Int16.max)
    try checkRoundTrip(Int32.min, Int32.max)
    try checkRoundTrip(Int64.min, Int64.max)
    try checkRoundTrip(UInt(0), UInt(Int64.max))
    try checkRoundTrip(UInt8.max, UInt8.min)
    try checkRoundTrip(UInt16.max)
    try checkRoundTrip(UInt32.max)
    try checkRoundTrip(UInt64(Int64.max))
  }

  @Test func integersAreReadFromIntegersThatFitOnly() throws {
    #expect(
      try readError("'abc'", as: Int.self)
        == "holder.value of a row: expected an integer, found a text of 3 characters.")
    #expect(
      try readError("300", as: Int8.self)
        == "holder.value of a row: expected an integer that fits Int8, "
        + "found an integer.")
    #expect(
      try readError("NULL", as: Int64.self)
        == "holder.value of a row: expected an integer, found NULL.")
    #expect(
      try readError("5.0", as: Int64.self)
        == "holder.value of a row: expected an integer, found a real number.")
    #expect(
      try readError("-1", as: UInt64.self)
        == "holder.value of a row: expected an integer that fits UInt64, "
        + "found an integer.")
    #expect(
      try readError("x'0102'", as: Int.self)
        == "holder.value of a row: expected an integer, found a blob of 2 bytes.")
  }

  @Test func unsignedIntegerBeyondSQLiteIsRefused() throws {
    let error = try writeError(UInt64(Int64.max) + 1)
    #expect(error?.code == .encodingFailed)
    #expect(
      error?.message
        == "holder.value cannot be written: the integer is greater than the greatest one "
        + "of SQLite, 9223372036854775807.")
    #expect(try writeError(UInt.max)?.code == .encodingFailed)
  }

  @Test func truthValuesAreZeroAndOne() throws {
    try checkRoundTrip(true, false)
    #expect(
      try readError("2", as: Bool.self)
        == "holder.value of a row: expected 0 or 1, found an integer.")
    #expect(try readError("'true'", as: Bool.self) != nil)
  }

  @Test func realNumbersRoundTrip() throws {
    try checkRoundTrip(0.1, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude)
    try checkRoundTrip(Float(0.1), .infinity, .greatestFiniteMagnitude)
  }

  @Test func realNumbersAreReadFromExactIntegers() throws {
    try withTransaction(Holder<Double>.table) { transaction throws in
      try transaction.execute("INSERT INTO holder VALUES (1, 3)")
      #expect(try transaction.fetchOne(Holder<Double>.self, key: 1)?.value == 3)
    }
    #expect(
      try readError("9007199254740993", as: Double.self)
        == "holder.value of a row: expected a number that a Double represents exactly, "
        + "found an integer.")
    #expect(try readError("'1.5'", as: Double.self) != nil)
    #expect(
      try readError("1e300", as: Float.self)
        == "holder.value of a row: expected a real number that fits Float, "
        + "found a real number.")
  }

  @Test func notANumberIsRefused() throws {
    let error = try writeError(Double.nan)
    #expect(error?.code == .encodingFailed)
    #expect(
      error?.message
        == "holder.value cannot be written: NaN cannot be stored, SQLite would make it NULL.")
    #expect(try writeError(Float.nan)?.code == .encodingFailed)
    #expect(try writeError(Double?.some(.nan))?.code == .encodingFailed)
  }

  @Test func textRoundTripsWithZeroCharactersAndAnyLength() throws {
    try checkRoundTrip(
      "", "a\0b", "\0", "e\u{301}", "\u{E9}", "🎷", String(repeating: "long ", count: 1000))
  }

  @Test func textOfEachLengthIsReadAsItIs() throws {
    for count in 0...33 {
      let plain = String(repeating: "x", count: count)
      try checkRoundTrip(plain, plain + "é", "é" + plain, plain + "\0", plain + "\u{FFFD}")
    }
  }

  @Test(arguments: [
    "ff", "80", "c080", "c3", "e282", "eda080", "f4908080", "f09f8e", "efbfbdff", "c3a9c3",
    "6161616161616161616161616161616161616161ff",
  ])
  func textThatIsNotUTF8IsRefused(hex: String) throws {
    #expect(
      try readError("CAST(x'\(hex)' AS TEXT)", as: String.self)
        == "holder.value of a row: expected text, found \(hex.count / 2) bytes that are "
        + "not UTF-8.")
  }

  @Test func textIsReadFromValidTextOnly() throws {
    #expect(
      try readError("CAST(x'61ff62' AS TEXT)", as: String.self)
        == "holder.value of a row: expected text, found 3 bytes that are not UTF-8.")
    #expect(
      try readError("7", as: String.self)
        == "holder.value of a row: expected text, found an integer.")
    #expect(try readError("x'61'", as: String.self) != nil)
    #expect(try readError("NULL", as: String.self) != nil)
  }

  @Test func bytesRoundTrip() throws {
    try checkRoundTrip(Data(), Data([0, 1, 255]), Data(repeating: 7, count: 5000))
    try checkRoundTrip([UInt8](), [0, 1, 255])
    #expect(
      try readError("'abc'", as: Data.self)
        == "holder.value of a row: expected a blob, found a text of 3 characters.")
    #expect(try readError("'abc'", as: [UInt8].self) != nil)
  }

  @Test func optionalsAreNull() throws {
    try checkRoundTrip(nil, 5 as Int?)
    try checkRoundTrip(nil, "" as String?)
    try checkRoundTrip(nil, Data() as Data?)
    try checkRoundTrip(nil, Genre.jazz as Genre?)
    #expect(try readError("'x'", as: Int?.self) != nil)
  }

  @Test func rawRepresentablesRoundTrip() throws {
    try checkRoundTrip(Genre.rock, .jazz)
    try checkRoundTrip(Rating.poor, .good)
    #expect(
      try readError("'polka'", as: Genre.self)
        == "holder.value of a row: expected a raw value of Genre, "
        + "found a text of 5 characters.")
    #expect(try readError("'good'", as: Rating.self) != nil)
  }

  @Test func uniqueIdentifiersAreTextInUpperCase() throws {
    let id = try #require(UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"))
    try checkRoundTrip(id)
    let stored = id.storedValue
    #expect(stored == .text("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    #expect(try readError("'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'", as: UUID.self) != nil)
    #expect(try readError("'nonsense'", as: UUID.self) != nil)
  }

  @Test func addressesAndDecimalNumbersRoundTrip() throws {
    try checkRoundTrip(try #require(URL(string: "https://example.org/a?b=c%20d")))
    try checkRoundTrip(
      try #require(Decimal(string: "-123456789012345678901234567890.25")), Decimal(0))
    #expect(try readError("'12 apples'", as: Decimal.self) != nil)
    #expect(try writeError(Decimal.nan)?.code == .encodingFailed)
  }

  @Test func longTextInErrorsIsToldByItsLength() throws {
    let message = try readError("'\(String(repeating: "x", count: 500))'", as: Int.self)
    #expect((message?.count ?? 0) < 200)
    #expect(message?.contains("a text of 500 characters") == true)
    #expect(message?.contains("xx") == false)
  }
}
