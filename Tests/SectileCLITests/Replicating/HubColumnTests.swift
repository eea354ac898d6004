#if Postgres
  import Sectile
  import SectileTestHelpers
  import Testing

  @testable import SectileCLI

  /// Which columns `sectile hub attach` has, and in which form.
  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"), .ownThreads,
    .timeLimit(.minutes(60)))
  struct HubColumnTests {
    private let folder: TemporaryFolder
    private let path: String
    private let database: HubDatabase

    init() throws {
      folder = try TemporaryFolder()
      path = folder.file("fleet.sqlite")
      database = try HubDatabase()
    }

    private func run(_ arguments: String...) throws -> CommandRun {
      try CommandRun(
        ["hub"] + arguments, environment: ["SECTILE_HUB": database.connection()])
    }

    private func rows(_ sql: String) throws -> [String] {
      var rows: [String] = []
      try InspectionConnection(path: path).run(sql) { row in rows.append("\(row[0])") }
      return rows
    }

    @Test func columnsThatCannotBeHadAreListedOnce() throws {
      try database.run(
        "CREATE TABLE odd (id int PRIMARY KEY, kind regclass, price numeric(9, 2), rate numeric); "
          + "INSERT INTO odd VALUES (1, 'pg_class', 12.30, 0.5)")
      #expect(try run("init", "--table", "odd").code == 0)
      #expect(try run("attach", path, "--name", database.name, "--table", "odd").code != 0)
      let attached = try run(
        "attach", path, "--name", database.name, "--table", "odd", "--columns", "auto",
        "--numeric", "odd=price:2,rate:real")
      try #require(attached.code == 0, "\(attached.errors)")
      #expect(attached.output.hasSuffix("\nleft out: odd.kind (regclass)\n"))
      #expect(
        try rows("SELECT price || ' ' || typeof(price) || ' ' || rate FROM odd")
          == ["'1230 integer 0.5'"])
      // The forms are those of the file.
      #expect(try run("resync", path).code == 0)
      #expect(try rows("SELECT price FROM odd") == ["1230"])
      #expect(try run("detach", path).code == 0)
    }
  }
#endif
