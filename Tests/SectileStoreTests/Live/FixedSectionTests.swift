import GRDB
import GRDBSQLite
import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Sections of a list that is known beforehand.
@Suite(.timeLimit(.minutes(60))) struct FixedSectionTests {
  private func titles(_ live: LiveResults<Track>) -> [String] {
    live.results.sections.map(\.title)
  }

  // MARK: - Titles

  @Test(arguments: StorageKind.allCases)
  func anEmptySectionIsCalledWhatItsRelatedRowSays(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Music.script) { store in
      try store.write { try $0.execute("INSERT INTO artist VALUES (7, 'Ella', NULL)") }
      let request = FetchRequest<Track>().sort(by: \.name)
      for live in [
        try LiveResults(
          request.sectioned(by: \.artistID, sections: [2, 7, 1, 9]) {
            $0.titled(with: \.artist.name)
          }, in: store),
        try LiveResults(
          request.sectioned(by: \.artist.id, sections: [2, 7, 1, 9]) {
            $0.titled(with: \.artist.name)
          }, in: store),
      ] {
        #expect(titles(live) == ["Otis", "Ella", "Nina", "9"])
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func anEmptySectionFollowsItsRelatedRow(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Music.script) { store in
      try store.write { try $0.execute("INSERT INTO artist VALUES (7, 'Ella', 1)") }
      let request = FetchRequest<Track>()
        .sectioned(by: \.artistID, sections: [2, 7, 1, nil, 9]) { $0.titled(with: \.artist.name) }
        .sort(by: \.name)
      let live = try LiveResults(request, in: store)
      #expect(titles(live) == ["Otis", "Ella", "Nina", "", "9"])
      for (sql, titles) in [
        ("UPDATE artist SET name = 'Billie' WHERE id = 7", ["Otis", "Billie", "Nina", "", "9"]),
        ("INSERT INTO artist VALUES (9, 'Sarah', NULL)", ["Otis", "Billie", "Nina", "", "Sarah"]),
        ("DELETE FROM track WHERE artist_id = 2", ["Otis", "Billie", "Nina", "", "Sarah"]),
        ("UPDATE track SET artist_id = 7 WHERE id = 1", ["Otis", "Billie", "Nina", "", "Sarah"]),
        ("DELETE FROM artist WHERE id = 2", ["2", "Billie", "Nina", "", "Sarah"]),
        ("UPDATE track SET artist_id = 1 WHERE id = 1", ["2", "Billie", "Nina", "", "Sarah"]),
        ("UPDATE artist SET name = 'Dinah' WHERE id = 7", ["2", "Dinah", "Nina", "", "Sarah"]),
      ] {
        _ = try live.changes { try store.write { try $0.execute(sql) } }
        #expect(self.titles(live) == titles, "\(sql)")
        let fetched = try store.read { try $0.fetchSections(request) }
        #expect(fetched.map(\.title) == titles.map { $0.isEmpty ? "NULL" : $0 }, "\(sql)")
      }
    }
  }

  @Test func aTitleOfTheRowItselfIsNotThereWithoutRows() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let live = try LiveResults(
        FetchRequest<Track>().sectioned(by: \.artistID, sections: [2, 7]) {
          $0.titled(with: \.name)
        }.sort(by: \.name), in: store)
      #expect(titles(live).last == "7")
      try store.write { try $0.execute("DELETE FROM track") }
      #expect(titles(live) == ["2", "7"])
    }
  }

  // MARK: - Many sections

  /// Each further value once took SQLite as long as all before it.
  @Test func thousandsOfSectionsAreFollowed() throws {
    try SmallWorld.run(.memory) { store in
      let list = (0..<4_000).map { StoredValue.text("s\(3_999 - $0)") }
      var plan = SmallWorld.plan
      plan.section = FetchPlan.Section(identity: plan.term("s"), fixedSections: list)
      try store.write {
        try $0.execute("UPDATE item SET s = 's' || (id * 7)")
      }
      let live = try LiveResults(plan, in: store)
      #expect(live.results.numberOfSections == 4_000)
      let paths = try [7, 14, 21, 28].map { section in
        try #require(live.results.snapshot.section(withIdentity: .text("s\(section)")))
      }
      #expect(paths == [3_992, 3_985, 3_978, 3_971])
      try live.expect(["R> [3992,0]→[0,0] #1*"]) {
        try store.write { try $0.execute("UPDATE item SET s = 's3999' WHERE id = 1") }
      }
    }
  }

  @Test func moreThanSQLiteBindsIsRefusedWithAHint() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let ids = (1...60).map { Int64($0) }
      let listed = FetchRequest<Track>().sectioned(by: \.artistID, sections: ids)
      let filtered = FetchRequest<Track>().filter { ids.contains($0.id) }
      store.databaseWriter.writeWithoutTransaction { db in
        _ = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_VARIABLE_NUMBER, 50)
      }
      for (request, hint) in [(listed, "a position"), (filtered, "json_each")] {
        for attempt in [
          { _ = try store.read { try $0.fetchAll(request) } },
          { _ = try store.read { try $0.fetchCount(request) } },
          { _ = try store.read { try $0.fetchSections(request) } },
          { _ = try store.explain(request) },
        ] as [() throws -> Void] {
          let error = #expect(throws: StoreError.self, performing: attempt)
          #expect(error?.code == .invalidRequest)
          #expect(error?.hint?.contains(hint) == true)
        }
        let results = try store.results(of: request)
        let error = #expect(throws: StoreError.self) { try results.load() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.hint?.contains(hint) == true)
      }
    }
  }

  @Test func whatSQLiteBindsIsNotRefused() throws {
    let limit = try Music.read {
      Int(sqlite3_limit($0.db.sqliteConnection, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
    }
    let ids = (1...min(limit - 100, 33_000)).map { Int64($0) }
    let request = FetchRequest<Track>().filter { ids.contains($0.id) }
    #expect(try Music.read { try $0.fetchCount(request) } == 6)
  }
}
