import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct LogCommandTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("music.sqlite")
    try write("CREATE TABLE album (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE loose (a)")
  }

  private func write(_ sql: String) throws {
    try InspectionConnection(path: path, access: .create).run(sql) { _ in }
  }

  private var schema: [String] {
    get throws {
      var rows: [String] = []
      let sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2"
      try InspectionConnection(path: path).run(sql) { row in
        rows.append((0..<4).map { "\(row[$0])" }.joined(separator: "|"))
      }
      return rows
    }
  }

  private func lines(_ arguments: String...) throws -> [String] {
    let run = try CommandRun(["log", path] + arguments)
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test func theLogIsSwitchedOnReadAndRemoved() throws {
    let before = try schema
    #expect(try CommandRun(["log", path, "status"]).code == 1)
    #expect(try lines("enable") == ["\(path): the change log is on"])
    #expect(try lines("enable") == ["\(path): the change log was on already"])
    let status = try lines("status")
    #expect(status.contains { $0.hasPrefix("album") && $0.contains("followed") })
    #expect(status.contains { $0.hasPrefix("loose") && $0.contains("not followed: ") })

    let store = try Store.open(at: path)
    try store.write(author: "ann", tag: "a \u{1B}") {
      try $0.execute("INSERT INTO album VALUES (1, 'x')")
    }
    try store.close()
    try write("DELETE FROM album")
    let history = try lines()
    #expect(history.count == 5)
    #expect(history[0].hasSuffix("  ann  a \\u{1B}"))
    let time = history[0].prefix(23)
    #expect(
      history[1...3] == ["  insert album 1", "unattributed  after \(time)", "  delete album 1"])
    let token = try #require(history[4].split(separator: " ").last).description
    #expect(history[4] == "token \(token)")
    #expect(try lines("--since", token) == ["token \(token)"])

    let objects = try lines("--ndjson", "--table", "ALBUM")
    #expect(objects.count == 2)
    #expect(objects[0].contains(#""author":"ann""#))
    #expect(
      objects[1].contains(#""changes":[{"table":"album","operation":"delete","key":[1]}]"#))
    #expect(try lines("--limit", "1").count == 3)

    #expect(try lines("prune", "--keep", "1").first?.hasSuffix("removed") == true)
    #expect(try lines("disable") == ["\(path): the change log is gone"])
    #expect(try lines("disable") == ["\(path): there was no change log"])
    #expect(try schema == before)
    #expect(try CommandRun(["log", path]).code == 65)
  }

  @Test func theRowAndTheTimeAreChosen() throws {
    _ = try lines("enable")
    let store = try Store.open(at: path)
    try store.write(author: "ann") { try $0.execute("INSERT INTO album VALUES (7, 'x'), (8, 'y')") }
    try store.close()
    try write("UPDATE album SET name = 'z' WHERE id = 7; DELETE FROM album WHERE id = 8")
    let row = try lines("--table", "album", "--key", "7")
    #expect(row.filter { $0.hasPrefix("  ") } == ["  insert album 7", "  update album 7"])
    #expect(try lines("--table", "album", "--key", "70").count == 1)
    let time = try #require(row.first).prefix(23)
    let (day, second) = (String(time.prefix(10)), String(time.prefix(19)))
    // What other programs wrote comes after it, and before now.
    #expect(try lines("--from", day).count == 7)
    #expect(try lines("--from", second, "--to", "2999-01-01").count == 7)
    #expect(try lines("--to", "2020-01-01").count == 1)
    #expect(try lines("--from", "2999-01-01T00:00Z").count == 1)
    let objects = try lines("--ndjson", "--table", "album", "--key", "7")
    #expect(objects.count == 2)
    #expect(objects[1].contains(#""operation":"update","key":[7]"#), "\(objects[1])")
  }

  @Test func whatOthersWroteIsShownWhereTheCommitsAroundItAreWithinTheTime() throws {
    _ = try lines("enable")
    try write("INSERT INTO album VALUES (1, 'before all commits')")
    try commit(2)
    try write("INSERT INTO album VALUES (3, 'between')")
    try commit(4)
    try write("INSERT INTO album VALUES (5, 'after all commits')")
    let times = try lines().filter { $0.first?.isNumber == true }.map { $0.prefix(23) }
    try #require(times.count == 2 && times[0] < times[1])
    func rows(_ arguments: String...) throws -> [String] {
      let run = try CommandRun(["log", path] + arguments)
      #expect(run.code == 0, "\(run.errors)")
      return run.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
        .compactMap { $0.split(separator: " ").last.map(String.init) }
    }
    #expect(try rows() == ["1", "2", "3", "4", "5"])
    #expect(try rows("--from", "\(times[0])") == ["2", "3", "4", "5"])
    #expect(try rows("--from", "\(times[1])") == ["4", "5"])
    #expect(try rows("--to", "\(times[0])") == ["1", "2"])
    #expect(try rows("--to", "\(times[1])") == ["1", "2", "3", "4"])
    #expect(try rows("--from", "\(times[0])", "--to", "\(times[1])") == ["2", "3", "4"])
    #expect(try rows("--to", "2999-01-01") == ["1", "2", "3", "4", "5"])
    #expect(try rows("--from", "2999-01-01").isEmpty)
    #expect(try rows("--to", "2020-01-01").isEmpty)
  }

  /// Has a store insert a row, at another millisecond than all commits before and after.
  private func commit(_ id: Int) throws {
    Thread.sleep(forTimeInterval: 0.005)
    let store = try Store.open(at: path)
    try store.write { try $0.execute("INSERT INTO album VALUES (\(id), 'of a store')") }
    try store.close()
    Thread.sleep(forTimeInterval: 0.005)
  }

  /// Many pages without a commit: the one after them decides.
  @Test func aCommitPagesLaterBoundsWhatOthersWrote() throws {
    _ = try lines("enable")
    try commit(1)
    for start in [1_000, 3_000] {
      try write(
        """
        WITH RECURSIVE n(i) AS (SELECT \(start) UNION ALL SELECT i + 1 FROM n WHERE i < \(start + 1499))
        INSERT INTO album SELECT i, 'of another program' FROM n
        """)
    }
    try commit(2)
    let times = try lines().filter { $0.first?.isNumber == true }.map { $0.prefix(23) }
    try #require(times.count == 2 && times[0] < times[1])
    #expect(try lines("--to", "\(times[1])").filter { $0.hasPrefix("  ") }.count == 3_002)
    #expect(try lines("--to", "\(times[0])").filter { $0.hasPrefix("  ") } == ["  insert album 1"])
  }

  @Test func aTableThatNeitherTheFileNorTheLogHasIsAnError() throws {
    _ = try lines("enable")
    for arguments in [["--table", "albun"], ["--table", "albun", "--follow"]] {
      let run = try CommandRun(["log", path] + arguments)
      #expect(run.code == 65)
      #expect(run.output.isEmpty)
      #expect(
        run.errors
          == "Error: there is no table 'albun' in \(path)\nHint: Did you mean album?\n")
    }
    #expect(try CommandRun(["log", path, "--table", "table 99"]).code == 65)
    // A table that is there, though the log does not follow it, and one that is gone.
    #expect(try lines("--table", "loose").count == 1)
    try write("INSERT INTO album VALUES (1, 'x')")
    try write("DROP TABLE album")
    let history = try lines("--ndjson").joined()
    let name = try #require(history.firstMatch(of: /"table":"(album|table [0-9]+)"/)?.1)
    #expect(try !lines("--ndjson", "--table", String(name)).isEmpty)
  }

  @Test func whatHappensIsFollowed() throws {
    _ = try lines("enable")
    let token = try #require(lines().last?.split(separator: " ").last).description
    let run = try RunningCommand(["log", path, "--since", token, "--follow", "--ndjson"])
    try write("INSERT INTO album VALUES (5, 'y')")
    #expect(run.wait(for: #""operation":"insert","key":[5]"#))
    run.signal(SIGINT)
    #expect(run.exitCode() == 0)
    #expect(run.errors.isEmpty)
    #expect(run.lines.count == 1)
  }

  @Test func aTokenThatDoesNotLeadOnIsSaid() throws {
    _ = try lines("enable")
    let token = try #require(lines().last?.split(separator: " ").last).description
    _ = try lines("disable")
    _ = try lines("enable")
    let run = try CommandRun(["log", path, "--since", token, "--ndjson"])
    #expect(run.code == 1)
    #expect(run.output.contains(#""reset":"other"#))
    #expect(run.errors.contains("Hint: Read everything anew"))
  }

  @Test(arguments: [
    ["--since", "x"], ["--tables", "a"], ["status", "--follow"], ["--limit", "0"], ["nonsense"],
    ["prune", "--keep", "0"], ["--keep", "3"], ["--follow", "--limit", "3"], ["--key", "7"],
    ["--from", "someday"], ["--to", "2026-13-01"], ["status", "--from", "2026-01-01"],
  ])
  func argumentsThatMakeNoSenseAreRefused(arguments: [String]) throws {
    #expect(try CommandRun(["log", path] + arguments).code == 64)
  }

  @Test func aFileThatIsNotThereIsNotMade() throws {
    let other = folder.file("other.sqlite")
    #expect(try CommandRun(["log", other, "enable"]).code == 66)
    #expect(!FileManager.default.fileExists(atPath: other))
  }
}
