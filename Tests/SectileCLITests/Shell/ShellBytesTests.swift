import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// Bytes arrive as they were given, whichever way SQL and values come.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ShellBytesTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make("CREATE TABLE t (v)", in: folder)
  }

  /// Runs a line of a shell in which `$S` is the program and `$F` the file.
  private func shell(_ line: String) throws {
    let run = try ProgramRun(
      "/bin/sh", ["-c", line], environment: ["S": CommandRun.program.path, "F": path],
      in: folder.url)
    #expect(run.code == 0, "\(String(decoding: run.errors, as: UTF8.self))")
  }

  private var stored: [String] {
    get throws {
      var rows: [String] = []
      try InspectionConnection(path: path).run("SELECT typeof(v) || ' ' || hex(v) FROM t") { row in
        if case .text(let text) = row[0] { rows.append(text) }
      }
      return rows
    }
  }

  @Test(arguments: [
    (#"caf\351"#, "text 636166E9"), (#"'it''s \351'"#, "text 69742773" + "20E9"),
    (#"\364\217\277\251"#, "text F48FBFA9"), (#"\364\217\277\251\351"#, "text F48FBFA9E9"),
    (#"12"#, "integer 3132"), (#"x'00'"#, "blob 00"),
  ])
  func aParameterKeepsItsBytes(text: String, expected: String) throws {
    let insert = "'INSERT INTO t VALUES (:v)'"
    let given = "$(printf \"\(text)\")"
    try shell("$S sqlite $F --writable --param \"v=\(given)\" \(insert)")
    // Beside an argument that is not UTF-8, too.
    try shell(
      "$S sqlite $F --writable --param \"v=\(given)\" \(insert) \"$(printf \"SELECT '\\\\377'\")\"")
    try shell("$S sqlite $F --writable \".parameter set v \\\"\(given)\\\"\" \(insert)")
    try shell(
      "printf \".parameter set v \\\"\(text)\\\"\\n\(insert.dropFirst().dropLast());\" "
        + "| $S sqlite $F --writable")
    #expect(try stored == Array(repeating: expected, count: 4))
  }

  @Test func aTrueCharacterBesideABadByteStaysOne() throws {
    try shell(
      #"$S sqlite $F --writable "$(printf "INSERT INTO t VALUES ('\351\364\217\277\251')")""#)
    #expect(try stored == ["text E9F48FBFA9"])
  }

  @Test func lineBreaksInTextStayWhatTheyAre() throws {
    let script = "INSERT INTO t VALUES ('a\r\nb'),\r\n  ('c\nd\r');\r\n-- end\r\n.mode list\r\n"
    try Data(script.utf8).write(to: folder.url.appendingPathComponent("script.sql"))
    try shell("$S sqlite $F --writable < script.sql")
    try shell("$S sqlite $F --writable '.read script.sql'")
    let expected = ["text 610D0A62", "text 630A640D"]
    #expect(try stored == expected + expected)
  }

  @Test func insertStatementsBringTheSameBytesBack() throws {
    let values =
      "('a\r\nb'), (CAST(x'636166E9' AS TEXT)), ('\r'), ('a' || char(0) || 'b'), (x'0D'), ('é')"
    try InspectionConnection(path: path, access: .readWrite)
      .run("INSERT INTO t VALUES \(values)") { _ in }
    let before = try stored
    for command in [
      "$S export $F --table t --format insert",
      "$S sqlite $F --mode insert '.mode insert t' 'SELECT v FROM t'",
    ] {
      try shell("\(command) > rows.sql; $S sqlite $F --writable 'DELETE FROM t'")
      try shell("$S sqlite $F --writable < rows.sql")
      #expect(try stored == before, "\(command)")
      try shell("$S sqlite $F --writable 'DELETE FROM t'; sqlite3 -bail $F < rows.sql")
      #expect(try stored == before, "\(command), sqlite3")
    }
  }
}
