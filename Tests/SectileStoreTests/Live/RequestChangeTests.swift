import Foundation
import SectileCore
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Other requests on live results, windows, relationships and sections of every kind: each step is
/// replayed and compared with a fresh fetch.
@Suite(.timeLimit(.minutes(60))) struct RequestChangeTests {
  private func run(_ kind: StorageKind, _ body: (Store) throws -> Void) throws {
    try SmallWorld.run(kind, schema: Music.script, body)
  }

  private func expectMinimal(
    _ live: LiveResults<Track>, before: SectionedContents<Int64, Track>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let after = try live.results.snapshot.materialized()
    let direct = Changeset(from: before, to: after, isEqual: ==)
    #expect(live.lines == direct.lines, sourceLocation: sourceLocation)
  }

  @Test(arguments: StorageKind.allCases)
  func otherRequestDeliversTheDifference(_ kind: StorageKind) throws {
    try run(kind) { store in
      let base = FetchRequest<Track>().sectioned(by: \.artist.name).sort(by: \.name).batchSize(2)
      let requests: [FetchRequest<Track>] = [
        base, base.limit(3), base.limit(5), base.limit(0), base.limit(2).offset(3),
        base.offset(100), base.filter { $0.plays > 0 },
        base.unsorted().sort(by: \.plays, .descending),
        base.unsectioned(), base.sectioned(by: \.name.firstLetter),
        base.sectioned(by: \.addedAt.calendarDay, .descending),
        base.sectioned(by: \.addedAt.calendarMonth, nulls: .last),
        base.sectioned(by: { $0.addedAt.calendarDay(in: Zones.lisbon) }, .descending),
        base.sectioned { $0.addedAt.calendarWeek(in: Zones.calendar(in: Zones.lisbon)) },
        base.sectioned(
          byDayOf: \.addedAt, asOf: Date(timeIntervalSince1970: 1_769_900_000),
          in: Zones.calendar(in: Zones.lisbon)),
        base.sectioned(by: \.addedAt.year), base.sectioned { $0.plays.bucket(of: 1000) },
        base.sectioned(by: \.genre, sections: [.soul, .rock]),
        base.sectioned(by: \.artist.id) {
          $0.ordered(by: \.artist.name, .descending, nulls: .last).titled(with: \.artist.name)
        },
        base.sectioned(by: \.artist.label.name, nulls: .last),
        base.sectioned(by: \.isBonus).filter { $0.listens.exists { $0.minutes > 0 } },
        base.sectioned(by: \.rating, .descending), base,
      ]
      let live = try LiveResults<Track>(base, in: store)
      for (round, request) in requests.enumerated() {
        let before = try live.results.snapshot.materialized()
        live.recorder.reset()
        try live.setRequest(request, in: store)
        try live.check()
        try expectMinimal(live, before: before)
        // Commits after each change of the request.
        for sql in [
          "UPDATE artist SET name = 'Otto' || \(round) WHERE id = 2",
          "UPDATE track SET plays = plays + \(round * 100) WHERE id = \(round % 6 + 1)",
          "UPDATE track SET name = substr('zebra', \(round % 5 + 1)) || name WHERE id = 3",
        ] {
          _ = try live.changes { try store.write { try $0.execute(sql) } }
        }
      }
    }
  }

  @Test(arguments: StorageKind.allCases, ["willLoad", "didPartiallyLoad"])
  func commitWhileTheRequestChangesIsNotLost(_ kind: StorageKind, callback: String) throws {
    try run(kind) { store in
      let base = FetchRequest<Track>().sort(by: \.name)
      let live = try LiveResults<Track>(base.limit(2), in: store)
      let isDone = Mutex(false)
      let token = live.results.observe(on: .immediate) { event in
        let word: String =
          switch event {
          case .willLoad: "willLoad"
          case .didPartiallyLoad: "didPartiallyLoad"
          default: ""
          }
        guard word == callback,
          !isDone.withLock({ done in
            defer { done = true }; return done
          })
        else { return }
        try? store.write {
          try $0.execute(
            "DELETE FROM track WHERE id = 1; UPDATE track SET name = 'aaa' WHERE id = 6")
        }
      }
      live.recorder.reset()
      try live.setRequest(base.limit(4), in: store)
      try live.check()
      #expect(isDone.withLock { $0 })
      token.cancel()
      _ = try live.changes { try store.write { try $0.execute("DELETE FROM track WHERE id = 6") } }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func requestThatFailsLeavesTheOldOne(_ kind: StorageKind) throws {
    try run(kind) { store in
      let base = FetchRequest<Track>().sort(by: \.name)
      let live = try LiveResults<Track>(base, in: store)
      live.recorder.reset()
      try expectStoreError(.statementFailed) {
        try live.results.update(to: base.filter(SQLFragment("no_such_column = 1")))
      }
      #expect(live.recorder.errors.count == 1)
      #expect(live.recorder.changesets.isEmpty)
      try expectStoreError(.invalidRequest) { try live.results.update(to: base.limit(-1)) }
      let lines = try live.changes {
        try store.write { try $0.execute("DELETE FROM track WHERE id = 1") }
      }
      #expect(lines.count == 1)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func windowsFollowCommits(_ kind: StorageKind) throws {
    try run(kind) { store in
      for (limit, offset) in [(0, 0), (2, 0), (2, 2), (3, 5), (2, 100), (nil, 3)] as [(Int?, Int)] {
        for direction in [SortDirection.ascending, .descending] {
          let request = FetchRequest<Track>().sectioned(by: \.isBonus)
            .sort(by: \.rating, direction).limit(limit).offset(offset)
          let live = try LiveResults<Track>(request, in: store)
          for sql in [
            "INSERT INTO track VALUES (20, 'new', 1, 4.5, 1, 0, NULL, NULL, NULL)",
            "UPDATE track SET rating = 4.5", "DELETE FROM track WHERE id = 20",
            "UPDATE track SET rating = id, is_bonus = id % 2", "UPDATE track SET plays = plays + 1",
          ] {
            _ = try live.changes { try store.write { try $0.execute(sql) } }
            #expect(live.results.numberOfItems <= limit ?? .max)
          }
        }
      }
    }
  }

  /// From the seventeenth results object on, those that were released are looked for, and what only
  /// they depended on is forgotten.
  @Test(arguments: StorageKind.allCases)
  func newResultsKeepTheirTablesWhereOthersAreForgotten(_ kind: StorageKind) throws {
    try run(kind) { store in
      let plain = FetchRequest<Track>().sort(by: \.name)
      let others = try (0..<16).map { _ in try LiveResults<Track>(plain, in: store) }
      for round in 0..<4 {
        let live = try LiveResults<Track>(plain.sectioned(by: \.artist.name), in: store)
        let lines = try live.changes {
          try store.write { try $0.execute("UPDATE artist SET name = ? WHERE id = 2", "\(round)") }
        }
        #expect(!lines.isEmpty, "results \(round)")
      }
      #expect(others.count == 16)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func relationshipsAreFollowed(_ kind: StorageKind) throws {
    try run(kind) { store in
      let base = FetchRequest<Track>().sort(by: \.name)
      let all = try [
        base.sectioned(by: \.artist.name), base.sectioned(by: \.artist.label.name),
        base.filter { $0.artist.label.name == "Verve" }, base.sectioned(by: \.original.name),
        base.filter { $0.listens.exists { $0.minutes > 0 } },
        base.filter { $0.listens.none { $0.minutes > 10 } },
        base.filter { $0.covers.count > 0 }, base.unsorted().sort(by: \.artist.name, .descending),
        base.sectioned { $0.listens.count }, base.filter { $0.artist.tracks.count > 1 },
      ].map { try LiveResults<Track>($0, in: store) }
      for sql in [
        "UPDATE artist SET name = 'Nina Simone' WHERE id = 1",
        "UPDATE artist SET name = 'Otis' WHERE id = 3",
        "UPDATE label SET name = 'Verve' WHERE id = 2",
        "UPDATE artist SET label_id = 2 WHERE id = 1",
        "UPDATE track SET artist_id = 3 WHERE id = 1",
        "DELETE FROM label WHERE id = 2", "UPDATE artist SET id = 7 WHERE id = 2",
        "INSERT INTO artist VALUES (2, 'Zoot', 1)", "DELETE FROM artist WHERE id = 1",
        "INSERT INTO listen VALUES (9, 2, 30); DELETE FROM listen WHERE id = 1",
        "UPDATE listen SET track_id = 5", "DELETE FROM listen",
        "UPDATE track SET original_id = 6 WHERE id IN (2, 3)",
        "UPDATE track SET name = 'Zwei' WHERE id = 6",
        "UPDATE label SET id = 8 WHERE id = 1; INSERT INTO label VALUES (1, 'Back')",
        "UPDATE track SET artist_id = NULL", "DELETE FROM track",
      ] {
        for live in all { live.recorder.reset() }
        try store.write { try $0.execute(sql) }
        for live in all { try live.check() }
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func fixedSectionsHaveNoEvents(_ kind: StorageKind) throws {
    try run(kind) { store in
      let live = try LiveResults<Track>(
        FetchRequest<Track>().sectioned(by: \.genre, sections: [.rock, .soul]).sort(by: \.name),
        in: store)
      #expect(live.results.sections.map(\.title) == ["rock", "soul"])
      for sql in [
        "DELETE FROM track WHERE genre = 'rock'", "UPDATE track SET genre = 'rock' WHERE id = 1",
        "UPDATE track SET genre = 'polka' WHERE id = 2", "DELETE FROM track",
      ] {
        let lines = try live.changes { try store.write { try $0.execute(sql) } }
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("R") })
        #expect(live.results.numberOfSections == 2)
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func indexTitlesLeadToSections(_ kind: StorageKind) throws {
    try run(kind) { store in
      try store.write {
        try $0.execute(
          "UPDATE track SET name = 'sinner' WHERE id = 5; UPDATE track SET name = 'über' WHERE id = 6"
        )
      }
      let results = try store.results(
        of: FetchRequest<Track>().sectioned(by: \.name, collation: .nocase))
      try results.load()
      #expect(
        results.sections.map(\.title) == [
          "100% cotton", "respect", "sinner", "sinnerman", "sugar", "über",
        ])
      #expect(results.sectionIndexTitles == ["1", "R", "S", "Ü"])
      #expect(results.section(forIndexTitle: "S") == 2)
      #expect(results.section(forIndexTitle: "Ü") == 5)
      #expect(results.section(forIndexTitle: "X") == nil)
    }
  }

  @Test func aPlanWithOtherColumnsIsRefused() throws {
    let store = try Store.inMemory()
    try store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT)") }
    let plan = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["s"])
    let results = try store.results(of: plan)
    try results.load()
    try results.update(to: plan)
    var negative = plan
    negative.limit = -1
    for other in [FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id"]), negative] {
      let error = #expect(throws: StoreError.self) { try results.update(to: other) }
      #expect(error?.code == .invalidRequest)
    }
  }
}
