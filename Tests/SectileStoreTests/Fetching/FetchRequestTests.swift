import SectileCore
import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct FetchRequestTests {
  private func keys(_ request: FetchRequest<Track>) throws -> [Int64] {
    try Music.read { try $0.fetchAll(request).map(\.id) }
  }

  private func order(_ request: FetchRequest<Track>) throws -> String {
    let sql = PlanSQL(try request.makePlan()).selectItemsInOrder.sql
    return String(sql.split(separator: " ORDER BY ").last ?? "")
  }

  @Test func anEmptyRequestWantsAllByKey() throws {
    let request = FetchRequest<Track>()
    #expect(try keys(request) == [1, 2, 3, 4, 5, 6])
    #expect(
      PlanSQL(try FetchRequest<Label>().makePlan()).selectItemsInOrder.sql
        == #"SELECT "label"."id", "label"."name" FROM "main"."label" ORDER BY "label"."id""#)
  }

  @Test func sortKeysFollowOneAnother() throws {
    let request = FetchRequest<Track>().sort(by: \.rating, .descending).sort(by: \.name)
    #expect(
      try order(request) == #""track"."rating" DESC, "track"."name", "track"."id""#)
    #expect(try keys(request) == [3, 1, 2, 5, 4, 6])
    #expect(try keys(request.unsorted()) == [1, 2, 3, 4, 5, 6])
  }

  @Test func sortTakesCollationAndNulls() throws {
    let request = FetchRequest<Track>().sort(by: \.name, collation: .nocase)
    #expect(try order(request) == #""track"."name" COLLATE "NOCASE", "track"."id""#)
    #expect(try keys(request) == [5, 4, 3, 1, 2, 6])
    let nulls = FetchRequest<Track>().sort(by: \.rating, nulls: .last)
    #expect(try order(nulls) == #""track"."rating" NULLS LAST, "track"."id""#)
    #expect(try keys(nulls) == [5, 2, 1, 3, 4, 6])
    let first = FetchRequest<Track>().sort(by: \.rating, .descending, nulls: .first)
    #expect(try order(first) == #""track"."rating" DESC NULLS FIRST, "track"."id""#)
    #expect(try keys(first) == [4, 6, 1, 3, 2, 5])
  }

  @Test func sortTakesExpressionsAndRelationships() throws {
    let request = FetchRequest<Track>().sort { $0.name.length }.sort(by: \.artist.label.name)
    #expect(
      try order(request)
        == #"length("track"."name"), "label"."name", "track"."id""#)
    let collated = FetchRequest<Track>().sort(by: { $0.name + "x" }, collation: .nocase)
    #expect(try order(collated) == #"("track"."name" || ?) COLLATE "NOCASE", "track"."id""#)
  }

  @Test func aKeyThatIsSortedByStandsOnce() throws {
    let request = FetchRequest<Track>().sort(by: \.id, .descending)
    #expect(try order(request) == #""track"."id" DESC"#)
    #expect(try keys(request) == [6, 5, 4, 3, 2, 1])
    let parent = FetchRequest<Track>().sort(by: \.original.id)
    #expect(try order(parent) == #""track_2"."id", "track"."id""#)
  }

  @Test func limitAndOffsetCutTheOrder() throws {
    let request = FetchRequest<Track>().sort(by: \.plays)
    #expect(try keys(request.limit(2)) == [2, 4])
    #expect(try keys(request.limit(2).offset(1)) == [4, 3])
    #expect(try keys(request.offset(4)) == [5, 6])
    #expect(try keys(request.limit(0)) == [])
    #expect(try keys(request.limit(2).limit(nil)).count == 6)
    let plan = try request.limit(2).offset(1).batchSize(7).makePlan()
    #expect((plan.limit, plan.offset, plan.batchSize) == (2, 1, 7))
  }

  @Test func refiningLeavesTheOriginalAlone() throws {
    let all = FetchRequest<Track>()
    _ = all.filter { $0.plays > 1 }.limit(1)
    #expect(try keys(all).count == 6)
  }

  @Test(arguments: [
    FetchRequest<Track>().limit(-1), FetchRequest<Track>().offset(-1),
    FetchRequest<Track>().batchSize(0),
  ])
  func boundsMustMakeSense(_ request: FetchRequest<Track>) throws {
    let error = requestError { try request.makePlan() }
    #expect(error?.code == .invalidRequest)
    #expect(error?.message.contains("track") == true)
    #expect(error?.hint != nil)
  }

  /// How many values are too many, a connection says: `moreThanSQLiteBindsIsRefusedWithAHint`.
  @Test func aPlanTakesAnyNumberOfValues() throws {
    let request = FetchRequest<Track>().filter { $0.plays.in(0..<40_000 as Range<Int>) }
    #expect(try request.makePlan().filter?.values.count == 2)
    let list = FetchRequest<Track>().filter { $0.plays.in(Array(0..<40_000)) }
    #expect(try list.makePlan().filter?.values.count == 40_000)
  }

  @Test func fetchingOneAndCounting() throws {
    try Music.read { transaction throws in
      let request = FetchRequest<Track>().sort(by: \.plays, .descending)
      #expect(try transaction.fetchOne(request)?.id == 6)
      #expect(try transaction.fetchOne(request.limit(0)) == nil)
      #expect(try transaction.fetchOne(request.filter { $0.plays > 5000 }) == nil)
      #expect(try transaction.fetchCount(request) == 6)
      #expect(try transaction.fetchCount(request.limit(4)) == 4)
      #expect(try transaction.fetchCount(request.limit(4).offset(5)) == 1)
      #expect(try transaction.fetchCount(request.filter { $0.artist.name == "Nina" }) == 2)
    }
  }
}
