import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// The token of live results is that of what they show, not of what is on its way.
@Suite(.timeLimit(.minutes(60))) struct ResultsTokenTests {
  private static let schema = """
    CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT, title TEXT);
    CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO song WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      SELECT i, char(65 + i % 5), printf('%03d', i) FROM n;
    """

  private static func plan(_ collation: TextCollation? = nil) -> FetchPlan {
    var plan = FetchPlan(table: "song", keyColumns: ["id"], itemColumns: ["id", "genre", "title"])
    plan.section = FetchPlan.Section(identity: plan.term("genre"))
    plan.sort = [plan.term("title", collation: collation)]
    return plan
  }

  /// Callbacks that wait until the test runs them.
  private final class Jobs: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    var delivery: CallbackDelivery {
      CallbackDelivery { [self] job in waiting.withLock { $0.append(job) } }
    }

    /// Runs the next one; false where there is none.
    @discardableResult func runNext() -> Bool {
      guard let job = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
        return false
      }
      job()
      return true
    }

    func runAll() { while runNext() {} }
  }

  /// What somebody keeps: a token, and what was shown with it.
  private struct Point {
    let token: ChangeToken
    let contents: ReplayedResults.Contents
  }

  /// Returns what is wrong with a point, read in a new store, or nil.
  private func problem(with point: Point, in path: String) async throws -> String? {
    let store = try await Store.open(at: path, configuration: SmallWorld.configuration)
    let results = try store.results(of: Self.plan())
    let resumed = try await results.load(since: point.token)
    let now = try await results.contents()
    try await store.close()
    guard case .changes(let changes) = resumed else { return "\(resumed)" }
    let reached = try point.contents.applying(changes)
    return reached.sections == now.sections ? nil : "reached \(reached) instead of \(now)"
  }

  @Test func whatIsOnItsWayIsNotInTheToken() async throws {
    let file = try LoggedFile(Self.schema)
    let jobs = Jobs()
    let results = try file.store.results(of: Self.plan(), delivery: jobs.delivery)
    let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
    results.delegate = recorder
    try results.loadHere()
    jobs.runAll()
    // Others show at once what these are told later.
    let ahead = try file.store.results(of: Self.plan())
    try ahead.loadHere()
    jobs.runAll()
    var tokens = [try #require(ahead.token)]
    #expect(results.token == tokens[0])
    try file.store.commit("DELETE FROM song WHERE id = 1")
    tokens.append(try #require(ahead.token))
    try file.other.commit("UPDATE song SET title = 'x' WHERE id = 2")
    try file.store.look()
    tokens.append(try #require(ahead.token))
    // A commit that is none of theirs is in what they show, as soon as all before it is.
    try file.store.commit("INSERT INTO label VALUES (1, 'l')")
    tokens.append(try #require(ahead.token))
    try file.store.commit("UPDATE song SET genre = 'Q' WHERE id = 3")
    tokens.append(try #require(ahead.token))
    #expect(Set(tokens).count == 5)
    var points: [Point] = []
    var version = results.version
    let first = results.version
    repeat {
      let token = try #require(results.token)
      if points.isEmpty || version != results.version {
        points.append(Point(token: token, contents: recorder.contents))
        version = results.version
      }
    } while jobs.runNext()
    #expect(results.version == first + 3)
    #expect(points.map(\.token) == [tokens[0], tokens[1], tokens[3], tokens[4]])
    try file.close()
    for point in points {
      let problem = try await problem(with: point, in: file.path)
      #expect(problem == nil)
    }
  }

  /// Nobody has asked before.
  @Test func theFirstTokenIsThatOfWhatIsShown() async throws {
    let file = try LoggedFile(Self.schema)
    let jobs = Jobs()
    let results = try file.store.results(of: Self.plan(), delivery: jobs.delivery)
    let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
    results.delegate = recorder
    #expect(results.token == nil)
    try results.loadHere()
    jobs.runAll()
    let before = try await file.store.history().token
    try file.store.commit("DELETE FROM song WHERE id = 1")
    let token = try #require(results.token)
    #expect(token.place == before.place)
    let point = Point(token: token, contents: recorder.contents)
    #expect(point.contents.count == 60)
    jobs.runAll()
    try file.close()
    let problem = try await problem(with: point, in: file.path)
    #expect(problem == nil)
  }

  /// A load reads beside the writer; what is committed meanwhile is shown when it has caught up.
  @Test(arguments: [false, true], [false, true])
  func whatALoadHasNotReadIsNotInTheToken(isOwn: Bool, isNewRequest: Bool) throws {
    let meddler = Meddler()
    let file = try LoggedFile(Self.schema) { $0.collations = [meddler.collation] }
    var plan = Self.plan(meddler.collation)
    let results = try file.store.results(of: plan)
    try results.loadHere()
    let before = try #require(results.token)
    let (store, path) = (file.store, file.path)
    let seen = Mutex<[(place: LogPlace?, resumable: ResumableVersion?)]>([])
    meddler.arm {
      if isOwn {
        try store.commit("DELETE FROM song WHERE id = 7")
      } else {
        let other = try ForeignConnection(path)
        try other.commit("DELETE FROM song WHERE id = 7")
        other.close()
        try store.look()
      }
      // Not yet in what is shown.
      #expect(results.numberOfItems == 60)
      seen.withLock { $0.append((results.token?.place, results.resumableVersion)) }
    }
    if isNewRequest {
      plan.sort.append(plan.term("genre"))
      try results.update(to: plan)
    } else {
      try results.loadHere()
    }
    #expect(meddler.hasEnded.withLock { $0 })
    for (place, resumable) in seen.withLock({ $0 }) {
      #expect((place?.sequence ?? 0) <= before.place.sequence)
      #expect((resumable?.point.place.sequence ?? 0) <= before.place.sequence)
    }
    #expect(results.numberOfItems == 59)
    #expect(try #require(results.token).place.sequence > before.place.sequence)
    try file.close()
  }

  /// Whenever somebody takes a token, it leads on from what was shown.
  @Test(arguments: SeededRandom.batches(debug: 24, release: 240, of: 8))
  func everyTokenLeadsOnFromWhatWasShown(seeds: Range<UInt64>) async throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let kind =
        [StorageKind.file, .adoptedPool, .adoptedQueue].randomElement(using: &random) ?? .file
      let file = try LoggedFile(Self.schema, kind)
      let jobs = Jobs()
      let results = try file.store.results(of: Self.plan(), delivery: jobs.delivery)
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      results.delegate = recorder
      try results.loadHere()
      var points: [Point] = []
      for _ in 0..<40 {
        let id = Int.random(in: 1...70, using: &random)
        let statements = [
          "DELETE FROM song WHERE id = \(id)", "UPDATE song SET title = 'n' || id WHERE id = \(id)",
          "REPLACE INTO song VALUES (\(id), 'R', 'r\(id)')",
          "INSERT INTO label (name) VALUES ('x')",
          "UPDATE song SET genre = 'C' WHERE id % 9 = \(id % 9)",
          "UPDATE OR REPLACE song SET id = \(id) WHERE id = \(id + 1)",
        ]
        let sql = statements.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<3: try file.store.commit(sql)
        case 3..<5: try file.other.commit(sql)
        case 5: try file.store.look()
        case 6:
          try? await file.store.write { transaction in
            try transaction.execute(sql)
            throw CancellationError()
          }
        case 7: if random.chance(0.3) { try results.loadHere() }
        case 8: if random.chance(0.2) { try file.other.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        default: jobs.runNext()
        }
        // While a changeset is carried out, what is shown is what the recorder has.
        if let token = results.token, recorder.contents.version == results.version {
          points.append(Point(token: token, contents: recorder.contents))
        }
      }
      jobs.runAll()
      try file.close()
      #expect(points.count > 5, "seed \(seed)")
      for point in points.shuffled(using: &random).prefix(12) {
        let problem = try await problem(with: point, in: file.path)
        #expect(problem == nil, "seed \(seed), \(kind)")
      }
    }
  }
}
