#if Postgres
  import Foundation
  import Sectile
  import SectileTestHelpers
  import Testing

  @testable import SectileCLI

  /// `sectile hub` with a server of PostgreSQL, from the beginning of a replica to its end.
  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"), .ownThreads,
    .timeLimit(.minutes(60)))
  struct HubReplicaTests {
    private let folder: TemporaryFolder
    private let path: String
    private let database: HubDatabase

    init() throws {
      folder = try TemporaryFolder()
      path = folder.file("fleet.sqlite")
      database = try HubDatabase()
    }

    private func run(_ arguments: String..., user: String = "app") throws -> CommandRun {
      try CommandRun(
        ["hub"] + arguments, environment: ["SECTILE_HUB": database.connection(user: user)])
    }

    /// Sets up the hub, and attaches the file.
    private func attach() throws {
      #expect(try run("init", "--table", "depot", "--table", "parcel").code == 0)
      let run = try run(
        "attach", path, "--name", database.name, "--table", "depot", "--table", "parcel",
        "--columns", "parcel=id,depot", "--where", "parcel=depot = 1")
      try #require(run.code == 0, "\(run.errors)")
      #expect(run.output.hasPrefix("\(path): 7 rows of 2 tables, at "))
      #expect(run.errors.isEmpty)
    }

    private func slotCount() throws -> String {
      try database.run(
        "SELECT count(*) FROM pg_replication_slots WHERE database = current_database()")
    }

    private func rows(_ sql: String) throws -> [String] {
      var rows: [String] = []
      try InspectionConnection(path: path).run(sql) { row in rows.append("\(row[0])") }
      return rows
    }

    private func member(_ names: String..., of run: CommandRun) throws -> Any? {
      var value: Any? = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      for name in names { value = (value as? [String: Any])?[name] }
      return value is NSNull ? nil : value
    }

    @Test func settingUpTwiceIsSettingUpOnce() throws {
      let first = try run("init", "--table", "parcel")
      #expect(first.output == "the hub is set up for 1 table: parcel\n")
      let second = try run("init", "--table", "parcel", "--json")
      #expect(second.output.hasPrefix(#"{"v":1,"hasChanged":false,"tables":["parcel"]"#))
      #expect(try run("init", "--table", "nothing").code == 65)
    }

    @Test func dryRunSaysWhatSettingUpWouldDo() throws {
      let count = "SELECT count(*) FROM pg_namespace WHERE nspname = 'sectile'"
      let first = try run("init", "--table", "parcel", "--dry-run")
      #expect(first.code == 0, "\(first.errors)")
      #expect(
        first.output == """
          would create the schema sectile with the hub's tables
          would add the column sectile_rev and its trigger to public.parcel
          nothing was changed

          """)
      #expect(try database.run(count) == "0\n")
      #expect(try run("init", "--table", "nothing", "--dry-run").code == 65)
      #expect(try run("init", "--table", "parcel").code == 0)
      let second = try run("init", "--table", "parcel", "--dry-run")
      #expect(second.output == "the hub was set up already for 1 table: parcel\n")
      let json = try run("init", "--table", "depot", "--dry-run", "--json")
      #expect(try member("hasChanged", of: json) as? Bool == false)
      #expect(try (member("steps", of: json) as? [String])?.count == 1)
    }

    @Test func hubIsTakenBackAndFilesKeepTheirRows() throws {
      try attach()
      let planned = try run("uninstall", "--dry-run")
      #expect(planned.code == 0, "\(planned.errors)")
      #expect(planned.output.contains("would drop the slot sectile_\(database.name)_"))
      #expect(planned.output.hasSuffix("\nwould drop the schema sectile\nnothing was changed\n"))
      #expect(try slotCount() == "1\n")
      let done = try run("uninstall", "--yes")
      #expect(done.code == 0, "\(done.errors)")
      #expect(
        done.output
          == planned.output.replacing("would ", with: "done: ")
          .replacing("nothing was changed", with: "the database is not a hub any more"))
      #expect(try slotCount() == "0\n")
      #expect(try database.run("SELECT * FROM depot ORDER BY id") == "1|north\n2|south\n")
      #expect(try rows("SELECT count(*) FROM parcel") == ["5"])
      let again = try run("uninstall", "--yes", "--json")
      #expect(try member("hasChanged", of: again) as? Bool == false)
      #expect(try run("uninstall", "--yes").output == "the database is not a hub\n")
      // The file is released as of a hub that stands.
      #expect(try run("detach", path).code == 0)
    }

    @Test func whoMayNotTakeTheHubBackIsGivenTheSQL() throws {
      #expect(try run("init", "--table", "parcel").code == 0)
      let role = "guest_\(database.name)"
      try database.run("CREATE ROLE \(role) LOGIN")
      let refused = try run("uninstall", "--yes", user: role)
      #expect(refused.code == 74)
      #expect(refused.errors.contains("\nHint: Have somebody run this who may:\nBEGIN;\n"))
      #expect(refused.errors.contains("\nDROP SCHEMA IF EXISTS sectile;\n"))
    }

    @Test func attachingAgainBringsWhatWasCommittedMeanwhile() throws {
      try attach()
      for number in 100...105 {
        try database.run(
          "INSERT INTO parcel (id, depot) SELECT n * 1000 + \(number), 1 FROM generate_series(1, 100) n"
        )
        let run = try run(
          "attach", path, "--name", database.name, "--table", "depot", "--table", "parcel",
          "--columns", "parcel=id,depot", "--where", "parcel=depot = 1")
        #expect(run.code == 0, "\(run.errors)")
        let count = try rows("SELECT count(*) FROM parcel WHERE id % 1000 = \(number)")
        #expect(count.first?.contains("100") == true, "\(count)")
      }
      #expect(try run("detach", "--name", database.name).code == 0)
    }

    @Test func whoMayNotSetUpIsGivenTheSQL() throws {
      let role = "guest_\(database.name)"
      try database.run("CREATE ROLE \(role) LOGIN")
      let refused = try run("init", "--table", "parcel", user: role)
      #expect(refused.code == 74)
      let lines = refused.errors.split(separator: "\n").map(String.init)
      let begin = try #require(lines.firstIndex(of: "BEGIN;"))
      #expect(lines[begin - 1] == "Hint: Have somebody run this who may:")
      #expect(lines.last == "COMMIT;")
      try database.run(lines[begin...].joined(separator: "\n"))
      #expect(try run("init", "--table", "parcel").output.contains("was set up already"))
      // The owner gives the role what it needs.
      #expect(try run("init", "--table", "parcel", "--role", role).code == 0)
      let publishing = try run(
        "attach", path, "--name", database.name, "--table", "parcel", user: role)
      #expect(publishing.code == 74)
      #expect(publishing.errors.contains("\nCREATE PUBLICATION "), "\(publishing.errors)")
    }

    @Test func hubThatIsNotSetUpSaysSo() throws {
      let run = try run("attach", path, "--name", database.name, "--table", "parcel")
      #expect(run.code == 65)
      #expect(run.errors.contains("sectile hub init"), "\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func statusTellsOfFileAndServer() throws {
      try attach()
      try database.run("UPDATE parcel SET state = 'sent'")
      let text = try run("status", path)
      #expect(text.code == 0, "\(text.errors)")
      #expect(text.output.contains("id, depot, sectile_rev  depot = 1"), "\(text.output)")
      #expect(text.output.contains("heartbeat  "))
      #expect(text.output.contains("outbox     0 waiting, 0 refused"))
      #expect(text.output.contains(", not connected"))
      let json = try run("status", path, "--json")
      #expect(try member("file", "name", of: json) as? String == database.name)
      #expect(try member("hub", "isConnected", of: json) as? Bool == false)
      #expect(try member("hub", "state", of: json) as? String == "reserved")
      let behind = try member("hub", "behindBytes", of: json) as? Int ?? 0
      #expect(behind > 0)
      let slot = try member("file", "slot", of: json) as? String
      #expect(slot != nil)
      #expect(try member("hub", "slot", of: json) as? String == slot)
      // The file alone, the hub alone, and another replica's name.
      let file = try CommandRun(
        ["hub", "status", path, "--json"], environment: ["SECTILE_HUB": ""])
      #expect(try member("file", "position", of: file) != nil)
      #expect(try member("hub", of: file) == nil)
      let hub = try run("status", "--name", database.name, "--json")
      #expect(try member("file", of: hub) == nil)
      #expect(try member("hub", "slot", of: hub) as? String == slot)
      #expect(try run("status", path, "--name", "other").code == 64)
      #expect(try run("status", "--name", "other_\(database.name)").code == 1)
      _ = try run("detach", path)
    }

    @Test func fileFollowsUntilASignalComes() throws {
      try attach()
      let command = try RunningCommand(
        [
          "hub", "attach", path, "--name", database.name, "--table", "depot", "--table", "parcel",
          "--columns", "parcel=id,depot", "--where", "parcel=depot = 1", "--follow", "--ndjson",
        ], environment: ["SECTILE_HUB": database.connection()])
      #expect(command.wait(for: #""event":"resumed""#), "\(command.errors)")
      try database.run("INSERT INTO parcel VALUES (11, 1), (12, 2)")
      try database.run("DELETE FROM parcel WHERE id = 2")
      let hasFollowed = try waitedUntil {
        try rows("SELECT id FROM parcel ORDER BY id") == ["4", "6", "8", "10", "11"]
      }
      #expect(hasFollowed)
      // Another process follows.
      let busy = try run("resync", path)
      #expect(busy.code == 74)
      #expect(busy.errors.contains("Another process follows the hub"))
      #expect(try run("detach", path).code == 74)
      let status = try run("status", path, "--json")
      #expect(try member("hub", "isConnected", of: status) as? Bool == true)
      command.signal(SIGINT)
      #expect(command.exitCode() == 0)
      #expect(command.lines.last?.contains(#""event":"attached""#) == true, "\(command.lines)")
      #expect(command.errors.isEmpty, "\(command.errors)")
      _ = try run("detach", path)
    }

    @Test func whatDiffersIsWritten() throws {
      try attach()
      try InspectionConnection(path: path, access: .readWrite).run(
        """
        UPDATE sectile_replica SET is_open = 1;
        DELETE FROM depot; INSERT INTO depot VALUES (7, 'none', 0);
        UPDATE sectile_replica SET is_open = 0;
        """
      ) { _ in }
      let run = try run("resync", path)
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output.hasPrefix("\(path): 7 rows compared at "))
      #expect(run.output.hasSuffix(", 1 deleted, 2 written\n"))
      #expect(try rows("SELECT id FROM depot ORDER BY id") == ["1", "2"])
      let again = try self.run("resync", path, "--json")
      #expect(try member("written", of: again) as? Int == 0)
      _ = try self.run("detach", path)
    }

    @Test func detachedFileIsAnOrdinaryOne() throws {
      try attach()
      #expect(try slotCount() == "1\n")
      let run = try run("detach", path)
      #expect(run.code == 0, "\(run.errors)")
      #expect(
        run.output
          == "the hub keeps nothing any more for \(database.name); "
          + "tables of \(path) that are ordinary ones now: depot, parcel\n"
      )
      #expect(try slotCount() == "0\n")
      #expect(try database.run("SELECT count(*) FROM pg_publication") == "0\n")
      try InspectionConnection(path: path, access: .readWrite).run("DELETE FROM depot") { _ in }
      #expect(try rows("SELECT name FROM sqlite_schema WHERE name LIKE 'sectile_replica%'").isEmpty)
      #expect(try self.run("status", path).code == 1)
      let gone = try self.run("detach", "--name", database.name)
      #expect(gone.output == "the hub kept no log for \(database.name)\n")
    }

    @Test func logThatTheServerGivesUpIsToldBefore() throws {
      let server = try PostgresServer(
        settings: ["fsync": "off", "max_slot_wal_keep_size": "64MB"])
      let other = try HubDatabase(on: server)
      func run(_ arguments: String...) throws -> CommandRun {
        try CommandRun(["hub"] + arguments, environment: ["SECTILE_HUB": other.connection()])
      }
      func write(megabytes: Int) throws {
        try other.run(
          """
          SELECT pg_logical_emit_message(false, 'filler', repeat('x', 1000000))
          FROM generate_series(1, \(megabytes))
          """)
        try other.run("CHECKPOINT")
      }
      #expect(try run("init", "--table", "depot").code == 0)
      #expect(try run("attach", path, "--name", "a", "--table", "depot").code == 0)
      try write(megabytes: 45)
      let near = try run("status", path)
      #expect(near.code == 0)
      #expect(near.errors.hasPrefix("Warning: the server gives up its log"), "\(near.errors)")
      let document = try run("status", path, "--json")
      #expect(try member("hub", "isNearLimit", of: document) as? Bool == true)
      try write(megabytes: 60)
      let lost = try run("status", path)
      #expect(lost.code == 1)
      #expect(lost.errors.contains("has given up its log"), "\(lost.errors)")
      // Who comes again has all rows.
      try other.run("INSERT INTO depot VALUES (3, 'west')")
      #expect(try run("attach", path, "--name", "a", "--table", "depot").code == 0)
      #expect(try rows("SELECT id FROM depot ORDER BY id") == ["1", "2", "3"])
      #expect(try run("status", path).code == 0)
    }

    @Test func replicaOfAMachineThatIsGoneIsTakenOff() throws {
      try attach()
      #expect(try run("detach", "--name", database.name, "--json").code == 0)
      let status = try run("status", path)
      #expect(status.code == 1)
      #expect(status.errors.contains("keeps no log"), "\(status.errors)")
    }
  }
#endif
