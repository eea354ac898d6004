import Foundation
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// Files that former versions have left are opened, read exactly, followed and resumed.
@Suite(.timeLimit(.minutes(60))) struct FormerFileTests {
  private static let plan: FetchPlan = {
    var plan = FetchPlan(table: "song", keyColumns: ["id"], itemColumns: ["id", "genre", "title"])
    plan.section = FetchPlan.Section(
      identity: FetchPlan.SortTerm(expression: SQLFragment("\"song\".\"genre\"")))
    plan.sort = [FetchPlan.SortTerm(expression: SQLFragment("\"song\".\"title\""))]
    return plan
  }()

  /// Opens a copy of each version's file, with its migrations.
  private func withFiles(_ body: (Store, Migrations, TemporaryFolder) throws -> Void) throws {
    for version in try FormerVersions.folders() {
      let folder = try TemporaryFolder()
      try FormerVersions.copy(version, to: folder)
      let migrations = Migrations.folder(folder.file("migrations"))
      var configuration = StoreConfiguration()
      configuration.externalChangePolling = nil
      // The log in the file grows old, and is to stay.
      configuration.changeLogRetention.age = nil
      let store = try Store.open(
        at: folder.file("music.sqlite"), configuration: configuration, migrations: migrations)
      try body(store, migrations, folder)
      try store.close()
    }
  }

  private func values(_ sql: String, in store: Store) throws -> [[StoredValue]] {
    try store.read { transaction in try transaction.query(sql).map { $0.values } }
  }

  @Test func theLedgerIsKnownAndNothingIsAppliedAgain() throws {
    try withFiles { store, migrations, _ in
      let status = try Migrator(migrations).status(of: store)
      #expect(status.applied.map(\.version) == [1, 2])
      #expect(status.pending.isEmpty)
      #expect(status.problems.isEmpty)
    }
  }

  @Test func aMigrationThatWasEditedSinceIsRefused() throws {
    try withFiles { store, _, folder in
      try folder.write("SELECT 1;\n", to: "migrations/V0001_create_song.sql")
      let migrator = Migrator(.folder(folder.file("migrations")))
      #expect(try migrator.status(of: store).problems.map(\.code) == [.migrationChanged])
    }
  }

  @Test func valuesAreExact() throws {
    try withFiles { store, _, _ in
      let rows = try values(
        "SELECT id, genre, title, length, plays, cover FROM song ORDER BY id", in: store)
      let expected: [[StoredValue]] = [
        [.integer(1), "folk", "Tam Lin", .real(283.5), .integer(13), .blob([0, 255])],
        [.integer(3), "jazz", "Ågren 😀", .null, .integer(-1), .blob([])],
        [.integer(4), "jazz", "So What", .real(562), .integer(40), .null],
        [.integer(5), "dub", "King Tubby", .real(201.25), .integer(0), .null],
      ]
      #expect(rows == expected)
    }
  }

  @Test func whatHappenedSinceATokenIsTold() throws {
    try withFiles { store, _, folder in
      let text = try String(contentsOfFile: folder.file("token.txt"), encoding: .utf8)
      let token = try #require(ChangeToken(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      let page = try store.history(since: token)
      #expect(page.reset == nil)
      let changes = page.transactions.flatMap(\.changes).map { change in
        "\(change.operation.rawValue) \(change.table) "
          + change.key.map(\.description).joined(separator: " ")
      }
      #expect(
        changes == [
          "update song 1", "update song 3", "delete song 2", "insert song 5",
          "delete tag 1 'night'",
        ])
      #expect(try store.history(since: page.token).transactions.isEmpty)
    }
  }

  @Test func theLogIsIntactAndGoesOn() throws {
    try withFiles { store, _, _ in
      let status = try #require(try store.changeLog.status())
      #expect(status.tables.map(\.name).sorted() == ["sectile_migration", "song", "tag"])
      #expect(status.tables.allSatisfy { $0.isIntact })
      #expect(status.tables.first { $0.name == "song" }?.valuesSince != nil)
      let token = try store.history(since: nil).token
      try store.write(author: "ann") {
        try $0.execute("UPDATE song SET plays = plays + 1 WHERE id = 5")
      }
      let page = try store.history(since: token)
      #expect(page.reset == nil)
      #expect(page.transactions.map(\.author) == ["ann"])
      #expect(page.transactions.flatMap(\.changes).map(\.key) == [[.integer(5)]])
    }
  }

  @Test func resultsFollowCommitsAndTheTextIsFound() throws {
    try withFiles { store, _, _ in
      let search = "SELECT rowid FROM song_text WHERE song_text MATCH 'lin'"
      #expect(try values(search, in: store) == [[.integer(1)]])
      let results = try ReplayedResults(Self.plan, in: store, name: "former")
      let before = try results.results.contents()
      #expect(before.sections.map(\.header.identity) == ["dub", "folk", "jazz"])
      try store.write { try $0.execute("UPDATE song SET genre = 'dub', title = 'Z' WHERE id = 1") }
      let after = try results.results.contents()
      #expect(after.sections.map(\.header.identity) == ["dub", "jazz"])
      #expect(after.sections.map(\.rows.count) == [2, 2])
      #expect(try values(search, in: store).isEmpty)
    }
  }
}
