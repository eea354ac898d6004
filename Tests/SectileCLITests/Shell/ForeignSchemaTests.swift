import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// Another program changes a table while the shell is open.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ForeignSchemaTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make("CREATE TABLE t (a, b, c); INSERT INTO t VALUES (1, 2, 3)", in: folder)
  }

  private func change(_ sql: String) throws {
    try InspectionConnection(path: path, access: .readWrite).run(sql) { _ in }
  }

  private func answer(_ connection: InspectionConnection) throws -> String {
    var names: [String] = []
    var text = ""
    try connection.run("SELECT * FROM t", columns: { names = $0 }) { row in
      text += zip(names, row).map { "\($0)=\($1)" }.joined(separator: " ")
    }
    return text.isEmpty ? names.joined(separator: " ") : text
  }

  @Test func valuesHaveTheNamesOfTheirColumns() throws {
    let connection = try InspectionConnection(path: path)
    #expect(try answer(connection) == "a=1 b=2 c=3")
    try change("ALTER TABLE t DROP COLUMN a; ALTER TABLE t ADD COLUMN a DEFAULT 9")
    #expect(try answer(connection) == "b=2 c=3 a=9")
    try change("ALTER TABLE t ADD COLUMN d DEFAULT 4")
    #expect(try answer(connection) == "b=2 c=3 a=9 d=4")
    try change("ALTER TABLE t RENAME COLUMN b TO x; ALTER TABLE t DROP COLUMN c")
    #expect(try answer(connection) == "x=2 a=9 d=4")
    try change("DELETE FROM t; ALTER TABLE t RENAME COLUMN x TO y")
    #expect(try answer(connection) == "y a d")
  }

  @Test func theShellShowsThemToo() throws {
    let session = try TerminalSession(
      ["sqlite", path, "--mode", "line"],
      environment: ["SECTILE_HISTORY": folder.file("state/history"), "TERM": "screen-256color"])
    try session.wait(for: "sectile>")
    try session.type("SELECT * FROM t;")
    try session.press("Enter")
    try session.wait(for: "c = 3")
    try change("ALTER TABLE t DROP COLUMN a; ALTER TABLE t ADD COLUMN a DEFAULT 9")
    try session.type("SELECT *, 'again' AS e FROM t;")
    try session.press("Enter")
    try session.wait(for: "e = again")
    let screen = try session.screen()
    #expect(screen.contains("b = 2\nc = 3\na = 9\ne = again"), "\(screen)")
    try session.type(".quit")
    try session.press("Enter")
    #expect(try session.exitCode() == 0)
  }
}
