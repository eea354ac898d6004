import Foundation
import SectileCore
import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct FoundationAdapterTests {
  struct Limits: Codable, Sendable {
    var plays: Range<Int>
  }

  private func expect(
    _ sql: String, _ values: [StoredValue], leaves keys: [Int64], _ predicate: Predicate<Track>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let request = try FetchRequest<Track>().filter(predicate)
    let filter = try request.makePlan().filter
    #expect(filter?.sql == sql, sourceLocation: sourceLocation)
    #expect(filter?.values == values, sourceLocation: sourceLocation)
    let found = try Music.read { try $0.fetchAll(request).map(\.id) }
    #expect(found == keys, sourceLocation: sourceLocation)
  }

  @Test func predicatesCompare() throws {
    try expect(#""track"."plays" > ?"#, [7], leaves: [1, 5, 6], #Predicate { $0.plays > 7 })
    try expect(#""track"."name" = ?"#, ["sugar"], leaves: [2], #Predicate { $0.name == "sugar" })
    try expect(
      #""track"."name" <> ?"#, ["sugar"], leaves: [1, 3, 4, 5, 6], #Predicate { $0.name != "sugar" }
    )
    try expect(#""track"."rating" IS NULL"#, [], leaves: [4, 6], #Predicate { $0.rating == nil })
    try expect(
      #""track"."rating" IS NOT ?"#, [.real(4.5)], leaves: [2, 4, 5, 6],
      #Predicate { $0.rating != 4.5 })
  }

  @Test func predicatesUseCapturedValues() throws {
    let minimum = 10
    let names = ["sugar", "Respect"]
    try expect(
      #""track"."plays" >= ?"#, [10], leaves: [1, 5, 6], #Predicate { $0.plays >= minimum })
    try expect(
      #""track"."name" IN (?, ?)"#, ["sugar", "Respect"], leaves: [2, 3],
      #Predicate { names.contains($0.name) })
    let range = 0...10
    try expect(
      #""track"."plays" BETWEEN ? AND ?"#, [0, 10], leaves: [1, 3, 4],
      #Predicate { range.contains($0.plays) })
  }

  @Test func predicatesCombineAndCompute() throws {
    try expect(
      #"("track"."plays" > ?) AND (NOT "track"."is_bonus")"#, [0], leaves: [1, 3, 6],
      #Predicate { $0.plays > 0 && !$0.isBonus })
    try expect(
      #"("track"."plays" + ?) = ?"#, [1, 8], leaves: [3], #Predicate { $0.plays + 1 == 8 })
    try expect(
      #"coalesce("track"."rating", ?) < ?"#, [.real(0), .real(3)], leaves: [4, 5, 6],
      #Predicate { ($0.rating ?? 0) < 3 })
    try expect(
      #""track"."plays" BETWEEN ? AND ?"#, [7, 10], leaves: [1, 3],
      #Predicate { (7...10).contains($0.plays) })
  }

  @Test func predicatesChooseAndCompareWithPartsOfCapturedValues() throws {
    let limits = Limits(plays: 7..<1_024)
    try expect(
      #"("track"."plays" >= ?) AND ("track"."plays" < ?)"#, [7, 1_024], leaves: [1, 3, 5],
      #Predicate { limits.plays.contains($0.plays) })
    try expect(
      #"iif("track"."is_bonus", "track"."plays", ?) = ?"#, [7, 7], leaves: [1, 3, 4, 6],
      #Predicate { ($0.isBonus ? $0.plays : 7) == 7 })
    try expect(
      #"((-"track"."plays") = ?) OR (("track"."plays" / ?) = ?)"#, [5, 2, 5], leaves: [1, 2],
      #Predicate { -$0.plays == 5 || $0.plays / 2 == 5 })
  }

  @Test func predicatesSearchText() throws {
    try expect(
      #"instr("track"."name", ?) > 0"#, ["gar"], leaves: [2], #Predicate { $0.name.contains("gar") }
    )
    try expect(
      #"instr("track"."name", ?) = 1"#, ["S"], leaves: [1], #Predicate { $0.name.starts(with: "S") }
    )
    try expect(#""track"."name" = ''"#, [], leaves: [], #Predicate { $0.name.isEmpty })
  }

  @Test func whatSQLCannotSayIsNamed() throws {
    let count = requestError {
      try FetchRequest<Track>().filter(#Predicate { $0.name.count > 3 })
    }
    #expect(count?.code == .unsupportedPredicate)
    #expect(count?.message.contains("String") == true)
    let property = requestError { try FetchRequest<Track>().filter(#Predicate { $0.note == "x" }) }
    #expect(property?.code == .unsupportedPredicate)
    #expect(property?.message.contains("note") == true)
    let numbers = [1, 2]
    let nested = requestError {
      try FetchRequest<Track>().filter(
        #Predicate { track in numbers.allSatisfy { $0 < track.plays } })
    }
    #expect(nested?.code == .unsupportedPredicate)
    #expect(nested?.message.contains("SequenceAllSatisfy") == true)
  }

  @Test func sortDescriptorsSort() throws {
    let request = try FetchRequest<Track>().sort(by: [
      SortDescriptor(\.rating, order: .reverse), SortDescriptor(\.plays),
    ])
    #expect(
      try request.makePlan().sort.map(\.ordered.sql)
        == [#""track"."rating" DESC"#, #""track"."plays""#])
    let lexical = try FetchRequest<Track>().sort(by: [SortDescriptor(\.name, comparator: .lexical)])
    #expect(try Music.read { try $0.fetchAll(lexical).map(\.id) } == [5, 4, 3, 1, 2, 6])
    #expect(
      requestError { try FetchRequest<Track>().sort(by: [SortDescriptor(\.note)]) }?.code
        == .unsupportedPredicate)
  }
}
