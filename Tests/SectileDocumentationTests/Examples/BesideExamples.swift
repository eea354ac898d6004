#if Macros
  import GRDB
  import Sectile
  import SectileTestHelpers
  import Testing

  @Suite(.timeLimit(.minutes(60))) struct BesideExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func aConnectionOfYourOwnIsFollowed() throws {
      let folder = try TemporaryFolder()
      let path = folder.file("packages.sqlite")
      let migrations = Package.migrations
      // example: beside-connection
      let store = try Store.open(at: path, migrations: migrations)
      try store.changeLog.enable()
      var configuration = Configuration()
      configuration.busyMode = .timeout(5)  // GRDB by itself waits for nobody
      let own = try DatabasePool(path: path, configuration: configuration)
      try own.write { try $0.execute(sql: "INSERT INTO package VALUES (1, 'sed', 'editors')") }
      // example: end
      let results = try store.results(of: Sectile.FetchRequest<Package>().sort(by: \.name))
      try results.load()
      let before = results.statistics.resyncCount
      try own.write { try $0.execute(sql: "INSERT INTO package VALUES (2, 'awk', 'utils')") }
      try store.checkForExternalChanges()
      let names = try results.snapshot.materialized().sections.flatMap(\.rows).map(\.item.name)
      #expect(names == ["awk", "sed"])
      #expect(results.statistics.resyncCount == before, "the row was followed")
      try own.close()
      try store.close()
    }

    @Test func aFileOfAnotherToolIsTakenOver() throws {
      let temporary = try TemporaryFolder()
      let path = temporary.file("packages.sqlite")
      let folder = temporary.file("Migrations")
      try temporary.makeFolder("Migrations")
      try temporary.write(Package.table, to: "Migrations/V0001_create_package.sql")
      try temporary.write(
        "CREATE INDEX package_on_name ON package (name)",
        to: "Migrations/V0002_index_package.sql")
      let queue = try DatabaseQueue(path: path)
      var migrator = DatabaseMigrator()
      migrator.registerMigration("packages") { db in
        try db.create(table: "package") { table in
          table.primaryKey("id", .integer)
          table.column("name", .text).notNull()
          table.column("section", .text).notNull()
        }
      }
      try migrator.migrate(queue)
      try queue.close()
      // example: migrations-baseline
      let migrations = Migrations.folder(folder).baseline(through: 1)
      let store = try Store.open(at: path, migrations: migrations)
      // example: end
      let status = try Migrator(migrations).status(of: store)
      #expect(
        status.applied.map(\.name) == ["V0001_create_package.sql", "V0002_index_package.sql"])
      try store.close()
      // GRDB finds its own ledger as it was.
      let again = try DatabaseQueue(path: path)
      #expect(try again.read { try migrator.hasCompletedMigrations($0) })
      try again.close()
    }
  }
#endif
