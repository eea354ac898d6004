import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Conditions that SQLite would refuse are refused when they are built, before they grow.
@Suite(.timeLimit(.minutes(60))) struct FilterLimitTests {
  private func expectRefused(
    _ request: FetchRequest<Track>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
      try request.makePlan()
    }
    #expect(error?.code == .invalidRequest, sourceLocation: sourceLocation)
    #expect(error?.hint?.contains("contains") == true, sourceLocation: sourceLocation)
  }

  private func chain(_ count: Int) -> FetchRequest<Track> {
    FetchRequest<Track>().filter { track in
      (1..<count).reduce(track.id == 0) { $0 || track.id == Int64($1) }
    }
  }

  @Test func chainIsAsLongAsSQLiteAllowsInLiveResults() throws {
    let longest = SQLExpression.heightLimit - 1
    #expect(try Music.read { try $0.fetchAll(chain(longest)).count } > 0)
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let live = try LiveResults(chain(longest), in: store)
      _ = try live.changes { try store.write { try $0.execute("UPDATE track SET plays = 7") } }
    }
    expectRefused(chain(longest + 1))
  }

  /// As long as the list would be without a limit, each step would copy what was built before:
  /// minutes.
  @Test(arguments: [20_000, 50_000])
  func longChainsAreRefused(_ count: Int) {
    expectRefused(chain(count))
    expectRefused(
      FetchRequest<Track>().filter { track in
        (1..<count).reduce(track.id == 0) { ($0 && track.id != Int64($1)) || track.id == 5 }
      })
    expectRefused(
      FetchRequest<Track>().filter { (0..<count).reduce($0.id == 1) { all, _ in !all } })
    expectRefused(
      (0..<count).reduce(FetchRequest<Track>()) { request, id in
        request.filter { $0.id != Int64(id) }
      })
    expectRefused(
      FetchRequest<Track>().filter { track in
        (0..<count).reduce(track.plays) { sum, _ in sum + 1 } > 5
      })
  }

  /// What the hint for too many values names: one value, however many ids it holds.
  @Test(arguments: StorageKind.allCases)
  func aListInOneValueIsFollowed(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Music.script) { store in
      let json = "[" + (2...40_000).map { "\($0)" }.joined(separator: ",") + "]"
      let request = FetchRequest<Track>().filter { _ in
        FieldExpression<Bool>(
          SQLFragment(#""track"."id" IN (SELECT value FROM json_each(?))"#, [.text(json)]))
      }
      #expect(try store.read { try $0.fetchCount(request) } == 5)
      let live = try LiveResults(request, in: store)
      #expect(try live.results.strategy.kind != .refetching)
      try live.expect(["R~ [0,1]→[0,1] #3"]) {
        try store.write { try $0.execute("UPDATE track SET plays = 8 WHERE id = 3") }
      }
      try live.expect([]) {
        try store.write { try $0.execute("UPDATE track SET plays = 8 WHERE id = 1") }
      }
      try live.expect(["R- [0,0] #2"]) {
        try store.write { try $0.execute("DELETE FROM track WHERE id = 2") }
      }
    }
  }

  @Test(arguments: [StorageKind.memory, .file])
  func tableOfTooManyColumnsIsRefusedInTheLoad(_ kind: StorageKind) throws {
    let names = (1...1_999).map { "c\($0)" }
    let schema = "CREATE TABLE wide (id INTEGER PRIMARY KEY, \(names.joined(separator: ", ")))"
    try SmallWorld.run(kind, schema: schema + "; INSERT INTO wide (id) VALUES (1)") { store in
      let plan = FetchPlan(table: "wide", keyColumns: ["id"], itemColumns: ["id"] + names)
      let results = try store.results(of: plan)
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      results.delegate = recorder
      #expect(storeError { try results.load() }?.code == .invalidRequest)
      #expect((recorder.errors.first as? StoreError)?.code == .invalidRequest)
      let narrower = FetchPlan(
        table: "wide", keyColumns: ["id"], itemColumns: ["id"] + names.dropLast())
      let live = try LiveResults(narrower, in: store)
      #expect(try live.results.item(at: ItemPath(section: 0, item: 0)).row.values.count == 1_999)
    }
  }
}
