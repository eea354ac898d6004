import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// That what agrees is found to agree, and above all that what differs is found to differ.
@Suite struct ReplayedResultsTests {
  private let folder: TemporaryFolder
  private let path: String
  private let writer: InspectionConnection
  private let store: Store
  private let plan: FetchPlan

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("music.db")
    writer = try InspectionConnection(path: path, access: .create)
    try writer.run(
      """
      PRAGMA journal_mode = wal;
      CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT, title TEXT);
      INSERT INTO song VALUES (1, 'a', 'x'), (2, 'b', 'y'), (3, 'a', 'z');
      """, row: { _ in })
    store = try Store.inspecting(path, polling: nil)
    plan = try RequestOptions.parse(["--table=song", "--section-by=genre", "--sort=title"])
      .request().plan(in: store)
  }

  private func write(_ sql: String) throws {
    try writer.run(sql, row: { _ in })
  }

  private func fetch() throws -> Result<ReplayedResults.Contents, any Error> {
    try #require(try store.checkForExternalChanges(fetching: [plan]).first)
  }

  @Test func changesetsLeadToWhatAFetchFinds() throws {
    let results = try ReplayedResults(of: plan, in: store)
    results.compare(with: try fetch())
    try write("UPDATE song SET genre = 'c' WHERE id = 1; DELETE FROM song WHERE id = 2")
    results.compare(with: try fetch())
    try write("INSERT INTO song VALUES (9, 'a', 'aa'); UPDATE song SET title = 'q' WHERE id = 3")
    try store.checkForExternalChanges()
    results.replay()
    results.compare(with: try fetch())
    #expect(results.differences.isEmpty)
    #expect(results.obstacle == nil)
    #expect(results.comparisonCount == 3)
    // The first load's and those of two commits.
    #expect(results.changesetCount == 3)
    #expect(results.rowCount == 3)
  }

  @Test(arguments: [
    "UPDATE song SET title = 'other' WHERE id = 3", "DELETE FROM song WHERE id = 1",
    "INSERT INTO song VALUES (4, 'd', 'x')", "UPDATE song SET genre = 'b' WHERE id = 1",
    "UPDATE song SET id = 8 WHERE id = 2",
  ])
  func whatTheResultsMissedIsADifference(sql: String) throws {
    let results = try ReplayedResults(of: plan, in: store)
    results.compare(with: try fetch())
    try write(sql)
    // A fetch that the results were not told of: as if they had missed the commit.
    results.compare(with: Result { try store.read { try $0.fetchContents(of: plan) } })
    #expect(!results.differences.isEmpty)
  }

  @Test func aFetchThatFailsIsAnObstacleAndNoDifference() throws {
    let results = try ReplayedResults(of: plan, in: store)
    results.compare(with: try fetch())
    try write("DROP TABLE song")
    results.compare(with: try fetch())
    #expect(results.differences.isEmpty)
    #expect("\(try #require(results.obstacle))".contains("no such table"))
  }
}
