import Foundation
import SectileCore
import Testing

@testable import SectileStore

/// One test per operator: the SQL, and the rows beside it.
@Suite(.timeLimit(.minutes(60))) struct FieldExpressionTests {
  @Test func equalityBindsTheValue() throws {
    try Music.expect(#""track"."name" = ?"#, ["sugar"], leaves: [2]) { $0.name == "sugar" }
    try Music.expect(#""track"."genre" = ?"#, ["rock"], leaves: [3, 5]) { $0.genre == .rock }
    try Music.expect(#""track"."rating" = ?"#, [.real(4.5)], leaves: [1, 3]) { $0.rating == 4.5 }
  }

  @Test func equalityWithNilAsksForNull() throws {
    try Music.expect(#""track"."artist_id" IS NULL"#, [], leaves: [6]) { $0.artistID == nil }
    try Music.expect(#""track"."rating" IS NOT NULL"#, [], leaves: [1, 2, 3, 5]) {
      $0.rating != nil
    }
    let missing: Double? = nil
    try Music.expect(#""track"."rating" IS NULL"#, [], leaves: [4, 6]) { $0.rating == missing }
  }

  @Test func inequalityLeavesOutNull() throws {
    try Music.expect(#""track"."genre" <> ?"#, ["rock"], leaves: [1, 2]) { $0.genre != .rock }
    try Music.expect(#"NOT ("track"."genre" IS ?)"#, ["rock"], leaves: [1, 2, 4, 6]) {
      !$0.genre.isIdentical(to: .rock)
    }
    try Music.expect(#""track"."genre" IS ?"#, [nil], leaves: [4, 6]) {
      $0.genre.isIdentical(to: nil)
    }
  }

  @Test func comparisonsUseTheirOperators() throws {
    try Music.expect(#""track"."plays" < ?"#, [0], leaves: [2]) { $0.plays < 0 }
    try Music.expect(#""track"."plays" <= ?"#, [0], leaves: [2, 4]) { $0.plays <= 0 }
    try Music.expect(#""track"."rating" > ?"#, [.real(3)], leaves: [1, 3]) { $0.rating > 3 }
    try Music.expect(#""track"."rating" >= ?"#, [.real(3)], leaves: [1, 2, 3]) { $0.rating >= 3 }
    try Music.expect(#""track"."plays" BETWEEN ? AND ?"#, [7, 10], leaves: [1, 3]) {
      $0.plays.in(7...10)
    }
  }

  @Test func fieldsCompareWithFields() throws {
    try Music.expect(#""track"."artist_id" = "track"."artist_id""#, [], leaves: [1, 2, 3, 4, 5]) {
      $0.artistID == $0.artistID
    }
    try Music.expect(
      #""track"."artist_id" IS "track"."artist_id""#, [], leaves: [1, 2, 3, 4, 5, 6]
    ) {
      $0.artistID.isIdentical(to: $0.artistID)
    }
  }

  @Test func conditionsCombine() throws {
    try Music.expect(
      #"("track"."plays" > ?) AND ("track"."plays" < ?) AND "track"."is_bonus""#, [0, 1024],
      leaves: [5]
    ) { $0.plays > 0 && $0.plays < 1024 && $0.isBonus }
    try Music.expect(
      #"("track"."plays" = ?) OR (("track"."plays" = ?) AND (NOT "track"."is_bonus"))"#, [7, 0],
      leaves: [3, 4]
    ) { $0.plays == 7 || $0.plays == 0 && !$0.isBonus }
    try Music.expect(#"NOT ("track"."genre" = ?)"#, ["rock"], leaves: [1, 2]) {
      !($0.genre == .rock)
    }
  }

  @Test func severalFiltersMustAllHold() throws {
    let request = FetchRequest<Track>().filter { $0.plays > 0 || $0.isBonus }.filter(
      SQLFragment(#""track"."id" < ? -- small"#, [5]))
    #expect(
      try request.makePlan().filter
        == SQLFragment(
          "((\"track\".\"plays\" > ?) OR \"track\".\"is_bonus\") AND (\"track\".\"id\" < ? -- small\n)",
          [0, 5]))
    #expect(try Music.read { try $0.fetchAll(request).map(\.id) } == [1, 2, 3])
  }

  @Test func membershipListsTheValues() throws {
    try Music.expect(#""track"."plays" IN (?, ?)"#, [7, 10], leaves: [1, 3]) {
      $0.plays.in([7, 10])
    }
    try Music.expect(#""track"."name" IN (?, ?)"#, ["sugar", "Respect"], leaves: [2, 3]) {
      ["sugar", "Respect"].contains($0.name)
    }
    let wanted: Set = [4.5]
    try Music.expect(#""track"."rating" IN (?)"#, [.real(4.5)], leaves: [1, 3]) {
      $0.rating.in(wanted)
    }
    try Music.expect(
      #"("track"."genre" IN (?)) OR ("track"."genre" IS NULL)"#, ["rock"], leaves: [3, 4, 5, 6]
    ) {
      $0.genre.in([.rock, nil])
    }
    try Music.expect(#""track"."plays" IN ()"#, [], leaves: []) { $0.plays.in([]) }
  }

  @Test func rangesAreBounds() throws {
    try Music.expect(#""track"."plays" BETWEEN ? AND ?"#, [1, 10], leaves: [1, 3]) {
      (1...10).contains($0.plays)
    }
    try Music.expect(#""track"."plays" BETWEEN ? AND ?"#, [1, 10], leaves: [1, 3]) {
      $0.plays.in(1...10)
    }
    try Music.expect(#"("track"."plays" >= ?) AND ("track"."plays" < ?)"#, [7, 10], leaves: [3]) {
      $0.plays.in(7..<10)
    }
    let first: Int64 = 2
    try Music.expect(#""track"."artist_id" BETWEEN ? AND ?"#, [2, 3], leaves: [3, 4, 5]) {
      $0.artistID.in(first...(first + 1))
    }
    try Music.expect(#""track"."rating" BETWEEN ? AND ?"#, [.real(2), .real(3)], leaves: [2, 5]) {
      $0.rating.in(2.0...3.0)
    }
  }

  @Test func textSearchesBytes() throws {
    try Music.expect(#"instr("track"."name", ?) > 0"#, ["s"], leaves: [2, 3]) {
      $0.name.contains("s")
    }
    try Music.expect(#"instr(lower("track"."name"), lower(?)) > 0"#, ["S"], leaves: [1, 2, 3]) {
      $0.name.contains("S", caseInsensitive: true)
    }
    try Music.expect(#"instr("track"."name", ?) > 0"#, ["%"], leaves: [4]) {
      $0.name.contains("%")
    }
    try Music.expect(#"instr("track"."name", ?) = 1"#, ["s"], leaves: [2]) {
      $0.name.hasPrefix("s")
    }
    try Music.expect(#"instr(lower("track"."name"), lower(?)) = 1"#, ["s"], leaves: [1, 2]) {
      $0.name.hasPrefix("s", caseInsensitive: true)
    }
    try Music.expect(
      #"coalesce(substr(CAST("track"."name" AS BLOB), -length(CAST(? AS BLOB)))"#
        + #" = CAST(? AS BLOB), length("track"."name") > 0)"#,
      ["r", "r"], leaves: [2]
    ) { $0.name.hasSuffix("r") }
    try Music.expect(
      #"coalesce(substr(CAST(lower("track"."name") AS BLOB), -length(CAST(lower(?) AS BLOB)))"#
        + #" = CAST(lower(?) AS BLOB), length("track"."name") > 0)"#, ["MAN", "MAN"], leaves: [1]
    ) { $0.name.hasSuffix("MAN", caseInsensitive: true) }
    try Music.expect(#"instr("track"."genre", ?) = 1"#, [""], leaves: [1, 2, 3, 5]) {
      FieldExpression<String?>($0.genre.expression).hasSuffix("")
    }
  }

  @Test func textMatchesPatterns() throws {
    try Music.expect(#""track"."name" LIKE ?"#, ["S%"], leaves: [1, 2]) { $0.name.like("S%") }
    try Music.expect(#""track"."name" LIKE ? ESCAPE ?"#, [#"%\_%"#, #"\"#], leaves: [5]) {
      $0.name.like(#"%\_%"#, escape: #"\"#)
    }
    try Music.expect(#""track"."name" GLOB ?"#, ["S*"], leaves: [1]) { $0.name.glob("S*") }
  }

  @Test func textFunctionsWrapTheirOperand() throws {
    try Music.expect(#"lower("track"."name") = ?"#, ["respect"], leaves: [3]) {
      $0.name.lowercased == "respect"
    }
    try Music.expect(#"upper("track"."name") = ?"#, ["SUGAR"], leaves: [2]) {
      $0.name.uppercased == "SUGAR"
    }
    try Music.expect(#"length("track"."name") = ?"#, [7], leaves: [3, 6]) { $0.name.length == 7 }
    try Music.expect(#"trim("track"."name") = ?"#, ["Tramp_"], leaves: [5]) {
      $0.name.trimmed == "Tramp_"
    }
    try Music.expect(#"sectile_first_letter("track"."name") = ?"#, ["S"], leaves: [1, 2]) {
      $0.name.firstLetter == "S"
    }
    try Music.expect(
      #"(("track"."name" || ?) || "track"."name") = ?"#, ["-", "sugar-sugar"], leaves: [2]
    ) {
      $0.name + "-" + $0.name == "sugar-sugar"
    }
  }

  @Test func arithmeticKeepsItsGrouping() throws {
    try Music.expect(#"(("track"."plays" + ?) * ?) > ?"#, [1, 2, 22], leaves: [5, 6]) {
      ($0.plays + 1) * 2 > 22
    }
    try Music.expect(#"("track"."plays" - "track"."plays") = ?"#, [1], leaves: []) {
      $0.plays - $0.plays == 1
    }
    try Music.expect(#"("track"."plays" / ?) = ?"#, [2, -2], leaves: [2]) { $0.plays / 2 == -2 }
    try Music.expect(#"("track"."plays" % ?) = ?"#, [10, -5], leaves: [2]) { $0.plays % 10 == -5 }
    try Music.expect(#"(-(-"track"."plays")) = ?"#, [7], leaves: [3]) { -(-$0.plays) == 7 }
    try Music.expect(#"abs("track"."plays") = ?"#, [5], leaves: [2]) { $0.plays.abs == 5 }
    try Music.expect(#"round("track"."rating") = ?"#, [.real(5)], leaves: [1, 3]) {
      $0.rating.rounded == 5
    }
    try Music.expect(#"round("track"."rating", ?) = ?"#, [1, .real(2.3)], leaves: [5]) {
      $0.rating.rounded(toDigits: 1) == 2.3
    }
  }

  @Test func bucketsRoundDown() throws {
    let bucket =
      #"(CAST("track"."plays" / ? AS INTEGER)"#
      + #" - ("track"."plays" < (CAST("track"."plays" / ? AS INTEGER) * ?))) * ?"#
    let tens: [StoredValue] = [10, 10, 10, 10]
    try Music.expect("(\(bucket)) = ?", tens + [-10], leaves: [2]) {
      $0.plays.bucket(of: 10) == -10
    }
    try Music.expect("(\(bucket)) = ?", tens + [0], leaves: [3, 4]) {
      $0.plays.bucket(of: 10) == 0
    }
    try Music.expect("(\(bucket)) = ?", tens + [10], leaves: [1]) { $0.plays.bucket(of: 10) == 10 }
  }

  @Test func coalesceReplacesNull() throws {
    try Music.expect(#"coalesce("track"."rating", ?) < ?"#, [0, 3], leaves: [4, 5, 6]) {
      ($0.rating ?? 0) < 3
    }
    try Music.expect(#"coalesce("artist"."name", ?) = ?"#, ["nobody", "nobody"], leaves: [6]) {
      $0.artist.name.ifNull("nobody") == "nobody"
    }
  }

  @Test func datePartsAreUTC() throws {
    let added = #""track"."added_at""#
    try Music.expect("CAST(strftime('%Y', \(added)) AS INTEGER) = ?", [2026], leaves: [1, 2, 4]) {
      $0.addedAt.year == 2026
    }
    try Music.expect("CAST(strftime('%m', \(added)) AS INTEGER) = ?", [1], leaves: [1, 4]) {
      $0.addedAt.month == 1
    }
    try Music.expect("CAST(strftime('%d', \(added)) AS INTEGER) = ?", [29], leaves: [5]) {
      $0.addedAt.day == 29
    }
    try Music.expect("CAST(strftime('%H', \(added)) AS INTEGER) = ?", [23], leaves: [1]) {
      $0.addedAt.hour == 23
    }
    try Music.expect("CAST(strftime('%M', \(added)) AS INTEGER) = ?", [30], leaves: [3]) {
      $0.addedAt.minute == 30
    }
    // The first of February 2026 is a Sunday.
    try Music.expect("(CAST(strftime('%w', \(added)) AS INTEGER) + 1) = ?", [1], leaves: [2]) {
      $0.addedAt.weekday == 1
    }
    let start = Date(timeIntervalSince1970: 1_769_817_600)
    try Music.expect(
      "strftime('%Y-%m-%d 00:00:00.000', \(added)) = ?", ["2026-01-31 00:00:00.000"],
      leaves: [1, 4]
    ) { $0.addedAt.dayStart == start }
    try Music.expect("strftime('%Y-%m', \(added)) = ?", ["2026-01"], leaves: [1, 4]) {
      $0.addedAt.calendarMonth == "2026-01"
    }
    try Music.expect("strftime('%Y-%m-%d', \(added)) = ?", ["2026-01-31"], leaves: [1, 4]) {
      $0.addedAt.calendarDay == "2026-01-31"
    }
    try Music.expect("\(added) >= ?", ["2026-01-31 00:00:00.000"], leaves: [1, 2, 4]) {
      $0.addedAt >= start
    }
  }

  @Test func rawSQLIsAnExpression() throws {
    try Music.expect(#"(length("track"."name") + ?) > ?"#, [1, 9], leaves: [1, 4]) {
      _ in FieldExpression<Int>(SQLFragment(#"length("track"."name") + ?"#, [1])) > 9
    }
  }

  @Test func fullTextMatchesByKey() throws {
    try Music.expect(
      #""track"."id" IN (SELECT rowid FROM "main"."track_text" WHERE "track_text" MATCH ?)"#,
      ["sugar OR respect"], leaves: [2, 3]
    ) { $0.matching("sugar OR respect", in: "track_text") }
  }

  @Test func whatIsNoAttributeFailsWhenItRuns() throws {
    let request = FetchRequest<Track>().filter { $0.note == "x" }
    let error = requestError { try request.makePlan() }
    #expect(error?.code == .invalidRequest)
    #expect(error?.message.contains("note") == true)
    #expect(error?.message.contains("Track") == true)
  }

  @Test func whatCannotBeStoredFailsWhenItRuns() throws {
    let request = FetchRequest<Track>().filter { $0.rating == .nan }
    #expect(requestError { try request.makePlan() }?.code == .invalidRequest)
  }

  /// Ten clauses of every kind; a slow overload set shows as a compiler that gives up here.
  @Test func tenMixedClausesTypeCheck() throws {
    let request = FetchRequest<Track>().filter {
      $0.plays > 0 && $0.name != "x" && $0.genre == .rock && $0.rating == nil
        || $0.isBonus
          && $0.artist.name.hasPrefix("N") && ($0.plays + 1) * 2 < 50 && (1...5).contains($0.plays)
          && ["a", "b"].contains($0.name) && !$0.listens.exists { $0.minutes > 5 }
    }
    #expect(try request.makePlan().filter?.values.count == 12)
  }
}
