import Foundation
import GRDB
import SectileCore
import SectileStore
import SectileTestHelpers
import SectileTestSupport
import Testing

/// The rows of ``NeighborRecord``, as an entity.
private struct Visit: Entity, Equatable {
  var id: UUID
  var guest: UUID
  var plain: Date
  var seconds: Date
  var real: Date
  var milliseconds: Date
  var iso: Date

  static let schema = EntitySchema<Visit>(
    "visit", primaryKey: "id",
    attributes: .init("id", \.id, as: .uuidBlob), .init("guest", \.guest, as: .uuidLowercase),
    .init("plain", \.plain), .init("seconds", \.seconds, as: .unixSeconds),
    .init("real", \.real, as: .unixSecondsReal),
    .init("milliseconds", \.milliseconds, as: .unixMilliseconds),
    .init("iso", \.iso, as: .iso8601))

  init(id: UUID, guest: UUID, date: Date) {
    self.id = id
    self.guest = guest
    (plain, seconds, real, milliseconds, iso) = (date, date, date, date, date)
  }

  init(row: inout RowReader) throws {
    id = try row.next()
    guest = try row.next()
    (plain, seconds, real) = try (row.next(), row.next(), row.next())
    (milliseconds, iso) = try (row.next(), row.next())
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(guest)
    try row.append(plain)
    try row.append(seconds)
    try row.append(real)
    try row.append(milliseconds)
    try row.append(iso)
  }
}

private typealias Visits = SectileStore.FetchRequest<Visit>

