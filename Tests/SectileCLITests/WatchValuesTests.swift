import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// What a watch shows of values that are odd, and of rows that nothing groups.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct WatchValuesTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, name, kind);
      INSERT INTO tool VALUES (1, CAST(x'636166e9' AS TEXT), 'a'), (2, x'636166e9', 'b');
      CREATE TABLE odd (id PRIMARY KEY, name) WITHOUT ROWID;
      INSERT INTO odd VALUES ('ff', 1), (x'ff', 2), (255, 3), (2.5, 4), ('x''ff''', 5);
      """, in: folder)
  }

  private func write(_ sql: String) throws {
    try InspectionConnection(path: path, access: .readWrite).run(sql) { _ in }
  }

  private func watch(_ arguments: String...) throws -> RunningCommand {
    try RunningCommand(["watch", path, "--interval", "0.02"] + arguments)
  }

  // MARK: - Text that is not UTF-8

  @Test func textThatIsNotUTF8IsMarkedForPeople() throws {
    let run = try watch("--table", "tool", "--until-changes", "1")
    #expect(run.wait(for: "didFinishLoading"))
    try write("UPDATE tool SET name = CAST(x'1bff80' AS TEXT) WHERE id = 2")
    #expect(run.exitCode() == 0)
    #expect(run.errors.isEmpty)
    #expect(run.lines.contains("    R+ [0,0]  id=1  name=caf‹e9›  kind=a"))
    #expect(run.lines.contains("    R+ [0,1]  id=2  name=x'636166e9'  kind=b"))
    #expect(run.lines.contains("    R~ [0,1]→[0,1]  id=2  name=\\u{1B}‹ff›‹80›  kind=b"))
  }

  @Test func textThatIsNotUTF8IsTaggedInJSONAndNoBlob() throws {
    let run = try watch("--table", "tool", "--ndjson", "--until-changes", "1")
    #expect(run.wait(for: "\"finished\""))
    // The same bytes in another storage class are another value.
    try write("UPDATE tool SET name = CAST(name AS BLOB) WHERE id = 1")
    #expect(run.exitCode() == 0)
    #expect(run.lines.contains { $0.contains("{\"id\":1,\"name\":{\"$text\":\"636166e9\"},") })
    #expect(run.lines.contains { $0.contains("{\"id\":2,\"name\":{\"$blob\":\"636166e9\"},") })
    #expect(
      run.lines.contains {
        $0.contains("\"updates\":[{") && $0.contains("{\"id\":1,\"name\":{\"$blob\":\"636166e9\"},")
      })
  }

  @Test(arguments: [["--key", "name"], ["--section-by", "name"]])
  func aKeyOrSectionThatIsNotUTF8IsOneLineAndAHint(arguments: [String]) throws {
    let run = try CommandRun(["watch", path, "--table", "tool"] + arguments)
    #expect(run.code == 65)
    #expect(run.errors.contains("not UTF-8"))
    #expect(run.errors.split(separator: "\n").count == 2)
    #expect(run.errors.contains("\nHint: "))
  }

  @Test(arguments: [
    ["--key", "id"], ["--key", "rowid"], ["--section-by", "hex(name)"],
    ["--section-by", "hex(name)", "--key", "rowid"],
  ])
  func whatTheHintForSuchKeysAndSectionsSaysHelps(arguments: [String]) throws {
    let run = try CommandRun(["watch", path, "--table", "tool", "--for", "0"] + arguments)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("id=1  name=caf‹e9›  kind=a"))
  }

  @Test func aSectionThatIsNotUTF8ForAWhileDoesNotEndTheWatch() throws {
    let run = try watch("--table", "tool", "--section-by", "kind", "--ndjson")
    #expect(run.wait(for: "\"finished\""))
    try write("INSERT INTO tool VALUES (3, 1, CAST(x'ff' AS TEXT))")
    #expect(run.wait(for: "\"failed\""))
    try write("UPDATE tool SET kind = 'good' WHERE id = 3")
    #expect(run.wait(for: "\"kind\":\"good\""))
    run.signal(SIGINT)
    #expect(run.exitCode() == 0)
  }

  @Test(arguments: ["‹ff›", "a‹80›b", "‹e2›‹82›", "é", ""])
  func marksStandForBytes(marked: String) {
    let bytes: [String: [UInt8]] = [
      "‹ff›": [0xFF], "a‹80›b": [0x61, 0x80, 0x62], "‹e2›‹82›": [0xE2, 0x82], "é": [0xC3, 0xA9],
      "": [],
    ]
    #expect(InvalidText.marked(bytes[marked] ?? [0]) == marked)
  }

  // MARK: - Identities

  @Test func idsOfDifferentValuesAreDifferent() throws {
    let run = try CommandRun(
      ["watch", path, "--table", "odd", "--section-by", "id", "--ndjson", "--for", "0"])
    #expect(run.code == 0)
    for value in ["\"ff\"", "{\"$blob\":\"ff\"}", "255", "2.5", "\"x'ff'\""] {
      #expect(run.output.contains("\"id\":[\(value)]"), "\(value)")
      #expect(run.output.contains("\"identity\":\(value),"), "\(value)")
    }
  }

  // MARK: - Rows that nothing groups

  @Test func rowsThatNothingGroupsHaveNoHeader() throws {
    let run = try watch("--table", "tool", "--columns", "kind", "--until-changes", "1")
    #expect(run.wait(for: "didFinishLoading"))
    try write("DELETE FROM tool")
    #expect(run.exitCode() == 0)
    let lines = run.lines.map { $0.replacing(#/^\d\d:\d\d:\d\d/#, with: "T") }
    #expect(
      lines.dropFirst() == [
        "T  willLoad", "  didPartiallyLoad 0→1  R+: 2", "    R+ [0,0]  kind=a",
        "    R+ [0,1]  kind=b", "  didFinishLoading  2 rows", "T  willLoad",
        "  didPartiallyLoad 1→2  R-: 2", "    R- [0,0]  1", "    R- [0,1]  2",
        "  didFinishLoading  0 rows",
      ])
  }
}
