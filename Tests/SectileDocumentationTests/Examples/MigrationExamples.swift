#if Macros
  import Sectile
  import SectileTestHelpers
  import Testing

  @Suite struct MigrationExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func filesAreAppliedInOrder() throws {
      let temporary = try TemporaryFolder()
      let path = temporary.file("packages.sqlite")
      let folder = temporary.file("Migrations")
      try temporary.makeFolder("Migrations")
      try temporary.write(Package.table, to: "Migrations/V0001_create_package.sql")
      do {
        // example: migrations-open
        let store = try Store.open(at: path, migrations: .folder(folder))
        // example: end
        try store.close()
      }
      try temporary.write(
        "CREATE INDEX package_on_name ON package (name)",
        to: "Migrations/V0002_index_package.sql")
      // example: migrations-status
      let store = try Store.open(at: path)  // applies nothing
      let migrator = Migrator(.folder(folder))
      for entry in try migrator.status(of: store).entries {
        print("\(entry.name) \(entry.appliedAt == nil ? "pending" : "applied")")
      }
      // V0001_create_package.sql applied
      // V0002_index_package.sql pending
      try migrator.apply(to: store)
      // example: end
      #expect(
        transcript.lines == [
          "V0001_create_package.sql applied", "V0002_index_package.sql pending",
        ])
      #expect(try migrator.status(of: store).pending.isEmpty)
    }

    @Test func aChangedFileIsRefused() throws {
      let temporary = try TemporaryFolder()
      let path = temporary.file("packages.sqlite")
      try Store.open(at: path, migrations: Package.migrations).close()
      // example: migrations-changed
      do {
        let edited = "CREATE TABLE package (id INTEGER PRIMARY KEY, name TEXT)"
        _ = try Store.open(
          at: path, migrations: .inline(["V0001_create_package.sql": edited]))
      } catch {
        print(error.code == .migrationChanged)  // true
        print(error.message)
      }
      // example: end
      #expect(transcript.lines.first == "true")
      #expect(transcript.lines.last?.contains("V0001_create_package.sql") == true)
    }
  }
#endif