@Suite(.timeLimit(.minutes(60))) struct ColumnEncodingTests {
  private let first = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xAB, 0xCD))
  private let second = UUID(uuid: (2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xEF, 0xAA))
  private let early = Date(timeIntervalSince1970: 1_700_000_000)
  private let late = Date(timeIntervalSince1970: 1_800_000_000)

  private func withVisits(_ body: (Store) throws -> Void) throws {
    for kind in StorageKind.allCases {
      try withStore(kind) { store in
        try store.write { transaction in
          try NeighborRecord.createTable(in: transaction.database)
          try transaction.insert(Visit(id: first, guest: second, date: early))
          try transaction.insert(Visit(id: second, guest: first, date: late))
        }
        try body(store)
      }
    }
  }

  @Test func columnsOfGRDBAreReadAndWrittenAsGRDBDoes() throws {
    let folder = try TemporaryFolder()
    let pool = try DatabasePool(path: folder.file("neighbor.sqlite"))
    let record = NeighborRecord(
      id: first, guest: second, plain: early, seconds: early, real: early, milliseconds: early,
      iso: early)
    try pool.write { db in
      try NeighborRecord.createTable(in: db)
      try record.insert(db)
    }
    let store = try Store.open(at: folder.file("neighbor.sqlite"))
    let visit = Visit(id: first, guest: second, date: early)
    #expect(try store.read { try $0.fetchOne(Visit.self, key: first) } == visit)

    try store.write { try $0.insert(Visit(id: second, guest: first, date: late)) }
    let read = try pool.read { db in
      try NeighborRecord.fetchOne(db, key: ["id": second.databaseValue])
    }
    #expect(read?.guest == first)
    for date in [read?.plain, read?.seconds, read?.real, read?.milliseconds, read?.iso] {
      #expect(date == late)
    }
    // What both wrote is of the same storage classes, and text of the same length.
    let kinds = try store.read {
      try $0.query(
        """
        SELECT DISTINCT typeof(id), length(id), length(guest), typeof(plain), length(plain),
          typeof(seconds), typeof(real), typeof(milliseconds), typeof(iso), length(iso) FROM visit
        """)
    }
    #expect(kinds.count == 1, "\(kinds)")
    try store.close()
  }

  @Test func rowsAreFoundUpdatedAndDeletedByTheirKey() throws {
    try withVisits { store in
      try store.write { transaction in
        var visit = try #require(try transaction.fetchOne(Visit.self, key: first))
        #expect(visit == Visit(id: first, guest: second, date: early))
        visit.seconds = late
        try transaction.update(visit)
        #expect(try transaction.fetchOne(Visit.self, key: first)?.seconds == late)
        #expect(try transaction.exists(Visit.self, key: second))
        #expect(try transaction.delete(Visit.self, key: second))
        #expect(try transaction.exists(Visit.self, key: second) == false)
      }
    }
  }

  @Test func valuesOfFiltersAreWrittenAsTheirColumnsHoldThem() throws {
    try withVisits { store in
      func expect(
        _ ids: [UUID], _ request: Visits, sourceLocation: SourceLocation = #_sourceLocation
      ) throws {
        let found = try store.read { try $0.fetchAll(request).map(\.id) }
        #expect(found == ids, sourceLocation: sourceLocation)
      }
      let all = Visits()
      try expect([first], all.filter { $0.id == first })
      try expect([second], all.filter { $0.id != first })
      try expect([first, second], all.filter { [first, second].contains($0.id) })
      try expect([second], all.filter { $0.guest == first })
      try expect([first], all.filter { $0.guest.isIdentical(to: second) })
      try expect([first], all.filter { $0.seconds < late })
      try expect([second], all.filter { $0.real > early })
      try expect([second], all.filter { $0.milliseconds >= late })
      try expect([first], all.filter { $0.iso.in(early...early) })
      try expect([first], all.filter { $0.iso.in(early..<late) })
      try expect([second, first], all.sort(by: \.milliseconds, .descending))
      try expect([first], all.filter { $0.seconds.year == 2023 && $0.milliseconds.year == 2023 })
      try expect([first], all.filter { $0.real.year == 2023 && $0.iso.year == 2023 })
      let (guest, limit) = (second, late)
      try expect([first], all.filter(#Predicate { $0.guest == guest && $0.seconds < limit }))
      try expect([second], all.filter(#Predicate { $0.iso == limit && $0.milliseconds == limit }))
      let start = early
      try expect(
        [], all.filter(#Predicate { ($0.guest == guest ? $0.seconds : limit) < start }))
    }
  }

  @Test func columnsOfTwoFormsAreNotCompared() throws {
    try withVisits { store in
      let error = storeError {
        _ = try store.read { try $0.fetchAll(Visits().filter { $0.seconds < $0.milliseconds }) }
      }
      #expect(error?.code == .invalidRequest)
      #expect(
        error?.message
          == "A request compares a column of the form .unixSeconds with one of the form "
          + ".unixMilliseconds.")
    }
  }

  @Test func fixedSectionsAreFoundInTheirForm() throws {
    try withVisits { store throws in
      let request = Visits().sectioned(by: \.guest, sections: [first, second])
      #expect(try store.read { try $0.fetchSections(request).map(\.count) } == [1, 1])
    }
  }

  @Test func liveResultsFollowRowsWhoseKeysAreBlobs() throws {
    try withVisits { store in
      let live = try LiveResults(Visits().sort(by: \.seconds), in: store)
      #expect(live.results.path(of: first) == ItemPath(section: 0, item: 0))
      let third = UUID()
      try live.expect(["R+ [0,1] #\(third)"]) {
        try store.write {
          var visit = Visit(id: third, guest: first, date: early)
          visit.seconds = early.addingTimeInterval(1)
          try $0.insert(visit)
        }
      }
      try live.expect(["R> [0,1]→[0,2] #\(third)*"]) {
        try store.write {
          var visit = Visit(id: third, guest: first, date: early)
          visit.seconds = late.addingTimeInterval(1)
          try $0.update(visit)
        }
      }
      try live.expect(["R- [0,0] #\(first)"]) {
        _ = try store.write { try $0.delete(Visit.self, key: first) }
      }
      #expect(live.results.path(of: third) == ItemPath(section: 0, item: 1))
      #expect(live.results.snapshot.id(at: ItemPath(section: 0, item: 0)) == second)
    }
  }

  @Test func randomTransactionsAreFollowedByBlobs() throws {
    for kind in StorageKind.allCases {
      var random = SeededRandom(seed: 7)
      try withStore(kind) { store in
        try store.write { try NeighborRecord.createTable(in: $0.database) }
        let live = try LiveResults(
          Visits().sectioned(by: \.guest).sort(by: \.iso, .descending), in: store)
        for _ in 0..<40 {
          _ = try live.changes {
            try store.write { transaction in
              for _ in 0..<3 {
                let byte = UInt8.random(in: 0..<20, using: &random)
                let id = UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte))
                let guest = Bool.random(using: &random) ? first : second
                let date = early.addingTimeInterval(Double.random(in: 0..<5, using: &random))
                if Int.random(in: 0..<4, using: &random) == 0 {
                  try transaction.delete(Visit.self, key: id)
                } else {
                  try transaction.save(Visit(id: id, guest: guest, date: date))
                }
              }
            }
          }
        }
      }
    }
  }

  // MARK: - Hints

  private func hint<Value: StorableValue & Equatable>(
    reading sql: String, as type: Value.Type, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String? {
    try withTransaction("\(Holder<Value>.table); INSERT INTO holder VALUES (5, \(sql))") {
      transaction throws in
      let error = storeError(
        { _ = try transaction.fetchOne(Holder<Value>.self, key: 5) },
        sourceLocation: sourceLocation)
      #expect(error?.code == .decodingFailed, sourceLocation: sourceLocation)
      return error?.hint
    }
  }

  @Test(arguments: [
    ("x'0102030405060708090a0b0c0d0e0f10'", ".uuidBlob"),
    ("'01020304-0506-0708-090a-0b0c0d0e0f10'", ".uuidLowercase"),
  ]) func anErrorNamesTheFormOfAUUID(sql: String, form: String) throws {
    let hint = try hint(reading: sql, as: UUID.self)
    #expect(hint?.hasSuffix("declare the column with \(form).") == true, "\(hint ?? "none")")
    let wrapped = try self.hint(reading: sql, as: UUID?.self)
    #expect(wrapped == hint)
  }

  @Test(arguments: [
    ("1700000000", ".unixSeconds"), ("1700000000123", ".unixMilliseconds"),
    ("1700000000.5", ".unixSecondsReal"), ("'2026-01-31T23:59:59Z'", ".iso8601"),
    ("'2026-01-31T23:59:59.123Z'", ".iso8601Milliseconds"),
  ]) func anErrorNamesTheFormOfADate(sql: String, form: String) throws {
    let hint = try hint(reading: sql, as: Date.self)
    #expect(hint?.hasSuffix("declare the column with \(form).") == true, "\(hint ?? "none")")
  }

  @Test func otherValuesGetTheUsualHint() throws {
    #expect(
      try hint(reading: "x'01'", as: UUID.self)
        == "Correct the stored value, or change the type of the property.")
    #expect(
      try hint(reading: "'31.1.2026'", as: Date.self)
        == "Correct the stored value, or change the type of the property.")
  }

  @Test func aKeyInAnotherFormIsRefusedWithAHint() throws {
    try withVisits { store in
      let insertion = """
        INSERT INTO visit SELECT '01020304-0506-0708-090A-0B0C0D0E0F10', guest, plain, seconds, real,
          milliseconds, iso FROM visit LIMIT 1
        """
      try store.write { try $0.execute(insertion) }
      let results = try store.results(of: Visits())
      let recorder = ChangeRecorder<UUID, Visit>()
      results.delegate = recorder
      try? results.load()
      let error = try #require(recorder.errors.first as? StoreError)
      #expect(error.code == .decodingFailed)
      #expect(
        error.hint
          == "The stored value is in Sectile's own form: declare the column without one.")
    }
  }

  @Test func aFormOfAnotherTypeIsRefused() throws {
    let error = try withTransaction("CREATE TABLE wrong (id INTEGER PRIMARY KEY, date)") {
      transaction throws in
      storeError { try transaction.insert(Wrong(id: 1, date: early)) }
    }
    #expect(error?.code == .encodingFailed)
    #expect(
      error?.message
        == "wrong.date cannot be written: the column is declared with .uuidBlob, and Date has no "
        + "such form.")
  }

  @Test func fractionsAreCutOffAsTheFormSays() throws {
    let date = Date(timeIntervalSince1970: -1.25)
    let forms: [(ColumnEncoding, StoredValue)] = [
      (.standard, "1969-12-31 23:59:58.750"), (.unixSeconds, -2), (.unixSecondsReal, -1.25),
      (.unixMilliseconds, -1250), (.iso8601, "1969-12-31T23:59:58Z"),
      (.iso8601Milliseconds, "1969-12-31T23:59:58.750Z"),
    ]
    for (form, value) in forms {
      #expect(try date.storedValue(in: form) == value, "\(form)")
      #expect(try Date?.some(date).storedValue(in: form) == value, "\(form)")
    }
    #expect(try Date?.none.storedValue(in: .unixSeconds) == .null)
    #expect(throws: ColumnValueError.self) {
      try Date(timeIntervalSince1970: 1e15).storedValue(in: .unixSeconds)
    }
  }
}

/// An entity whose schema asks for what a date cannot be.
private struct Wrong: Entity {
  var id: Int64
  var date: Date

  static let schema = EntitySchema<Wrong>(
    "wrong", primaryKey: "id",
    attributes: .init("id", \.id), .init("date", \.date, as: .uuidBlob))

  init(id: Int64, date: Date) {
    self.id = id
    self.date = date
  }

  init(row: inout RowReader) throws { (id, date) = try (row.next(), row.next()) }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(date)
  }
}
