import Foundation
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// What `sectile hub` says without a hub.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct HubCommandTests {
  private static let subcommands = [
    ["init", "--table", "parcel"], ["attach", "x.sqlite", "--name", "a", "--table", "parcel"],
    ["status", "--name", "a"], ["resync", "x.sqlite"], ["detach", "--name", "a"],
    ["uninstall", "--dry-run"], ["list"], ["verify", "x.sqlite"], relay,
  ]

  private static let relay = [
    "relay", "x.sqlite", "--name", "a", "--table", "parcel", "--nats", "nats://host", "--stream",
    "b",
  ]

  private func run(_ arguments: [String], hub: String = "") throws -> CommandRun {
    try CommandRun(["hub"] + arguments, environment: ["SECTILE_HUB": hub])
  }

  @Test func helpSaysWhereTheHubIsNamed() throws {
    let run = try run(["--help"])
    #expect(run.code == 0)
    let words = [
      "SECTILE_HUB", "init", "attach", "status", "resync", "detach", "uninstall", "list",
      "verify", "relay", "--traits Postgres",
    ]
    for word in words {
      #expect(run.output.contains(word), "\(word)")
    }
    for subcommand in Self.subcommands {
      let help = try self.run([subcommand[0], "--help"])
      #expect(help.code == 0)
      #expect(help.output.contains("SECTILE_HUB"))
    }
  }

  @Test(arguments: [
    ["nonsense"], ["init"], ["init", "--table", "a", "--print", "--json"],
    ["init", "--table", "a", "--print", "--dry-run"], ["uninstall"],
    ["uninstall", "--dry-run", "--yes"],
    ["attach", "x.sqlite", "--table", "a"], ["attach", "x.sqlite", "--name", "a"],
    ["attach", "x.sqlite", "--name", "a", "--table", "a", "--table", "a"],
    ["attach", "x.sqlite", "--name", "a", "--table", "a", "--columns", "b=id"],
    ["attach", "x.sqlite", "--name", "a", "--table", "a", "--columns", "id"],
    ["attach", "x.sqlite", "--name", "a", "--table", "a", "--columns", "a="],
    ["attach", "x.sqlite", "--name", "a", "--table", "a", "--numeric", "b=x:2"],
    ["attach", "x.sqlite", "--name", "a", "--table", "a", "--numeric", "a=x"],
    ["attach", "x.sqlite", "--name", "a", "--table", "a", "--numeric", "a=x:fast"],
    ["attach", "x.sqlite", "--name", "a", "--table", "a", "--where", "a=x", "--where", "a=y"],
    ["status"], ["detach"], ["resync"], ["verify"], ["verify", "x.sqlite", "--rows", "0"],
    ["list", "x.sqlite"], ["relay", "x.sqlite", "--name", "a", "--table", "a", "--stream", "a"],
    ["relay", "x.sqlite", "--name", "a", "--table", "a", "--nats", "nats://host"],
    Self.relay + ["--keep", "-1"],
    ["attach", "x.sqlite", "--name", "a", "--table", "a", "--nats", "nats://host"],
    ["attach", "x.sqlite", "--name", "a", "--table", "a", "--credentials", "x"],
  ])
  func argumentsThatMakeNoSenseAreRefused(_ arguments: [String]) throws {
    let run = try run(arguments)
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
  }

  @Test func passwordThatIsNoPartOfAnOptionIsNotRepeated() throws {
    let run = try run(["status", "x.sqlite", "--hub", "host=db", "password=s3cret"])
    #expect(run.code == 64)
    #expect(!run.errors.contains("s3cret"), "\(run.errors)")
  }

  #if Postgres
    @Test func sqlIsWrittenForWhoMayRunIt() throws {
      let run = try run(["init", "--table", "parcel", "--role", "replica", "--print"])
      #expect(run.code == 0)
      for text in [
        "BEGIN;", "CREATE SCHEMA IF NOT EXISTS sectile", "ALTER TABLE \"parcel\"",
        "ALTER ROLE \"replica\" REPLICATION;", "COMMIT;",
      ] {
        #expect(run.output.contains(text), "\(text)")
      }
    }

    // A build without the trait NATS does not get as far with a relay.
    private static let connecting = subcommands.filter {
      !["resync", "verify", "relay"].contains($0[0])
    }

    @Test(arguments: Self.connecting)
    func hubThatNobodyNamesIsAskedFor(_ arguments: [String]) throws {
      let run = try run(arguments)
      #expect(run.code == 64)
      #expect(run.errors.contains("SECTILE_HUB"))
    }

    @Test func connectionThatCannotBeReadIsNotRepeated() throws {
      let run = try run(["status", "--name", "a"], hub: "host=db password=my s3cret")
      #expect(run.code == 64)
      #expect(run.errors.contains("cannot be read"))
      #expect(!run.errors.contains("s3cret"), "\(run.errors)")
    }

    @Test func nameThatIsNoneIsRefused() throws {
      #expect(try run(["status", "--name", "Depot 7"], hub: "dbname=x").code == 64)
    }

    #if NATS
      @Test func streamThatIsNoneIsRefused() throws {
        var arguments = Self.relay
        arguments[arguments.count - 1] = "a.b"
        let run = try run(arguments, hub: "dbname=x")
        #expect(run.code == 64)
        #expect(run.errors.contains("a.b"))
      }
    #endif

    @Test func hubThatIsNotThereIsAnError() throws {
      let run = try run(["status", "--name", "a"], hub: "host=/nowhere password=s3cret")
      #expect(run.code == 74)
      #expect(!run.errors.contains("s3cret"), "\(run.errors)")
    }

    @Test func otherFilesAreNoReplicas() throws {
      let folder = try TemporaryFolder()
      let path = try Database.make("CREATE TABLE own (a)", in: folder)
      for subcommand in ["status", "resync", "detach"] {
        #expect(try run([subcommand, path], hub: "dbname=x").code == 1)
        #expect(try run([subcommand, folder.file("none.sqlite")], hub: "dbname=x").code == 66)
      }
    }
  #else
    @Test(arguments: Self.subcommands)
    func buildWithoutItSaysHowToGetIt(_ arguments: [String]) throws {
      let run = try run(arguments)
      #expect(run.code == 64)
      #expect(run.errors.contains("--traits Postgres,Macros"))
    }
  #endif
}
