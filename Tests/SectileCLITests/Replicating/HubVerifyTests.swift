#if Postgres
  import Foundation
  import Sectile
  import SectileTestHelpers
  import Testing

  @testable import SectileCLI

  /// `sectile hub verify` and `sectile hub list` with a server of PostgreSQL.
  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"), .ownThreads,
    .timeLimit(.minutes(60)))
  struct HubVerifyTests {
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

    private func attach() throws {
      #expect(try run("init", "--table", "depot", "--table", "parcel").code == 0)
      let run = try run(
        "attach", path, "--name", database.name, "--table", "depot", "--table", "parcel")
      try #require(run.code == 0, "\(run.errors)")
    }

    private func member(_ name: String, of run: CommandRun) throws -> Any? {
      let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      return (value as? [String: Any])?[name]
    }

    @Test func rowsThatDifferEndTheCommandWithOne() throws {
      try attach()
      try database.run("UPDATE parcel SET state = 'sent' WHERE id < 3")
      let equal = try run("verify", path)
      #expect(equal.code == 0, "\(equal.errors)")
      #expect(
        equal.output.hasPrefix(
          "depot: 2 rows, equal\nparcel: 10 rows, equal\n\(path): equal to the hub at "))
      try InspectionConnection(path: path, access: .readWrite).run(
        """
        UPDATE sectile_replica SET is_open = 1;
        DELETE FROM depot WHERE id = 2; UPDATE parcel SET state = 'lost' WHERE id = 7;
        UPDATE sectile_replica SET is_open = 0;
        """
      ) { _ in }
      let other = try run("verify", path)
      #expect(other.code == 1)
      #expect(
        other.output.hasPrefix(
          """
          depot: 1 row, 2 at the hub, 1 missing
            missing  2
          parcel: 10 rows, 10 at the hub, 1 changed
            changed  7, 2

          """), "\(other.output)")
      #expect(other.errors.contains("rows of depot, parcel are not the hub's"))
      #expect(other.errors.contains("sectile hub resync"))
      let document = try run("verify", path, "--json")
      #expect(document.code == 1)
      #expect(try member("isEqual", of: document) as? Bool == false)
      #expect(document.output.contains(#""differences":[{"difference":"changed","key":[7,2]}]"#))
      #expect(try run("resync", path).code == 0)
      #expect(try run("verify", path).code == 0)
      #expect(try run("detach", path).code == 0)
    }

    @Test func whatIsNoReplicaIsNotCompared() throws {
      let run = try run("verify", path)
      #expect(run.code == 66)
      try InspectionConnection(path: path, access: .create).run("CREATE TABLE a (b)") { _ in }
      #expect(try self.run("verify", path).code == 1)
    }

    @Test func replicasAreListed() throws {
      #expect(try run("list").output == "the hub has no replicas\n")
      try attach()
      let list = try run("list")
      #expect(list.code == 0, "\(list.errors)")
      let lines = list.output.split(separator: "\n")
      #expect(lines.first?.hasPrefix("name") == true)
      #expect(lines.count == 3)
      #expect(lines.last?.hasPrefix("\(database.name)  no ") == true, "\(list.output)")
      let document = try run("list", "--json")
      let replicas = try member("replicas", of: document) as? [[String: Any]]
      #expect(replicas?.count == 1)
      #expect(replicas?.first?["name"] as? String == database.name)
      #expect(replicas?.first?["isConnected"] as? Bool == false)
      #expect(replicas?.first?["state"] as? String == "reserved")
      #expect(try run("detach", "--name", database.name).code == 0)
      #expect(try run("list").output == "the hub has no replicas\n")
    }
  }
#endif
