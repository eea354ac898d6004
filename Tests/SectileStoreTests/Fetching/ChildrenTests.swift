import Foundation
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Related rows that stand in an item.
@Suite(.timeLimit(.minutes(60))) struct ChildrenTests {
  /// An artist with some of the tracks.
  struct Shelf: Identifiable, Equatable, Sendable {
    var id: Int64
    var name: String
    var tracks: Children<Track>
  }

  /// A track with all that listened to it.
  struct Hearing: Identifiable, Equatable, Sendable {
    var id: Int64
    var listens: Children<Listen>
  }

  static func shelves(
    _ request: FetchRequest<Artist> = FetchRequest(),
    _ tracks: (EntityFields<Artist>) -> FieldExpression<Children<Track>>
  ) -> ProjectedRequest<Artist, Shelf> {
    request.selecting({ ($0.id, $0.name, tracks($0)) }, as: Shelf.init)
  }

  static let shelfRequests: [ProjectedRequest<Artist, Shelf>] = [
    shelves { $0.tracks.all(by: \.name) },
    shelves { $0.tracks.first(1, by: \.plays, .descending) },
    shelves { $0.tracks.first(2, by: \.artist.label.name, nulls: .last) { !$0.isBonus } },
    shelves {
      $0.tracks.first(3, by: { $0.listens.count }) { $0.listens.exists { $0.minutes > 4 } }
    },
    shelves(FetchRequest().filter { $0.tracks.isPresent }.sort(by: { $0.tracks.count }).limit(2)) {
      $0.tracks.first(2, by: \.name, collation: .nocase)
    },
    shelves { $0.tracks.first(0, by: \.name) },
  ]

  private func follow<E, Item: Identifiable & Equatable & Sendable>(
    _ request: ProjectedRequest<E, Item>, _ kind: StorageKind,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws where Item.ID: EntityKey {
    try SmallWorld.run(kind, schema: Music.script) { store in
      let live = try LiveResults(try store.results(of: request)) { try store.results(of: request) }
      #expect(try live.results.strategy.kind != .refetching, sourceLocation: sourceLocation)
      for sql in ProjectedRequestTests.transactions {
        _ = try live.changes(sourceLocation: sourceLocation) {
          try store.write { try $0.execute(sql) }
        }
        let fetched = try store.read { try $0.fetchAll(request) }
        #expect(try items(of: live.results) == fetched, "\(sql)", sourceLocation: sourceLocation)
      }
    }
  }

  private func items<Item>(of results: SectionedResults<Item>) throws -> [Item] {
    try results.snapshot.materialized().sections.flatMap(\.rows).map(\.item)
  }

  @Test(arguments: StorageKind.allCases, shelfRequests.indices)
  func childrenAreFollowed(_ kind: StorageKind, _ number: Int) throws {
    try follow(Self.shelfRequests[number], kind)
  }

  @Test(arguments: StorageKind.allCases)
  func childrenOfFilteredRowsAreFollowed(_ kind: StorageKind) throws {
    try follow(
      FetchRequest<Track>().filter { $0.artist.name.hasValue }.sectioned(by: \.genre)
        .selecting({ ($0.id, $0.listens.first(2, by: \.minutes, .descending)) }, as: Hearing.init),
      kind)
  }

  /// The artists of the tracks of a label: what related rows refer to.
  struct Roster: Identifiable, Equatable, Sendable {
    var id: Int64
    var labels: Children<Label>
  }

  @Test(arguments: StorageKind.allCases)
  func whatRelatedRowsReferToIsFollowed(_ kind: StorageKind) throws {
    let request = FetchRequest<Artist>().selecting(
      { ($0.id, $0.tracks.first(2, of: \.artist.label, by: \.name)) }, as: Roster.init)
    try follow(request, kind)
    try SmallWorld.run(kind, schema: Music.script) { store in
      let rosters = try store.read { try $0.fetchAll(request) }
      #expect(
        rosters.map { $0.labels.map(\.name) } == [["Verve", "Verve"], ["Stax", "Stax"], []])
    }
  }

  @Test func theyAreReadInOrder() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let request = Self.shelves(FetchRequest().sort(by: \.name)) {
        $0.tracks.first(1, by: \.plays, .descending) { $0.rating.hasValue }
      }
      let shelves = try store.read { try $0.fetchAll(request) }
      #expect(shelves.map(\.name) == ["Abbey", "Nina", "Otis"])
      #expect(shelves.map { $0.tracks.map(\.name) } == [[" Tramp_ "], ["Sinnerman"], ["Respect"]])
      let track = try store.read { try $0.fetchOne(Track.self, key: 1) }
      #expect(shelves[1].tracks.first == track)
    }
  }

  /// Only the items are read again whose children a commit touches.
  @Test func aCommitReadsTheItemsItConcerns() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let request = Self.shelves { $0.tracks.first(1, by: \.plays, .descending) }
      let live = try LiveResults(try store.results(of: request)) { try store.results(of: request) }
      try live.expect(["R~ [0,1]→[0,1] #2"]) {
        try store.write { try $0.execute("UPDATE track SET plays = 8 WHERE id = 4") }
      }
      // The row that is not shown is looked at, and changes nothing.
      try live.expect([]) {
        try store.write { try $0.execute("UPDATE track SET plays = 3 WHERE id = 3") }
      }
      try live.expect(["R~ [0,0]→[0,0] #1"]) {
        try store.write { try $0.execute("UPDATE track SET artist_id = 3 WHERE id = 1") }
      }
      #expect(live.results.statistics.rebuildCount == 0)
      #expect(live.results.statistics.rereadRowCount == 4)
    }
  }

  // MARK: - Values

  /// A row with a column of each kind.
  struct Piece: Entity, Equatable, Codable {
    var id: Int64
    var whole: Int64?
    var real: Double?
    var text: String?
    var bytes: [UInt8]?

    init(id: Int64, whole: Int64?, real: Double?, text: String?, bytes: [UInt8]?) {
      (self.id, self.whole, self.real, self.text, self.bytes) = (id, whole, real, text, bytes)
    }

    static let schema = EntitySchema<Piece>(
      "piece", primaryKey: "id", attributes: .init("id", \.id), .init("whole", \.whole),
      .init("real", \.real), .init("text", \.text), .init("bytes", \.bytes))
    init(row: inout RowReader) throws {
      id = try row.next()
      whole = try row.next()
      real = try row.next()
      text = try row.next()
      bytes = try row.next()
    }
    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(whole)
      try row.append(real)
      try row.append(text)
      try row.append(bytes)
    }
  }

  struct Whole: Entity {
    var id: Int64

    struct Relationships: EntityRelationships {
      let pieces = ToMany<Piece>("whole")
      init() {}
    }

    static let schema = EntitySchema<Whole>(
      "whole", primaryKey: "id", attributes: .init("id", \.id))
    init(row: inout RowReader) throws { id = try row.next() }
    func write(to row: inout RowWriter) throws { try row.append(id) }
  }

  struct Broken: Identifiable, Equatable, Sendable, Codable {
    var id: Int64
    var pieces: Children<Piece>
  }

  private static let broken = FetchRequest<Whole>().selecting(
    { ($0.id, $0.pieces.all(by: \.id)) }, as: Broken.init)

  private func makeStore() throws -> Store {
    let store = try Store.inMemory()
    try store.write {
      try $0.execute(
        """
        CREATE TABLE whole (id INTEGER PRIMARY KEY);
        CREATE TABLE piece (id INTEGER PRIMARY KEY, whole INTEGER, real REAL, text TEXT, bytes BLOB);
        INSERT INTO whole VALUES (1), (2);
        """)
    }
    return store
  }

  @Test func valuesAreThoseOfTheTable() throws {
    let store = try makeStore()
    var random = SeededRandom(seed: 7)
    var pieces: [Piece] = [
      Piece(id: .min, whole: 1, real: 0.1 + 0.2, text: "a\u{0}b", bytes: []),
      Piece(
        id: -1, whole: 1, real: .infinity, text: "\u{301}é\"\\/\u{1F1E9}\u{1F1EA}",
        bytes: [0, 255]),
      Piece(id: 0, whole: 1, real: -.greatestFiniteMagnitude, text: "", bytes: nil),
      Piece(id: 1, whole: 1, real: .leastNonzeroMagnitude, text: "7", bytes: [39, 34]),
      Piece(id: .max, whole: 1, real: nil, text: nil, bytes: nil),
    ]
    for id in 100..<600 {
      let bits = UInt64.random(in: .min ... .max, using: &random)
      let real = Double(bitPattern: bits)
      pieces.append(
        Piece(
          id: Int64(id), whole: 1, real: real.isNaN ? nil : real,
          text: String(decoding: [UInt8(id % 128), 116], as: UTF8.self), bytes: [UInt8(id % 256)]))
    }
    pieces.sort { $0.id < $1.id }
    try store.write { tx in for piece in pieces { try tx.insert(piece) } }
    let items = try store.read { try $0.fetchAll(Self.broken) }
    #expect(items.map(\.pieces) == [Children(pieces), []])
    let text = try JSONEncoder().encode(Broken(id: 1, pieces: Children(pieces.suffix(2))))
    #expect(try JSONDecoder().decode(Broken.self, from: text).pieces == Children(pieces.suffix(2)))
  }

  @Test func rowsThatDoNotFitAreErrors() throws {
    let store = try makeStore()
    try store.write { try $0.execute("INSERT INTO piece VALUES (1, 2, 'secret', NULL, NULL)") }
    let error = #expect(throws: StoreError.self) {
      try store.read { try $0.fetchAll(Self.broken) }
    }
    #expect(error?.code == .decodingFailed)
    #expect(error?.message.contains("rows of piece") == true)
    #expect(error?.message.contains("secret") == false)
  }

  @Test func theyAreNoValuesToCompareWith() throws {
    #expect(throws: ColumnValueError.self) { try Children<Piece>([]).storedValue }
  }
}
