internal import Sectile
internal import SectileTestSupport

/// Random transactions, and after each of them replay, live results and a fetch compared.
struct RandomCase: ReliabilityCase {
  let name = "random"
  let summary = "random transactions; replay equals live results equals a fetch"

  func run(seed: UInt64, tally: inout Tally) throws {
    var random = SeededRandom(seed: seed)
    let folder = try Folder()
    var configuration = StoreConfiguration()
    configuration.synchronous = .off
    configuration.externalChangePolling = nil
    let isFile = random.chance(0.3)
    let store =
      isFile
      ? try Store.open(
        at: folder.database, configuration: configuration, migrations: Model.migrations)
      : try Store.inMemory(configuration: configuration, migrations: Model.migrations)
    let bodies: [StoredValue] = [
      .text(""), .text("a"), .text("A"), .text("é"), .text("e\u{301}"), .text("a\0b"), .text("z "),
    ]
    // Numbers that a digest could take for each other: complements, negations.
    let numbers: [StoredValue] = [0, -1, 1, -2, 9, -10, 1 << 53, (1 << 53) + 1].map { .integer($0) }
    var generator = RandomTransactions(
      on: [
        .init(
          "entry", key: ["id": (1...12).map { .integer($0) }],
          columns: ["batch": numbers, "body": bodies])
      ], random: random.fork())
    let requests: [FetchRequest<Entry>] = [
      .byBatch, FetchRequest().sort(by: \.batch),
      FetchRequest().sectioned(by: \.body).sort(by: \.batch),
      FetchRequest().filter { $0.batch > 0 }.sort(by: \.body),
      FetchRequest().sort(by: \.body).limit(5),
    ]
    let followed = try requests.map { request in
      let results = try store.results(of: request)
      let recorder = ChangeRecorder<Int64, Entry>()
      results.delegate = recorder
      try results.load()
      return (request, results, recorder)
    }
    for turn in 0..<25 {
      let steps = generator.next()
      try store.write { try RandomTransactions.run(steps, in: $0) }
      for (number, (request, results, recorder)) in followed.enumerated() {
        let fetched = try store.read { try $0.fetchAll(request) }
        let shown = recorder.contents.sections.flatMap { $0.rows.map(\.item) }
        let violations = recorder.violations + recorder.verify(against: results)
        guard shown == fetched, violations.isEmpty, recorder.errors.isEmpty else {
          throw Finding(
            "request \(number), transaction \(turn): \(violations) \(recorder.errors) replayed "
              + "\(shown), fetched \(fetched), after \(steps)")
        }
        recorder.reset()
      }
    }
    tally.cycles += 1
    try store.close()
  }
}
