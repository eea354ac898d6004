import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// Foreign keys do not act in most files, so that rows refer to what is not there.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct OrphanPatchTests {
  private static let schema = """
    CREATE TABLE p (id INTEGER PRIMARY KEY);
    CREATE TABLE c (id INTEGER PRIMARY KEY, p int REFERENCES p (id));
    INSERT INTO c VALUES (1, 1), (2, 2);
    """

  private let folder: TemporaryFolder
  private let before: String
  private let after: String

  init() throws {
    folder = try TemporaryFolder()
    before = try Database.make(
      Self.schema + "INSERT INTO p VALUES (1), (2)", in: folder, as: "before")
    after = try Database.make(Self.schema + "INSERT INTO p VALUES (1)", in: folder, as: "after")
  }

  private func change(_ path: String, _ sql: String) throws {
    try InspectionConnection(path: path, access: .readWrite).run(sql) { _ in }
  }

  @Test func aPatchFitsTheFileThatItWasMadeFrom() throws {
    let lines = try CommandRun(["diff", before, after, "--ndjson"]).output
    #expect(lines.contains("\"newOrphans\":1"), "\(lines)")
    let run = try CommandRun(["apply", before], input: lines)
    #expect(run.code == 0, "\(run.errors)")
    #expect(try CommandRun(["diff", before, after]).code == 0)
  }

  @Test func moreOrphansThanThePatchSaysAreRefused() throws {
    let lines = try CommandRun(["diff", before, after, "--ndjson"]).output
    try change(before, "INSERT INTO c VALUES (3, 2)")
    let run = try CommandRun(["apply", before], input: lines)
    #expect(run.code == 65)
    #expect(run.errors.contains("1 row more would refer to what is not there"), "\(run.errors)")
    #expect(run.errors.contains("--allow-orphans"))
    #expect(try CommandRun(["apply", before, "--allow-orphans"], input: lines).code == 0)
  }

  @Test func aPatchOfOneTableMayLeaveOrphansWhereItIsLet() throws {
    let lines = try CommandRun(["diff", before, after, "--table", "p", "--ndjson"]).output
    #expect(try CommandRun(["apply", before], input: lines).code == 65)
    #expect(try CommandRun(["apply", before, "--allow-orphans"], input: lines).code == 0)
  }

  @Test func aForeignKeyThatCannotBeCheckedIsNoHindrance() throws {
    for path in [before, after] {
      try change(path, "CREATE TABLE q (x); CREATE TABLE d (y REFERENCES q (x))")
    }
    try change(after, "INSERT INTO p VALUES (2), (3)")
    let lines = try CommandRun(["diff", before, after, "--ndjson"]).output
    let run = try CommandRun(["apply", before], input: lines)
    #expect(run.code == 0, "\(run.errors)")
  }
}
