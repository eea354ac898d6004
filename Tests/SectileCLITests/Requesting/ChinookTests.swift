import Foundation
import Sectile
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileCLI

/// The views that people write over a shop's tables, shown as `sectile watch` shows them.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ChinookTests {
  private let folder: TemporaryFolder
  private let path: String
  private let writer: InspectionConnection

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("chinook.db")
    let fixture = try #require(
      Bundle.module.url(forResource: "chinook", withExtension: "sql", subdirectory: "Fixtures"))
    writer = try InspectionConnection(path: path, access: .create)
    try writer.run("PRAGMA journal_mode = wal; PRAGMA synchronous = off", row: { _ in })
    try writer.run(try String(contentsOf: fixture, encoding: .utf8), row: { _ in })
  }

  /// The views whose rows something tells apart, with that.
  static let keys = [
    "TrackDetails": ["TrackId"], "InvoiceTotals": ["InvoiceId"], "GenreSales": ["GenreId"],
    "SupportOfCustomers": ["CustomerId"], "PlaylistSizes": ["PlaylistId"],
    "BestSellers": ["ArtistId"], "NeverSold": ["TrackId"], "LongestOfAlbums": ["TrackId"],
    "Spenders": ["CustomerId"],
  ]
  private static let views = keys.merging([
    "People": ["Kind", "Id"], "CountrySales": ["BillingCountry"], "Months": ["Month"],
  ]) { first, _ in first }

  /// Each commit of a shop, some of which concern many rows of a view.
  private static let commits = [
    "UPDATE Artist SET Name = 'Renamed' WHERE ArtistId = 3",
    "UPDATE Genre SET Name = NULL WHERE GenreId = 2; INSERT INTO Genre VALUES (9, 'Folk')",
    "UPDATE Track SET UnitPrice = 2.49, GenreId = 9 WHERE TrackId IN (4, 7, 10)",
    "INSERT INTO InvoiceLine VALUES (900, 5, 8, 0.99, 3), (901, 6, 199, 1.99, 1)",
    "DELETE FROM InvoiceLine WHERE TrackId = 10; UPDATE Invoice SET Total = 0 WHERE InvoiceId = 4",
    "UPDATE Customer SET SupportRepId = 4, Country = NULL WHERE CustomerId < 6",
    "UPDATE Employee SET ReportsTo = 1, FirstName = 'Ann' WHERE EmployeeId = 3",
    "INSERT INTO PlaylistTrack SELECT 4, TrackId FROM Track WHERE TrackId < 9",
    "DELETE FROM PlaylistTrack WHERE PlaylistId = 3; UPDATE Playlist SET Name = 'x' WHERE PlaylistId = 2",
    "UPDATE Album SET ArtistId = 11 WHERE ArtistId = 2",
    "INSERT INTO Invoice VALUES (77, 3, '2021-02-03 00:00:00', 'Country 9', 5)",
    "UPDATE Track SET AlbumId = NULL WHERE AlbumId = 5; UPDATE Track SET Milliseconds = 1 WHERE TrackId = 6",
    "DELETE FROM Invoice WHERE InvoiceId = 77; UPDATE Invoice SET BillingCountry = 'Country 1'",
  ]

  private func plan(_ options: [String], in store: Store) throws -> FetchPlan {
    try RequestOptions.parse(options).request().plan(
      in: store, withoutKey: .rowIDsAndPlacesOfViews)
  }

  /// Each view, as it is and as a SELECT, with a change log and without.
  @Test(arguments: [false, true])
  func changesetsOfEachViewLeadToWhatAFetchFinds(hasLog: Bool) throws {
    if hasLog { #expect(try CommandRun(["log", path, "enable"]).code == 0) }
    let store = try Store.inspecting(path, polling: nil)
    var plans: [FetchPlan] = []
    for (view, key) in Self.views {
      let named = key.map { "--key=\($0)" }
      plans.append(try plan(["--table=\(view)"], in: store))
      plans.append(try plan(["--sql=SELECT * FROM \(view)"] + named, in: store))
    }
    plans.append(try plan(["--table=Everything"], in: store))
    let replayed = try plans.map { try ReplayedResults(of: $0, in: store) }
    for commit in Self.commits {
      try writer.run("BEGIN; \(commit); COMMIT", row: { _ in })
      let fetched = try store.checkForExternalChanges(fetching: plans)
      for (results, contents) in zip(replayed, fetched) { results.compare(with: contents) }
    }
    for (results, plan) in zip(replayed, plans) {
      #expect(results.differences.isEmpty, "\(plan.table): \(results.differences)")
      #expect(results.obstacle == nil, "\(plan.table)")
      #expect(results.comparisonCount == Self.commits.count)
      #expect(results.changesetCount > 1, "no commit concerns \(plan.table)")
    }
  }

  @Test(arguments: keys)
  func aViewIsFollowedRowByRow(view: String, key: [String]) throws {
    #expect(try CommandRun(["log", path, "enable"]).code == 0)
    for request in [["--table", view], ["--sql", "SELECT * FROM \(view)"]] {
      let run = try CommandRun(["explain", path, "--json"] + request)
      #expect(run.code == 0, "\(run.errors)")
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      #expect(document["key"] as? [String] == key)
      for part in ["maintenance", "outsideCommits"] {
        let way = document[part] as? [String: Any]
        let isFollowed = way?["isIncremental"] ?? way?["isFollowedByRow"]
        #expect(isFollowed as? Bool == true, "\(request): \(way ?? [:])")
      }
    }
  }
}
