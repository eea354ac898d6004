import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// `watch --only`: some kinds of changes alone.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct WatchOnlyTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, kind TEXT, name TEXT);
      INSERT INTO tool VALUES (1, 'saw', 'a'), (2, 'saw', 'b'), (3, 'file', 'c');
      """, in: folder)
  }

  private func write(_ sql: String) throws {
    try InspectionConnection(path: path, access: .readWrite).run(sql) { _ in }
  }

  private func watch(_ arguments: String...) throws -> RunningCommand {
    try RunningCommand(
      ["watch", path, "--table", "tool", "--section-by", "kind", "--interval", "0.02"] + arguments)
  }

  @Test func otherChangesAreNeitherToldNorCounted() throws {
    let run = try watch("--only", "delete", "--until-changes", "1")
    #expect(run.wait(for: "didFinishLoading"))
    try write("INSERT INTO tool VALUES (4, 'axe', 'd')")
    try write("UPDATE tool SET name = 'e' WHERE id = 1")
    try write(
      "BEGIN; DELETE FROM tool WHERE id = 2; INSERT INTO tool VALUES (5, 'saw', 'f'); COMMIT")
    #expect(run.exitCode() == 0)
    #expect(run.errors.isEmpty)
    let lines = run.lines.map { $0.replacing(#/^\d\d:\d\d:\d\d/#, with: "T") }
    // The first load has no deletes; its beginning and end are told all the same.
    #expect(
      lines.prefix(3) == [
        "Watching tool in \(path); Ctrl-C ends it.", "T  willLoad",
        "  didFinishLoading  3 rows in 2 sections",
      ], "\(lines)")
    let rest = lines.dropFirst(3)
    #expect(rest.first == "T  willLoad", "\(lines)")
    #expect(rest.dropFirst().first?.hasSuffix("  R-: 1") == true, "\(lines)")
    #expect(rest.filter { $0.contains("willLoad") }.count == 1, "\(lines)")
    #expect(rest.contains { $0.hasPrefix("    R- [") && $0.hasSuffix("  2") }, "\(lines)")
    #expect(!rest.contains { $0.contains("R+") || $0.contains("R~") || $0.contains("S+") })
  }

  @Test func aRowThatMovedWithOtherValuesIsAnUpdate() throws {
    let run = try watch("--only", "update", "--changes-only", "--ndjson", "--until-changes", "1")
    #expect(run.wait(for: "\"finished\""))
    #expect(run.lines.first?.hasSuffix(",\"only\":[\"update\"]}") == true, "\(run.lines)")
    try write("UPDATE tool SET kind = 'file', name = 'z' WHERE id = 1")
    #expect(run.exitCode() == 0)
    let partial = try #require(run.lines.first { $0.contains("\"partial\"") })
    #expect(partial.contains("\"inserts\":[],\"moves\":[{"), "\(partial)")
    #expect(partial.contains("\"contentChanged\":true"), "\(partial)")
    // The load was told late, with the version that it began at.
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(partial.utf8)) as? [String: Any])
    let begun = run.lines.last { $0.contains("\"willLoad\"") }
    #expect(
      begun?.hasSuffix("\"version\":\(object["sourceVersion"] as? Int ?? -1)}") == true,
      "\(run.lines)")
  }

  @Test func partsOfChangesetsKeepTheirVersions() throws {
    let deletes = [ItemDelete(path: ItemPath(section: 0, item: 0), id: id(1))]
    let changes = WatchedChanges(sourceVersion: 3, targetVersion: 4, deletes: deletes)
    #expect(Set<ChangeKind>().part(of: changes)?.deletes.count == 1)
    #expect(Set([ChangeKind.insert, .move, .update]).part(of: changes) == nil)
    let part = try #require(Set([ChangeKind.delete]).part(of: changes))
    #expect(part.sourceVersion == 3)
    #expect(part.targetVersion == 4)
    #expect(part.deletes.map(\.id) == [id(1)])
  }

  private func id(_ number: Int64) -> UntypedRow.ID { UntypedRow.ID(keyValues: [.integer(number)]) }

  @Test func suchLinesKeepNoCopy() throws {
    let run = try watch("--only", "insert", "--ndjson", "--for", "0")
    #expect(run.exitCode() == 0)
    let copy = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, kind TEXT, name TEXT);
      INSERT INTO tool VALUES (9, 'x', 'y');
      """, in: folder, as: "copy.sqlite")
    let lines = run.lines.joined(separator: "\n") + "\n"
    let applied = try CommandRun(["apply", copy, "-"], input: lines)
    #expect(applied.code == 65)
    #expect(applied.errors.contains("leave --only out"), "\(applied.errors)")
    let rows = try CommandRun(["sqlite", copy, "--mode", "csv", "SELECT id FROM tool"])
    #expect(rows.output == "id\r\n9\r\n")
  }

  @Test(arguments: [["--only", "inserts"], ["--only", "insert", "--tui"], ["--only", ""]])
  func whatMakesNoSenseIsRefused(arguments: [String]) throws {
    let run = try CommandRun(["watch", path, "--table", "tool"] + arguments)
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    if arguments[1] == "inserts" {
      #expect(run.errors.contains("Hint: Did you mean insert?"), "\(run.errors)")
    }
  }
}
