import Foundation
import SectileCore
import SectileStore
import SectileTestSupport
import Testing

/// Rows of a query as items of a type: by the names of columns, as strictly as entities.
@Suite(.timeLimit(.minutes(60))) struct QueryItemTests {
  private struct Artist: Decodable, Identifiable, Equatable, Sendable {
    var id: Int64
    var name: String
    var country: String?
    var tracks: Int
    var longest: Double?
  }

  @Test(arguments: StorageKind.allCases)
  func itemsAreFollowed(_ kind: StorageKind) throws {
    try QueryWorld.run(kind) { store in
      let query = QueryWorld.artists.sectioned(by: "country", nulls: .last)
      let live = try LiveResults<Artist>(try store.results(of: query, as: Artist.self)) {
        try store.results(of: query, as: Artist.self)
      }
      let first = try live.results.item(at: ItemPath(section: 2, item: 0))
      #expect(first == Artist(id: 1, name: "Nina", country: "us", tracks: 2, longest: 200))
      for sql in QueryWorld.transactions {
        _ = try live.changes { try store.write { try $0.execute(sql) } }
      }
      let filtered = query.filter(SQLFragment("tracks > ?", [0])).sort(by: "longest")
      live.expectFresh { try store.results(of: filtered, as: Artist.self) }
      _ = try live.changes { try live.results.update(to: filtered) }
      let items = try store.read { try $0.fetchAll(filtered, as: Artist.self) }
      #expect(items.count == live.results.numberOfItems)
    }
  }

  private struct Pair: EntityKey {
    var country: String
    var title: String

    init(country: String, title: String) { (self.country, self.title) = (country, title) }

    init(keyValues: [StoredValue]) throws {
      var key = KeyReader(keyValues)
      country = try key.next()
      title = try key.next()
    }

    var keyValues: [StoredValue] { country.keyValues + title.keyValues }
  }

  private struct Title: Decodable, Identifiable, Equatable, Sendable {
    var country: String
    var title: String
    var id: Pair { Pair(country: country, title: title) }
  }

  private static let titles = Query(
    """
    SELECT DISTINCT coalesce(artist.country, '') AS country, track.title
    FROM track JOIN artist ON artist.id = track.artist
    """, key: ["country", "title"])

  @Test func aKeyOfSeveralColumnsIsAnIdentity() throws {
    try QueryWorld.run(.memory) { store in
      let live = try LiveResults<Title>(try store.results(of: Self.titles, as: Title.self)) {
        try store.results(of: Self.titles, as: Title.self)
      }
      #expect(live.results.path(of: Pair(country: "se", title: "d")) != nil)
      for sql in QueryWorld.transactions {
        _ = try live.changes { try store.write { try $0.execute(sql) } }
      }
    }
  }

  // MARK: - Types

  private enum Mood: String, Decodable { case calm, wild }

  private struct Everything: Decodable, Identifiable, Sendable {
    var id: UUID
    var flag: Bool
    var small: Int8
    var number: Double
    var wholeNumber: Double
    var text: String
    var data: Data
    var bytes: [UInt8]
    var date: Date
    var missingDate: Date?
    var mood: Mood
    var noMood: Mood?
    var names: [String]
    var absent: Int?
  }

  @Test func eachTypeIsReadAsAnEntityReadsIt() throws {
    let id = UUID()
    let query = Query(
      """
      SELECT :id AS id, 1 AS flag, -8 AS small, 0.5 AS number, 3 AS wholeNumber, 'ä' AS text,
        x'0102' AS data, x'' AS bytes, '2026-01-31 23:59:59.123' AS date, NULL AS missingDate,
        'wild' AS mood, NULL AS noMood, json_array('a', 'b') AS names, NULL AS absent, 7 AS more
      """, key: ["id"], named: ["id": .text(id.uuidString)])
    try QueryWorld.run(.memory) { store in
      let items = try store.read { try $0.fetchAll(query, as: Everything.self) }
      let item = try #require(items.first)
      #expect(item.id == id)
      #expect(item.flag)
      #expect(item.small == -8)
      #expect(item.number == 0.5)
      #expect(item.wholeNumber == 3)
      #expect(item.text == "ä")
      #expect(item.data == Data([1, 2]))
      #expect(item.bytes == [])
      #expect(try item.date.storedValue == .text("2026-01-31 23:59:59.123"))
      #expect(item.missingDate == nil)
      #expect(item.mood == .wild)
      #expect(item.noMood == nil)
      #expect(item.names == ["a", "b"])
      #expect(item.absent == nil)
    }
  }

  private struct One<Value: Decodable & Sendable>: Decodable, Identifiable, Sendable {
    var id: Int
    var value: Value
  }

  private func expectMisfit<Value: Decodable & Sendable>(
    _ sql: String, as type: Value.Type, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try QueryWorld.run(.memory) { store in
      let error = try expectStoreError(.decodingFailed, sourceLocation: sourceLocation) {
        try store.read {
          try $0.fetchAll(
            Query("SELECT 1 AS id, \(sql)", key: ["id"]), as: One<Value>.self)
        }
      }
      #expect(error.message.contains(words), "\(error.message)", sourceLocation: sourceLocation)
      #expect(!error.message.contains("secret"), sourceLocation: sourceLocation)
    }
  }

  @Test func whatDoesNotFitNamesItsColumn() throws {
    try expectMisfit("'secret' AS value", as: Int.self, "query.value of a row: expected an integer")
    try expectMisfit("1 AS value", as: String.self, "query.value of a row: expected text")
    try expectMisfit("300 AS value", as: UInt8.self, "query.value")
    try expectMisfit("2 AS value", as: Bool.self, "query.value")
    try expectMisfit("NULL AS value", as: Int.self, "query.value")
    try expectMisfit("NULL AS value", as: Date.self, "query.value")
    try expectMisfit("'secret' AS value", as: Date.self, "query.value")
    try expectMisfit("'secret' AS value", as: UUID.self, "query.value")
    try expectMisfit("'secret' AS value", as: Mood.self, "query.value")
    try expectMisfit("'secret' AS value", as: [String].self, "query.value")
    try expectMisfit("'[\"secret\"]' AS value", as: [Int].self, "query.value")
  }

  private struct Optionally: Decodable, Identifiable, Sendable {
    var id: Int64
    var nickname: String?
  }

  @Test func aMissingColumnIsAnError() throws {
    try expectMisfit("2 AS other", as: Int.self, "no column value")
    try QueryWorld.run(.memory) { store in
      let error = try expectStoreError(.decodingFailed) {
        try store.read { try $0.fetchAll(QueryWorld.artists, as: Optionally.self) }
      }
      #expect(error.message.contains("no column nickname"))
    }
  }

  private struct Misnamed: Decodable, Identifiable, Sendable {
    var tracks: Int64
    var id: Int64 { tracks }
  }

  private struct Halved: Decodable, Identifiable, Sendable {
    var title: String
    var id: String { title }
  }

  @Test func anIdentityThatIsNotTheKeyIsAnError() throws {
    try QueryWorld.run(.memory) { store in
      let error = try expectStoreError(.decodingFailed) {
        try store.read { try $0.fetchAll(QueryWorld.artists, as: Misnamed.self) }
      }
      #expect(error.message.contains("not the query's key, id."))
      try expectStoreError(.decodingFailed) {
        try store.read { try $0.fetchAll(Self.titles, as: Halved.self) }
      }
      try expectStoreError(.decodingFailed) {
        let results = try store.results(of: Self.titles, as: Halved.self)
        try results.load()
        return try results.item(at: ItemPath(section: 0, item: 0))
      }
    }
  }
}
