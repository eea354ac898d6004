import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Results whose rows are known by a text.
@Suite(.timeLimit(.minutes(60))) struct TextKeyTests {
  struct Note: Entity, Equatable {
    var id: String
    var s: String
    var k: Int

    static let schema = EntitySchema<Note>(
      "note", primaryKey: "id",
      attributes: .init("id", \.id), .init("s", \.s), .init("k", \.k))

    init(row: inout RowReader) throws {
      id = try row.next()
      s = try row.next()
      k = try row.next()
    }

    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(s)
      try row.append(k)
    }
  }

  static let schema =
    "CREATE TABLE note (id TEXT PRIMARY KEY NOT NULL, s TEXT NOT NULL, k INTEGER NOT NULL)"

  /// Texts of any length; none that Swift holds equal to another of other bytes, as identities of
  /// items are compared by it.
  private static func key(_ random: inout SeededRandom) -> String {
    let number = Int.random(in: 0..<60, using: &random)
    let odd = ["", "e\u{301}", "\u{E8}", "a", "A", "7", "7.0", "\u{1F600}"]
    return number < odd.count ? odd[number] : String(repeating: "k", count: number) + "\(number)"
  }

  private static func statement(_ random: inout SeededRandom) -> (sql: String, key: String) {
    let key = key(&random)
    let (s, k) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<9, using: &random))
    let sql =
      switch Int.random(in: 0..<5, using: &random) {
      case 0: "DELETE FROM note WHERE id = ?"
      case 1: "UPDATE OR IGNORE note SET id = id || '\(k)' WHERE id = ?"
      case 2: "UPDATE note SET k = \(k), s = 'S\(s)' WHERE id = ?"
      default: "INSERT OR REPLACE INTO note VALUES (?, 'S\(s)', \(k))"
      }
    return (sql, key)
  }

  @Test(arguments: StorageKind.allCases, 1...4 as ClosedRange<UInt64>)
  func randomTransactionsAreFollowed(_ kind: StorageKind, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let live = try LiveResults(
        FetchRequest<Note>().sectioned(by: \.s).sort(by: \.k), in: store)
      for step in 0..<60 {
        let count = step % 20 == 7 ? 150 : Int.random(in: 1...3, using: &random)
        _ = try live.changes {
          try store.write { transaction in
            for _ in 0..<count {
              let (sql, key) = Self.statement(&random)
              try transaction.execute(sql, key)
            }
          }
        }
        let snapshot = live.results.snapshot
        for rank in 0..<snapshot.numberOfItems {
          let path = snapshot.path(atRank: rank)
          #expect(snapshot.path(of: snapshot.id(at: path)) == path)
        }
      }
      #expect(live.results.statistics.resyncCount == 0)
    }
  }

  @Test func aKeyThatIsNoTextIsAnError() throws {
    try SmallWorld.run(.memory, schema: "CREATE TABLE note (id PRIMARY KEY NOT NULL, s, k)") {
      store in
      try store.write { try $0.execute("INSERT INTO note VALUES ('a', 's', 1), (7, 's', 2)") }
      let recorder = ChangeRecorder<String, Note>()
      let results = try store.results(of: FetchRequest<Note>().sort(by: \.k))
      results.delegate = recorder
      #expect(storeError { try results.load() }?.code == .decodingFailed)
      #expect(recorder.events.contains { if case .didFail = $0 { true } else { false } })
      #expect(results.numberOfItems == 0)
    }
  }
}
