import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Sections of a list that is known beforehand.
@Suite(.timeLimit(.minutes(10))) struct FixedSectionTests {
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
}
