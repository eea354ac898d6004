#if Macros
  import Foundation
  import Sectile
  import SectileTestSupport
  import Testing

  // example: sections-entities
  @Entity
  struct Team: Identifiable {
    var id: Int64
    var name: String
    var position: Int
  }

  @Entity
  struct Member: Identifiable {
    var id: Int64
    var name: String
    var teamId: Int64
    var joinedAt: Date

    struct Relationships: EntityRelationships {
      let team = ToOne<Team>("team_id")
    }
  }
  // example: end

  @Suite struct SectionExamples: ExampleSuite {
    let transcript = Transcript()

    private func makeStore(
      _ configuration: StoreConfiguration = StoreConfiguration()
    ) throws -> Store {
      let store = try Store.inMemory(configuration: configuration)
      try store.write { tx in
        try tx.execute(
          """
          CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL, position INTEGER NOT NULL);
          CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL,
            team_id INTEGER NOT NULL REFERENCES team, joined_at TEXT NOT NULL);
          INSERT INTO team VALUES (1, 'Writers', 2), (2, 'Editors', 1);
          INSERT INTO member VALUES (1, 'Ada', 1, '2026-01-31 09:00:00.000'),
            (2, 'Bob', 2, '2026-02-01 09:00:00.000'), (3, 'alma', 1, '2026-02-01 10:00:00.000');
          """)
      }
      return store
    }

    private func sections(_ request: FetchRequest<Member>) throws -> [String] {
      let store = try makeStore()
      return try store.read { tx in
        try tx.fetchSections(request).map { "\($0.title) (\($0.count))" }
      }
    }

    @Test func requestsSayWhatSectionsAre() throws {
      let store = try makeStore()
      let request = FetchRequest<Member>()
      // example: sections-requests
      let byLetter = request.sectioned(by: \.name.firstLetter)
      let byDay = request.sectioned(by: \.joinedAt.calendarDay, .descending)
      let byTeam = request.sectioned(by: \.teamId) {
        $0.ordered(by: \.team.position).titled(with: \.team.name)
      }
      let ofTwoTeams = request.sectioned(by: \.teamId, sections: [2, 7])
      // example: end
      #expect(try sections(byLetter) == ["A (2)", "B (1)"])
      #expect(try sections(byDay) == ["2026-02-01 (2)", "2026-01-31 (1)"])
      #expect(try sections(byTeam) == ["Editors (1)", "Writers (2)"])
      #expect(try sections(ofTwoTeams) == ["2 (1)", "7 (0)"])
      #expect(try store.read { try $0.fetchCount(ofTwoTeams) } == 1)
    }

    @Test func lettersAreInTheOrderOfPeople() throws {
      // example: sections-people-configuration
      var configuration = StoreConfiguration()
      configuration.collations = [.people]
      // example: end
      let store = try makeStore(configuration)
      try store.write {
        try $0.execute("INSERT INTO member VALUES (4, ' änne', 1, '2026-02-01 11:00:00.000')")
      }
      // example: sections-people
      let request = FetchRequest<Member>()
        .sectioned(by: \.name.trimmed.firstLetter, collation: .people)
        .sort(by: \.name, collation: .people)
      let results = try store.results(of: request)
      try results.load()
      print(results.sections.map(\.title))  // ["A", "Ä", "B"]
      // example: end
      #expect(transcript.lines == [#"["A", "Ä", "B"]"#])
    }

    @Test func aRequestIsAValue() throws {
      let store = try Package.smallStore()
      // example: sections-refining
      let request = FetchRequest<Package>()
        .filter { $0.name != "sed" && $0.section != "libs" }
        .sectioned(by: \.section, nulls: .last)
        .sort(by: \.name, collation: .nocase)
      // example: end
      #expect(try store.read { try $0.fetchAll(request) }.map(\.name) == ["apt", "grep"])
    }

    @Test func aNewTitleIsOneSectionUpdate() throws {
      let store = try makeStore()
      let byTeam = FetchRequest<Member>().sectioned(by: \.teamId) {
        $0.ordered(by: \.team.position).titled(with: \.team.name)
      }
      let results = try store.results(of: byTeam)
      try results.load()
      let observation = results.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      // example: sections-update
      try store.write { try $0.execute("UPDATE team SET name = 'Authors' WHERE id = 1") }
      // S~ 1→1 (1)
      try store.write { try $0.execute("UPDATE team SET position = 0 WHERE id = 1") }
      // S> 1→0 (1)
      // example: end
      observation.cancel()
      #expect(transcript.lines == ["S~ 1→1 (1)", "S> 1→0 (1)"])
    }

    @Test func sectionsHaveAggregates() throws {
      let store = try makeStore()
      // example: sections-aggregates
      let count = Aggregate<Member, Int>.count()
      let last = Aggregate.maximum(\Member.name)
      let request = FetchRequest<Member>().sectioned(by: \.teamId).aggregating(count, last)
      let results = try store.results(of: request)
      try results.load()
      print(results.sections[0].aggregates[last] ?? "")  // alma
      print(results.aggregates[count] ?? 0)  // 3
      // example: end
      let observation = results.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      // example: sections-aggregates
      try store.write { try $0.execute("DELETE FROM member WHERE name = 'alma'") }
      // C~ count 3→2, max(name) 'alma'→'Bob'
      // S~ 0→0 (1) count 2→1, max(name) 'alma'→'Ada'
      // R- [0,1] #3
      // example: end
      observation.cancel()
      // example: sections-counting-titles
      let titled = results.mapSections { section in
        let title = "\(section.title) (\(section.aggregates[count] ?? 0))"
        return SourceSection(identity: section.identity, title: title)
      }
      titled.load()
      print(titled.sections.map(\.title))  // ["1 (1)", "2 (1)"]
      // example: end
      // example: sections-counting-footers
      let counted = results.mapSections { section, count in
        let footer = count == 1 ? "1 member" : "\(count) members"
        return SourceSection(identity: section.identity, title: section.title, footer: footer)
      }
      counted.load()
      print(counted.sections.map { $0.footer ?? "" })  // ["1 member", "1 member"]
      try store.write { try $0.execute("UPDATE member SET team_id = 1") }
      print(counted.sections.map { $0.footer ?? "" })  // ["2 members"]
      // example: end
      #expect(
        transcript.lines == [
          "alma", "3", "C~ count 3→2, max(name) 'alma'→'Bob'",
          "S~ 0→0 (1) count 2→1, max(name) 'alma'→'Ada'", "R- [0,1] #3", "[\"1 (1)\", \"2 (1)\"]",
          "[\"1 member\", \"1 member\"]", "[\"2 members\"]",
        ])
    }

    @Test func anArrayHasAggregatesToo() throws {
      // example: sections-aggregating
      let words = ArrayDataSource(
        name: "words", items: ["bash", "apt", "awk"].map { FileLine($0) })
      let tallied = words.sectioned(by: { String($0.text.prefix(1)) }, .ascending)
        .aggregating(.count("short") { $0.text.count < 4 }, .sum("letters") { $0.text.count })
      tallied.load()
      print(tallied.sections.map { "\($0.title): \($0.aggregates)" })
      // ["a: short 2, letters 6", "b: short 0, letters 4"]
      print(tallied.aggregates)  // short 2, letters 10
      // example: end
      #expect(
        transcript.lines == [
          "[\"a: short 2, letters 6\", \"b: short 0, letters 4\"]", "short 2, letters 10",
        ])
    }

    @Test func fullestSectionStandsFirst() throws {
      let store = try makeStore()
      // example: sections-fullest
      let results = try store.results(of: FetchRequest<Member>().sectioned(by: \.teamId))
      let fullest = results.sortedSections(by: { section, count in count }, .descending)
      fullest.load()
      print(fullest.sections.map(\.title))  // ["1", "2"]
      try store.write { try $0.execute("UPDATE member SET team_id = 2 WHERE name = 'alma'") }
      print(fullest.sections.map(\.title))  // ["2", "1"]
      // example: end
      #expect(transcript.lines == ["[\"1\", \"2\"]", "[\"2\", \"1\"]"])
    }

    @Test func daysOfAZone() throws {
      let store = try makeStore()
      let request = FetchRequest<Member>()
      // example: sections-zone
      let zone = TimeZone.current
      let byDay = request.sectioned(by: { $0.joinedAt.calendarDay(in: zone) }, .descending)
      let inTheMorning = request.filter { $0.joinedAt.hour(in: zone) < 12 }
      // example: end
      #expect(try store.read { try $0.fetchSections(byDay) }.count >= 1)
      #expect(try store.read { try $0.fetchCount(inTheMorning) } <= 3)
    }

    @Test func todayBecomesYesterday() async throws {
      let store = try makeStore()
      var lisbon = Calendar(identifier: .gregorian)
      lisbon.timeZone = try #require(TimeZone(identifier: "Europe/Lisbon"))
      lisbon.firstWeekday = 2
      let calendar = lisbon
      let clock = ManualClock()
      let now: @Sendable () -> Date = {
        Date(timeIntervalSince1970: 1_769_947_200 + clock.now.offset / .seconds(1))
      }
      // example: sections-today
      let results = try store.results(of: FetchRequest<Member>().sectioned(byDayOf: \.joinedAt))
      let following = Task {
        try await results.updateEachDay(in: calendar, clock: clock, now: now) { now in
          FetchRequest<Member>().sectioned(byDayOf: \.joinedAt, asOf: now, in: calendar)
        }
      }
      // example: end
      while clock.sleeperCount == 0 { await Task.yield() }
      let observation = results.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      // example: sections-midnight
      print(results.sections.map(\.title))  // ["Today", "Yesterday"]
      clock.advance(by: .seconds(15 * 3600))
      // S- 0 (today)
      // S+ 1 (earlier)
      // R> [0,0]→[0,0] #2
      // R> [0,1]→[0,1] #3
      // R> [1,0]→[1,0] #1
      // example: end
      while clock.sleeperCount == 0 { await Task.yield() }
      // example: sections-after-midnight
      print(results.sections.map(\.title))  // ["Yesterday", "Earlier"]
      // example: end
      observation.cancel()
      following.cancel()
      #expect(
        transcript.lines == [
          "[\"Today\", \"Yesterday\"]", "S- 0 (today)", "S+ 1 (earlier)", "R> [0,0]→[0,0] #2",
          "R> [0,1]→[0,1] #3", "R> [1,0]→[1,0] #1", "[\"Yesterday\", \"Earlier\"]",
        ])
    }

    @Test func anArrayHasSectionsToo() throws {
      // example: sections-array
      let words = ArrayDataSource(
        name: "words", items: ["bash", "apt", "awk"].map { FileLine($0) })
      let byLetter = words.sectioned(by: { String($0.text.prefix(1)) }, .ascending)
      byLetter.load()
      print(byLetter.sections.map(\.title))  // ["a", "b"]
      // example: end
      #expect(transcript.lines == ["[\"a\", \"b\"]"])
    }
  }
#endif
