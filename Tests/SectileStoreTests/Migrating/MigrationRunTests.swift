import GRDB
import SectileTestHelpers
import Testing

@testable import SectileStore

/// Files and ledger are compared once for a whole run, and again only where somebody else migrates.
@Suite(.timeLimit(.minutes(60))) struct MigrationRunTests {
  private func files(_ count: Int) throws -> [Migration] {
    try (1...count).map { number in
      try Migration(
        Migrations.File(
          name: "V\(String(10_000 + number).dropFirst())_create_table.sql",
          sql: "CREATE TABLE table\(number) (id)"))
    }
  }

  @Test func filesAreComparedOnceForARun() throws {
    let store = try Store.inMemory()
    let run = MigrationRun(try files(30), through: 25)
    var count = 0
    while try store.applyNext(of: run) != nil { count += 1 }
    #expect(count == 25)
    #expect(run.planCount == 1)
  }

  @Test func anotherWhoMigratesMeanwhileIsNoticed() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let (store, other) = (try Store.open(at: path), try Store.open(at: path))
    let files = try files(6)
    let run = MigrationRun(files, through: nil)
    #expect(try store.applyNext(of: run) == files[0].name)
    let others = MigrationRun(files, through: 3)
    #expect(try other.applyNext(of: others) == files[1].name)
    #expect(try other.applyNext(of: others) == files[2].name)
    #expect(try store.applyNext(of: run) == files[3].name)
    #expect(run.planCount == 2)
    // One who knows another file of a version stands in the way.
    try other.write {
      try $0.execute(
        "INSERT INTO sectile_migration VALUES (5, 'V0005_other.sql', 'x', '2026-01-01')")
    }
    let error = #expect(throws: StoreError.self) { try store.applyNext(of: run) }
    #expect(error?.code == .migrationChanged)
  }

  @Test func commitThatEndsInDoubtIsTold() throws {
    let log = CommitLog()
    try withStore(.file, readBy: [log]) { store in
      store.databaseWriter.add(transactionObserver: RefusingObserver(), extent: .databaseLifetime)
      log.clear()
      let run = MigrationRun(try files(1), through: nil)
      #expect(throws: (any Error).self) { try store.applyNext(of: run) }
      #expect(log.lines.contains("unknown") && log.lines.last == "deliver")
    }
  }
}
