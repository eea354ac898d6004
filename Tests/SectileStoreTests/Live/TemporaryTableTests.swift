import SectileCore
import SectileStore
import SectileTestSupport
import Testing

/// A temporary table that has the name of a followed one takes nothing away from it.
@Suite(.timeLimit(.minutes(60))) struct TemporaryTableTests {
  private static let shadow = """
    CREATE TEMP TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, v TEXT, u TEXT);
    INSERT INTO temp.item VALUES (1, 'T', 9, 't', 't'), (77, 'T', 9, 't', 't')
    """

  @Test(arguments: StorageKind.allCases)
  func resultsFollowTheTableOfTheFile(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try LiveResults(SmallWorld.plan, in: store)
      try live.expect([]) { try store.write { try $0.execute(Self.shadow) } }
      try live.expect(["R~ [0,0]→[0,0] #1"]) {
        try store.write { try $0.execute("UPDATE main.item SET v = 'y' WHERE id = 1") }
      }
      try live.expect([]) { try store.write { try $0.execute("UPDATE temp.item SET k = 10") } }
      try live.expect(["R- [0,2] #3"]) {
        try store.write { try $0.execute("DELETE FROM main.item WHERE id = 3") }
      }
      let later = try LiveResults(SmallWorld.plan, in: store)
      #expect(later.results.numberOfItems == 3)
    }
  }

  @Test func entitiesAreThoseOfTheFile() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      try store.write { tx in
        try tx.execute("CREATE TEMP TABLE label (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        try tx.execute("INSERT INTO temp.label VALUES (1, 'temporary')")
        var label = try #require(try tx.fetchAll(FetchRequest<Label>()).first)
        #expect(label.name != "temporary")
        label.name = "new"
        try tx.save(label)
        #expect(
          try tx.query("SELECT name FROM temp.label WHERE id = 1").first?.values[0] == "temporary")
        #expect(try tx.query("SELECT name FROM main.label WHERE id = 1").first?.values[0] == "new")
      }
    }
  }

  @Test func sqlThatReadsATemporaryTableIsRefused() throws {
    try SmallWorld.run(.memory) { store in
      try store.write { try $0.execute("CREATE TEMP TABLE wanted (id INTEGER PRIMARY KEY)") }
      var plan = SmallWorld.plan
      plan.filter = SQLFragment("id IN (SELECT id FROM wanted)")
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      let results = try store.results(of: plan)
      results.delegate = recorder
      #expect(storeError { try results.load() }?.code == .invalidRequest)
      #expect((recorder.errors.first as? StoreError)?.code == .invalidRequest)
    }
  }
}
