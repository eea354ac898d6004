import SectileCore
import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct FetchRequestSectionTests {
  /// Returns `identity(title): keys` of each section, as the rows themselves say.
  private func sections(_ request: FetchRequest<Track>) throws -> [String] {
    let sql = PlanSQL(try request.makePlan())
    let layout = sql.layout
    return try Music.read { transaction throws in
      var result: [(String, [String])] = []
      for row in try transaction.query(sql.selectRows.sql, values: sql.selectRows.values) {
        let identity = layout.identity.map { row.values[$0] } ?? StoredValue.null
        let title = layout.title.map { "(\(row.values[$0]))" } ?? ""
        let key = "\(row.values[layout.key[0]])"
        if result.last?.0 == "\(identity)\(title)" {
          result[result.count - 1].1.append(key)
        } else {
          result.append(("\(identity)\(title)", [key]))
        }
      }
      return result.map { "\($0): \($1.joined(separator: " "))" }
    }
  }

  @Test func sectionsStandBeforeTheSortKeys() throws {
    let request = FetchRequest<Track>().sectioned(by: \.genre).sort(by: \.plays)
    #expect(try sections(request) == ["NULL: 4 6", "'rock': 3 5", "'soul': 2 1"])
    #expect(
      try sections(request.unsectioned()) == ["NULL: 2 4 3 1 5 6"])
  }

  @Test func sectionsTakeDirectionAndNulls() throws {
    let request = FetchRequest<Track>().sectioned(by: \.genre, .descending)
    #expect(try sections(request) == ["'soul': 1 2", "'rock': 3 5", "NULL: 4 6"])
    let last = FetchRequest<Track>().sectioned(by: \.genre, nulls: .last)
    #expect(try sections(last) == ["'rock': 3 5", "'soul': 1 2", "NULL: 4 6"])
  }

  @Test func sectionsReachThroughRelationships() throws {
    let request = FetchRequest<Track>().sectioned(by: \.artist.id, nulls: .last) {
      $0.ordered(by: \.artist.name).titled(with: \.artist.name)
    }
    #expect(
      try sections(request) == [
        "NULL(NULL): 6", "3('Abbey'): 5", "1('Nina'): 1 2", "2('Otis'): 3 4",
      ])
  }

  @Test func sectionsAreDerived() throws {
    #expect(
      try sections(FetchRequest<Track>().sectioned(by: \.name.firstLetter)) == [
        "' ': 5", "'1': 4", "'R': 3", "'S': 1 2", "'Ä': 6",
      ])
    #expect(
      try sections(FetchRequest<Track>().sectioned(by: \.addedAt.calendarMonth, .descending)) == [
        "'2026-02': 2", "'2026-01': 1 4", "'2025-12': 3", "'2024-02': 5", "NULL: 6",
      ])
    #expect(
      try sections(FetchRequest<Track>().sectioned(by: \.addedAt.year)) == [
        "NULL: 6", "2024: 5", "2025: 3", "2026: 1 2 4",
      ])
    #expect(
      try sections(FetchRequest<Track>().sectioned { $0.plays.bucket(of: 1024) }) == [
        "-1024: 2", "0: 1 3 4 5", "1024: 6",
      ])
    let raw = FetchRequest<Track>().sectioned {
      _ in FieldExpression<Int>(SQLFragment(#""track"."id" % ?"#, [2]))
    }
    #expect(try sections(raw) == ["0: 2 4 6", "1: 1 3 5"])
  }

  @Test func nocaseFoldsTheIdentity() throws {
    let request = FetchRequest<Track>().sectioned(
      by: {
        FieldExpression<String?>(
          .call("substr", [$0.name.expression, .constant("1"), .constant("1")]))
      },
      collation: .nocase)
    #expect(
      try sections(request) == ["' ': 5", "'1': 4", "'r': 3", "'s': 1 2", "'Ä': 6"])
  }

  @Test func aFixedListOrdersAndFilters() throws {
    let request = FetchRequest<Track>().sectioned(by: \.genre, sections: [.soul, nil])
    #expect(try sections(request) == ["'soul': 1 2", "NULL: 4 6"])
    let plan = try request.makePlan()
    #expect(plan.section?.fixedSections == ["soul", nil])
    #expect(
      PlanSQL(plan).selectCount
        == SQLFragment(
          #"SELECT count(*) FROM "main"."track" WHERE "track"."genre" IN (?) OR "track"."genre" IS NULL"#,
          ["soul"]))
    let sorted = FetchRequest<Track>().sectioned(by: \.genre, sections: [.rock, .soul])
      .filter { $0.plays > 0 }
    #expect(try sections(sorted) == ["'rock': 3 5", "'soul': 1"])
  }

  @Test func fetchingSectionsCountsThem() throws {
    try Music.read { transaction throws in
      let request = FetchRequest<Track>().sectioned(by: \.genre)
      #expect(
        try transaction.fetchSections(request) == [
          FetchedSection(identity: nil, title: "NULL", count: 2),
          FetchedSection(identity: "rock", title: "rock", count: 2),
          FetchedSection(identity: "soul", title: "soul", count: 2),
        ])
      #expect(try transaction.fetchSections(request.limit(3)).map(\.count) == [2, 1])
      let titled = FetchRequest<Track>().sectioned(by: \.artist.id) {
        $0.titled(with: \.artist.name).ordered(by: \.artist.name, .descending)
      }.filter { $0.artistID != nil }
      #expect(
        try transaction.fetchSections(titled) == [
          FetchedSection(identity: 2, title: "Otis", count: 2),
          FetchedSection(identity: 1, title: "Nina", count: 2),
          FetchedSection(identity: 3, title: "Abbey", count: 1),
        ])
      let fixed = FetchRequest<Track>().sectioned(by: \.genre, sections: [.soul, .rock])
        .filter { $0.id == 3 }
      #expect(try transaction.fetchSections(fixed).map(\.count) == [0, 1])
      #expect(
        try transaction.fetchSections(FetchRequest<Track>()) == [
          FetchedSection(identity: nil, title: "NULL", count: 6)
        ])
    }
  }
}
