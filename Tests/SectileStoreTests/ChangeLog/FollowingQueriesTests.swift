import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// Queries are followed row by row, too, where another program has written to a file with a change
/// log.
@Suite(.timeLimit(.minutes(60))) struct FollowingQueriesTests {
  /// The log names rows by their primary keys; those of `tag` have row ids that no column is.
  private static let schema = FollowedQueryTests.schema.replacingOccurrences(
    of: "CREATE TABLE tag (word TEXT, artist INTEGER)",
    with: "CREATE TABLE tag (word TEXT, artist INTEGER, PRIMARY KEY (word, artist))")

  private static let totals = Query(FollowedQueryTests.totals, key: ["id"])

  private func file(
    _ kind: StorageKind = .file, configure: (inout StoreConfiguration) -> Void = { _ in }
  ) throws -> LoggedFile {
    try LoggedFile(Self.schema, kind) { configuration in
      // Nobody looks in between.
      configuration.isLookedAtByOwner = true
      configure(&configuration)
    }
  }

  private func follow(_ query: Query, in file: LoggedFile) throws -> LiveResults<UntypedRow> {
    let live = try LiveResults(query, in: file.store)
    try file.store.look()
    return live
  }

  private func logPageCount(of file: LoggedFile) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path + "-wal")
    return (attributes[.size] as? Int ?? 0) / 4_120
  }

  @Test(arguments: FollowedQueryTests.cases)
  func rowsAreReadAgainOneByOne(_ test: FollowedQueryTests.Case) throws {
    let file = try file()
    let query = Query(test.sql, key: test.key)
    let live = try follow(query, in: file)
    #expect(try file.store.explain(query).outsideCommits.reasons == [])
    try file.other.execute("BEGIN; \(test.commit); COMMIT")
    try file.store.look()
    try live.expectRows(of: query, in: file.store)
    let statistics = live.results.statistics
    #expect(statistics.rebuildCount == 0)
    #expect(statistics.resyncCount == 0)
    #expect(statistics.rereadRowCount == test.rereadCount)
    try file.close()
  }

  /// What a row was is known after commits of one's own, of others, and of both in turn.
  @Test(arguments: [StorageKind.file, .adoptedPool])
  func commitsInTurnAreFollowedRowByRow(_ kind: StorageKind) throws {
    let file = try file(kind)
    let live = try follow(Self.totals, in: file)
    for turn in 0..<10 {
      let artist = turn % 4 + 60
      try file.other.execute(
        "UPDATE OR REPLACE track SET artist = artist + 1 WHERE artist = \(artist - 50)")
      try file.other.execute("UPDATE track SET length = length + 1 WHERE artist = \(artist)")
      if turn % 3 == 0 {
        try file.other.execute("REPLACE INTO track VALUES (\(artist), 9, 'x', 1)")
      }
      if turn % 2 == 0 { try file.store.look() }
      try file.store.commit(
        "UPDATE OR REPLACE track SET artist = \(artist + 20) WHERE artist = \(artist)")
      try file.store.look()
      try live.expectRows(of: Self.totals, in: file.store)
    }
    #expect(live.results.statistics.rebuildCount == 0)
    #expect(live.results.statistics.resyncCount == 0)
    try file.close()
  }

  /// Where no state of the file can be held, everything is fetched again, and `explain` says so.
  @Test func oneConnectionFetchesEverythingAgain() throws {
    let file = try file(.adoptedQueue)
    let live = try follow(Self.totals, in: file)
    let reasons = try file.store.explain(Self.totals).outsideCommits.reasons
    #expect(reasons.count == 2)
    #expect(reasons.first?.contains("what its rows were is not known") == true)
    try file.other.execute("UPDATE track SET length = 0 WHERE artist = 9")
    try file.store.look()
    try live.expectRows(of: Self.totals, in: file.store)
    #expect(live.results.statistics.rebuildCount == 1)
    try file.close()
  }

  /// A table that the log does not follow.
  @Test func unloggedTablesFetchEverythingAgain() throws {
    let file = try LoggedFile(Self.schema, tables: ["artist"]) { $0.isLookedAtByOwner = true }
    let live = try follow(Self.totals, in: file)
    try file.other.execute("UPDATE track SET length = 0 WHERE artist = 9")
    try file.store.look()
    try live.expectRows(of: Self.totals, in: file.store)
    #expect(live.results.statistics.resyncCount == 1)
    try file.close()
  }

  /// The log names these rows by `word`, and questions ask for them by row ids that no column is: a
  /// name may be another row's afterwards.
  @Test(arguments: [
    "DELETE FROM tag WHERE word = 'b'; UPDATE tag SET word = 'b', artist = 3 WHERE word = 'a'",
    "UPDATE tag SET word = 'x', artist = 4 WHERE word = 'a'; UPDATE tag SET word = 'a' WHERE word = 'b'; "
      + "UPDATE tag SET word = 'b' WHERE word = 'x'",
    "UPDATE tag SET rowid = rowid + 100, artist = artist + 1",
    "DELETE FROM tag WHERE word = 'c'; UPDATE tag SET rowid = rowid + 1, artist = 9 WHERE word = 'b'",
    "UPDATE OR REPLACE tag SET word = 'b', artist = 5 WHERE word = 'a'",
    "REPLACE INTO tag VALUES ('a', 2), ('b', 1)",
    "DELETE FROM tag WHERE word = 'a'; INSERT INTO tag VALUES ('a', 8)",
    "UPDATE tag SET artist = 7 WHERE word = 'a'; DELETE FROM tag WHERE word = 'a'; "
      + "INSERT INTO tag (rowid, word, artist) VALUES (1, 'z', 6)",
  ])
  func namesThatOtherRowsTakeAreFollowed(_ commit: String) throws {
    let schema =
      "CREATE TABLE tag (word TEXT PRIMARY KEY, artist INTEGER); "
      + "INSERT INTO tag VALUES ('a', 1), ('b', 2), ('c', 3)"
    let file = try LoggedFile(schema) { $0.isLookedAtByOwner = true }
    let query = Query("SELECT artist, count(*) AS tags FROM tag GROUP BY artist", key: ["artist"])
    let live = try follow(query, in: file)
    try file.other.execute("BEGIN; \(commit); COMMIT")
    try file.store.look()
    try live.expectRows(of: query, in: file.store)
    #expect(live.results.statistics.rebuildCount == 0)
    #expect(live.results.statistics.resyncCount == 0)
    try file.close()
  }

  /// The log has no rows of what changes the schema, nor of what is written past its triggers.
  @Test(
    arguments: [
      "ALTER TABLE track ADD COLUMN mood TEXT DEFAULT 'calm'", "VACUUM",
      "DROP INDEX tag_artist", "CREATE TABLE other (id INTEGER PRIMARY KEY)",
      "ALTER TABLE artist RENAME COLUMN country TO land",
    ], [false, true])
  func schemasThatChangeAreFollowed(_ statement: String, byOthers: Bool) throws {
    let file = try file()
    let live = try follow(Self.totals, in: file)
    for turn in 0..<3 {
      try file.other.execute("UPDATE track SET artist = \(turn + 200) WHERE artist = \(turn + 1)")
      try file.store.look()
      if turn == 0 {
        if byOthers || statement == "VACUUM" {
          try file.other.execute(statement)
          try file.store.look()
        } else {
          try file.store.commit(statement)
        }
        try live.expectRows(of: Self.totals, in: file.store)
      }
      try file.other.execute("UPDATE track SET artist = \(turn + 300) WHERE artist = \(turn + 200)")
      try file.store.look()
      try live.expectRows(of: Self.totals, in: file.store)
    }
    try file.close()
  }

  /// What the application reads still keeps the writer in a state that others have left behind: one
  /// that is held meanwhile would be newer than the results.
  @Test func aWriterThatReadsStillHoldsNothingNewer() throws {
    let file = try file(.adoptedPool)
    let live = try follow(Self.totals, in: file)
    let writer = file.store.databaseWriter
    var rows: RowCursor?
    try writer.unsafeReentrantWrite { db in
      rows = try Row.fetchCursor(db, sql: "SELECT * FROM track")
      _ = try rows?.next()
    }
    for turn in 0..<3 {
      try file.other.execute("UPDATE track SET artist = \(turn + 200) WHERE artist = \(turn + 1)")
      // Lets go of the state; the look holds the next one.
      _ = try? file.store.checkpoint(.full)
      try file.store.look()
    }
    writer.unsafeReentrantWrite { _ in rows = nil }
    for turn in 0..<3 {
      try file.store.look()
      try live.expectRows(of: Self.totals, in: file.store)
      try file.other.execute("UPDATE track SET artist = \(turn + 300) WHERE artist = \(turn + 200)")
    }
    try file.store.look()
    try live.expectRows(of: Self.totals, in: file.store)
    #expect(live.results.statistics.rebuildCount <= 1)
    try file.close()
  }

  /// The connection of the state knows the store's parts, and they know it.
  @Test(arguments: [StorageKind.file, .adoptedPool], [false, true])
  func aStoreThatIsReleasedLeavesNoConnection(_ kind: StorageKind, followsQuery: Bool) throws {
    let folder = try TemporaryFolder()
    weak var pool: (any DatabaseWriter)?
    do {
      var configuration = SmallWorld.configuration
      configuration.isLookedAtByOwner = true
      let store = try kind.open(in: folder, configuration: configuration)
      try store.write { try $0.execute(Self.schema) }
      try store.changeLog.enable(allowsAdopted: true)
      pool = store.databaseWriter
      if followsQuery {
        let live = try LiveResults(Self.totals, in: store)
        try store.look()
        #expect(store.statistics.heldViewCount == 1)
        withExtendedLifetime(live) {}
      }
    }
    // Where nothing is held, they close at once: who opens the file next finds no lock.
    if kind == .file, !followsQuery { #expect(pool == nil) }
    #expect(waitedUntil { pool == nil })
    #expect(
      try waitedUntil {
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return descriptors.allSatisfy { descriptor in
          let file = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(descriptor)")
          return file?.hasPrefix(folder.path) != true
        }
      })
  }

  // MARK: - SQLite's log

  /// Views of clients end where the log is long; without this one the next commit would be fetched
  /// again.
  @Test func theStateIsNotEndedForBeingOld() throws {
    let file = try file { $0.automaticCheckpointPageCount = 40 }
    let live = try follow(Self.totals, in: file)
    try file.other.execute("PRAGMA wal_autocheckpoint = 0")
    for turn in 0..<100 {
      // The same rows each time: more of them would be compared as a whole.
      try file.other.execute("UPDATE track SET length = \(turn) WHERE artist = 7")
    }
    #expect(try logPageCount(of: file) > 60)
    file.store.writer.writeWithoutTransaction { file.store.views?.endOld(in: $0, after: .zero) }
    #expect(file.store.statistics.heldViewCount == 1)
    try file.store.look()
    try live.expectRows(of: Self.totals, in: file.store)
    #expect(live.results.statistics.rebuildCount == 0)
    try file.close()
  }

  /// The state that is held steps out of the log, so that it begins anew.
  @Test(arguments: [false, true])
  func theLogStaysShort(ownCommits: Bool) throws {
    let file = try file { $0.automaticCheckpointPageCount = 40 }
    try file.other.execute("PRAGMA wal_autocheckpoint = 40")
    let live = try follow(Self.totals, in: file)
    var longest = 0
    for turn in 0..<600 {
      try file.other.execute("UPDATE track SET length = \(turn) WHERE artist = \(turn % 100)")
      if ownCommits {
        try file.store.commit("UPDATE track SET length = -\(turn) WHERE artist = \(turn % 99)")
      }
      try file.store.look()
      longest = try max(longest, logPageCount(of: file))
    }
    try live.expectRows(of: Self.totals, in: file.store)
    // Without it the log has some 1,800 pages.
    #expect(longest < 160)
    let statistics = live.results.statistics
    #expect(statistics.resyncCount == 0)
    #expect(statistics.rebuildCount < 30)
    try file.close()
  }

  /// Somebody else keeps the log: the state is let go of, and held again afterwards.
  @Test func theStateIsLetGoOfWhileOthersKeepTheLog() throws {
    let file = try file { $0.automaticCheckpointPageCount = 40 }
    let live = try follow(Self.totals, in: file)
    let reader = try ForeignConnection(file.path)
    try reader.execute("BEGIN; SELECT count(*) FROM artist")
    for turn in 0..<100 {
      try file.other.execute("UPDATE track SET length = \(turn) WHERE artist = \(turn)")
      try file.store.look()
    }
    try live.expectRows(of: Self.totals, in: file.store)
    let rebuildCount = live.results.statistics.rebuildCount
    #expect(rebuildCount > 0)
    #expect(file.store.statistics.heldViewCount == 0)
    try reader.execute("COMMIT")
    reader.close()
    try file.store.checkpoint(.restart)
    for turn in 0..<3 {
      try file.other.execute("UPDATE track SET length = -\(turn) WHERE artist = 7")
      try file.store.look()
    }
    // The first of them is fetched again, since nobody knew what its row was.
    #expect(live.results.statistics.rebuildCount <= rebuildCount + 1)
    try live.expectRows(of: Self.totals, in: file.store)
    try file.close()
  }

  /// A state that is held in a rollback journal would keep everybody from writing.
  @Test func nothingIsHeldInARollbackJournal() throws {
    let file = try file()
    try file.close()
    let other = try ForeignConnection(file.path)
    try other.execute("PRAGMA journal_mode = DELETE")
    var configuration = SmallWorld.configuration
    configuration.isReadOnly = true
    configuration.isLookedAtByOwner = true
    let store = try Store.open(at: file.path, configuration: configuration)
    let live = try LiveResults(Self.totals, in: store)
    for length in 0..<3 {
      try other.execute("UPDATE track SET length = \(length) WHERE artist = 9")
      try store.look()
      try live.expectRows(of: Self.totals, in: store)
      #expect(store.statistics.heldViewCount == 0)
    }
    let reasons = try store.explain(Self.totals).outsideCommits.reasons
    #expect(reasons.first?.contains("what its rows were is not known") == true)
    other.close()
    try store.close()
  }

  /// Another connection to the path would see another file.
  @Test func nothingIsHeldWhereTheFileIsGone() throws {
    let file = try file()
    let live = try follow(Self.totals, in: file)
    #expect(file.store.statistics.heldViewCount == 1)
    let copy = file.folder.file("elsewhere.sqlite")
    try file.store.backup(to: copy)
    try FileManager.default.moveItem(atPath: file.path, toPath: file.folder.file("moved.sqlite"))
    try FileManager.default.moveItem(atPath: copy, toPath: file.path)
    for _ in 0..<2 {
      try expectStoreError(.fileReplaced) { try file.store.look() }
      #expect(file.store.statistics.heldViewCount == 0)
    }
    withExtendedLifetime(live) {}
    file.other.close()
    try? file.store.close()
  }

  /// The next transaction lets go, whoever else still follows commits.
  @Test func nothingIsHeldBehindTheLastQuery() throws {
    let file = try file()
    let other = try file.follow(FetchPlan.artists(0))
    do {
      let live = try follow(Self.totals, in: file)
      try file.store.commit("UPDATE artist SET country = 'y' WHERE id = 1")
      #expect(file.store.statistics.heldViewCount == 1)
      withExtendedLifetime(live) {}
    }
    try file.store.commit("UPDATE artist SET country = 'x' WHERE id = 1")
    #expect(file.store.statistics.heldViewCount == 0)
    withExtendedLifetime(other) {}
    try file.close()
  }

  /// Results that are gone hold nothing.
  @Test func nothingIsHeldWhereNobodyFollowsAQuery() throws {
    let file = try file()
    do {
      let live = try follow(Self.totals, in: file)
      #expect(file.store.statistics.heldViewCount == 1)
      withExtendedLifetime(live) {}
    }
    // Those that are gone are looked for where others come.
    let others = try (0..<40).map { try file.follow(FetchPlan.artists($0)) }
    try file.store.commit("UPDATE artist SET country = 'x' WHERE id = 1")
    #expect(file.store.statistics.heldViewCount == 0)
    withExtendedLifetime(others) {}
    try file.close()
  }
}

extension FetchPlan {
  /// Artists with a number and more.
  fileprivate static func artists(_ number: Int) -> FetchPlan {
    var plan = FetchPlan(table: "artist", keyColumns: ["id"], itemColumns: ["id", "name"])
    plan.filter = SQLFragment("id > \(number)")
    return plan
  }
}
