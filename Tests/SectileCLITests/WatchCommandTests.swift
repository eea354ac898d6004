import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct WatchCommandTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, kind TEXT, name TEXT);
      INSERT INTO tool VALUES (1, 'saw', 'fret saw'), (2, 'saw', 'rip saw'), (3, NULL, 'thing');
      CREATE TABLE keyless (a);
      """, in: folder)
  }

  private func write(_ sql: String) throws {
    let connection = try InspectionConnection(path: path, access: .create)
    try connection.run(sql) { _ in }
  }

  private func watch(_ arguments: String...) throws -> RunningCommand {
    try RunningCommand(
      ["watch", path, "--table", "tool", "--section-by", "kind", "--interval", "0.02"] + arguments)
  }

  // MARK: - Text

  @Test func linesTellWhatHappened() throws {
    let run = try watch("--until-changes", "1")
    #expect(run.wait(for: "didFinishLoading"))
    try write(
      """
      BEGIN; INSERT INTO tool VALUES (4, 'hammer', 'claw' || char(27)); DELETE FROM tool WHERE id = 3;
      UPDATE tool SET name = 'RIP' WHERE id = 2; COMMIT;
      """)
    #expect(run.exitCode() == 0)
    #expect(run.errors.isEmpty)
    let lines = run.lines.map { $0.replacing(#/^\d\d:\d\d:\d\d/#, with: "T") }
    #expect(
      lines == [
        "Watching tool in \(path); Ctrl-C ends it.", "T  willLoad",
        "  didPartiallyLoad 0→1  S+: 2  R+: 3", "    S+ 0  (NULL)", "    S+ 1  saw",
        "    R+ [0,0]  id=3  kind=NULL  name=thing", "    R+ [1,0]  id=1  kind=saw  name=fret saw",
        "    R+ [1,1]  id=2  kind=saw  name=rip saw", "  didFinishLoading  3 rows in 2 sections",
        "T  willLoad", "  didPartiallyLoad 1→2  S-: 1  S+: 1  R-: 1  R+: 1  R~: 1",
        "    S- 0  (NULL)", "    S+ 0  hammer", "    R- [0,0]  3",
        "    R+ [0,0]  id=4  kind=hammer  name=claw\\u{1B}",
        "    R~ [1,1]→[1,1]  id=2  kind=saw  name=RIP", "  didFinishLoading  3 rows in 2 sections",
      ])
  }

  @Test func theFirstContentsCanBeLeftOut() throws {
    let run = try watch("--changes-only", "--columns", "name", "--until-changes", "1")
    #expect(run.wait(for: "didFinishLoading"))
    #expect(!run.lines.contains { $0.contains("R+ [") })
    // A column that is not shown is nothing to hear of.
    try write("ALTER TABLE tool ADD COLUMN size INT; UPDATE tool SET size = 1")
    try write("UPDATE tool SET name = 'x' WHERE id = 1")
    #expect(run.exitCode() == 0)
    #expect(run.lines.contains("    R~ [1,0]→[1,0]  name=x"))
    #expect(run.lines.filter { $0.hasPrefix("  didPartiallyLoad") }.count == 2)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func signalsEndIt(signal: Int32) throws {
    let run = try watch()
    #expect(run.wait(for: "didFinishLoading"))
    run.signal(signal)
    #expect(run.exitCode() == 0)
    #expect(run.errors.isEmpty)
  }

  @Test func inAFileWithAChangeLogCommitsAreToldAtOnce() throws {
    #expect(try CommandRun(["log", path, "enable"]).code == 0)
    // The next look by the clock would be far too late.
    let run = try RunningCommand(["watch", path, "--table", "tool", "--interval", "86400"])
    #expect(run.wait(for: "didFinishLoading"))
    try write("DELETE FROM tool WHERE id = 3")
    #expect(run.wait(for: "R- [0,2]  3"))
    try write("INSERT INTO tool VALUES (9, 'file', 'rasp')")
    #expect(run.wait(for: "name=rasp"))
    run.signal(SIGINT)
    #expect(run.exitCode() == 0)
    #expect(run.errors.isEmpty)
  }

  @Test func aTimeLimitEndsIt() throws {
    let run = try watch("--for", "0.1")
    #expect(run.exitCode() == 0)
    #expect(run.lines.contains("  didFinishLoading  3 rows in 2 sections"))
  }

  // MARK: - What becomes of the file

  @Test func newSchemasAreTold() throws {
    let run = try watch("--ndjson")
    var folded = FoldedContents()
    #expect(run.wait(for: "\"finished\""))
    try write("ALTER TABLE tool ADD COLUMN size INT DEFAULT 7")
    #expect(
      run.wait { $0.contains("\"restarts\":true,\"columns\":[\"id\",\"kind\",\"name\",\"size\"]") })
    #expect(run.wait { $0.contains("\"item\":{\"id\":3,") && $0.contains("\"size\":7") })
    try write("VACUUM")
    #expect(run.wait(for: "\"restarts\":false"))
    try write("ALTER TABLE tool RENAME TO other")
    #expect(run.wait(for: "\"columns\":null"))
    #expect(run.wait(for: "no such table: main.tool"))
    try write(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, kind TEXT, name TEXT, size INT);
      INSERT INTO tool VALUES (9, 'new', 'again', 1)
      """)
    #expect(run.wait(for: "again"))
    run.signal(SIGINT)
    #expect(run.exitCode() == 0)
    for line in run.lines { try folded.apply(line) }
    #expect(folded.events["start"] == 2)
    #expect(folded.events["failed"] == 1)
    #expect(try folded.isEqual(toSections: freshSections()))
  }

  @Test func rowsCommittedTogetherWithANewColumnAreToldAsChanges() throws {
    let run = try watch("--ndjson", "--changes-only", "--until-changes", "1")
    #expect(run.wait(for: "\"finished\""))
    try write(
      """
      BEGIN; ALTER TABLE tool ADD COLUMN size INT DEFAULT 7;
      INSERT INTO tool VALUES (4, 'saw', 'hack saw', 9); DELETE FROM tool WHERE id = 3;
      UPDATE tool SET name = 'RIP' WHERE id = 2; COMMIT;
      """)
    #expect(run.exitCode() == 0)
    let partials = run.lines.filter { $0.contains("\"partial\"") }
    #expect(partials.count == 1)
    let partial = try #require(partials.first)
    #expect(
      partial.contains("\"deletes\":[{\"path\":{\"section\":0,\"item\":0},\"id\":[3]}]"))
    // Without the new column where the look that finds the new schema is the one after.
    #expect(partial.contains("\"item\":{\"id\":4,\"kind\":\"saw\",\"name\":\"hack saw\""))
    #expect(partial.contains("\"item\":{\"id\":2,\"kind\":\"saw\",\"name\":\"RIP\""))
    #expect(!partial.contains("\"id\":[1]"))
  }

  @Test func aNewColumnAloneIsNoChange() throws {
    let log = folder.file("log")
    let run = try watch(
      "--exec", "echo $SECTILE_INSERTS $SECTILE_UPDATES $SECTILE_DELETES >> \(log)",
      "--until-changes", "1")
    #expect(run.wait(for: "didFinishLoading"))
    try write("ALTER TABLE tool ADD COLUMN size INT DEFAULT 7")
    #expect(run.wait(for: "size=7"))
    try write("INSERT INTO tool VALUES (4, 'saw', 'hack saw', 9)")
    #expect(run.exitCode() == 0)
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "1 0 0\n")
  }

  @Test func whereAColumnIsGoneTheRowsThatRemainAreUpdates() throws {
    let log = folder.file("log")
    let run = try watch(
      "--exec", "echo $SECTILE_INSERTS $SECTILE_UPDATES $SECTILE_DELETES >> \(log)",
      "--until-changes", "1")
    #expect(run.wait(for: "didFinishLoading"))
    try write(
      """
      BEGIN; ALTER TABLE tool DROP COLUMN name; DELETE FROM tool WHERE id = 1;
      INSERT INTO tool VALUES (4, 'saw'); COMMIT;
      """)
    #expect(run.exitCode() == 0)
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "1 2 1\n")
  }

  @Test func journalModesAndCheckpointsAreNothingToNotice() throws {
    let run = try watch("--ndjson")
    #expect(run.wait(for: "\"finished\""))
    try write("PRAGMA journal_mode = WAL; INSERT INTO tool VALUES (10, 'saw', 'in WAL')")
    #expect(run.wait(for: "in WAL"))
    try write("INSERT INTO tool VALUES (11, 'saw', 'more'); PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(run.wait(for: "more"))
    run.signal(SIGINT)
    #expect(run.exitCode() == 0)
    #expect(!run.lines.contains { $0.contains("\"failed\"") })
  }

  @Test func aLockIsWaitedFor() throws {
    let other = try InspectionConnection(path: path, access: .readWrite)
    let run = try watch()
    #expect(run.wait(for: "didFinishLoading"))
    try other.run("BEGIN EXCLUSIVE; DELETE FROM tool WHERE id = 1") { _ in }
    #expect(run.wait(for: "didFail"))
    try other.run("COMMIT") { _ in }
    #expect(run.wait(for: "R- [1,0]  1"))
    run.signal(SIGINT)
    #expect(run.exitCode() == 0)
    #expect(run.lines.filter { $0.contains("didFail") }.count == 1)
  }

  @Test(arguments: ["replaced", "deleted"])
  func anotherFileInItsPlaceIsAnError(what: String) throws {
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let run = try watch("--ndjson")
    #expect(run.wait(for: "\"finished\""))
    if what == "replaced" {
      #expect(rename(copy, path) == 0)
    } else {
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(run.exitCode() == 74)
    #expect(run.lines.last?.contains("\"code\":\"fileReplaced\"") == true)
    #expect(run.errors.contains("was replaced, renamed or deleted"))
    #expect(run.errors.contains("\nHint: "))
  }

  @Test func aLogThatIsRemovedIsAnError() throws {
    try write("PRAGMA journal_mode = WAL; INSERT INTO tool VALUES (4, 'saw', 'hack saw')")
    let run = try watch("--ndjson")
    #expect(run.wait(for: "\"finished\""))
    try FileManager.default.removeItem(atPath: path + "-wal")
    #expect(run.exitCode() == 74)
    #expect(run.lines.last?.contains("\"code\":\"fileReplaced\"") == true)
    #expect(run.errors.contains("data.sqlite-wal was removed or replaced"))
  }

  // MARK: - Commands

  @Test func aCommandRunsForEachChangeInOrder() throws {
    let log = folder.file("log")
    let run = try watch(
      "--exec",
      "sleep 0.1; echo $SECTILE_EVENT $SECTILE_TABLE $SECTILE_SOURCE_VERSION-$SECTILE_TARGET_VERSION"
        + " $SECTILE_INSERTS $SECTILE_ROWS $SECTILE_SECTIONS >> \(log); cat >> \(log)",
      "--until-changes", "2")
    #expect(run.wait(for: "didFinishLoading"))
    try write("INSERT INTO tool VALUES (4, 'saw', 'a')")
    #expect(run.wait(for: "4 rows"))
    try write("INSERT INTO tool VALUES (5, 'file', 'b')")
    #expect(run.exitCode() == 0)
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0] == "partial tool 1-2 1 4 2")
    #expect(lines[2] == "partial tool 2-3 1 5 3")
    #expect(lines[3].hasPrefix("{\"v\":2,\"event\":\"partial\","))
    #expect(lines[3].contains("\"item\":{\"id\":5,\"kind\":\"file\",\"name\":\"b\"}"))
  }

  @Test func aCommandThatFailsOrDoesNotReadIsNotTheEnd() throws {
    let run = try watch("--exec", "exec <&-; exit 3", "--until-changes", "2")
    #expect(run.wait(for: "didFinishLoading"))
    for id in 10...11 {
      try write("INSERT INTO tool VALUES (\(id), 'saw', hex(zeroblob(200000)))")
      #expect(run.wait(for: "id=\(id)"))
    }
    #expect(run.exitCode() == 0)
    #expect(
      run.errors
        == String(
          repeating: "The command of --exec ended with code 3; the watch goes on.\n", count: 2))
  }

  @Test func aSignalEndsTheCommandToo() throws {
    let run = try watch("--exec", "echo begun; exec sleep 60")
    #expect(run.wait(for: "didFinishLoading"))
    try write("INSERT INTO tool VALUES (4, 'saw', 'a')")
    #expect(run.wait(for: "begun"))
    run.signal(SIGTERM)
    #expect(run.exitCode() == 0)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalEndsWhatTheCommandHasStarted(signal: Int32) throws {
    let run = try watch(
      "--exec", "sleep 600 >/dev/null 2>&1 & echo started $!; wait; echo not reached")
    #expect(run.wait(for: "didFinishLoading"))
    try write("INSERT INTO tool VALUES (4, 'saw', 'a')")
    #expect(run.wait(for: "started "))
    let line = try #require(run.lines.first { $0.hasPrefix("started ") })
    let id = try #require(pid_t(line.dropFirst("started ".count)))
    run.signal(signal)
    #expect(run.exitCode() == 0)
    #expect(!run.lines.contains("not reached"))
    let limit = Date(timeIntervalSinceNow: 60)
    while Self.isRunning(id), Date() < limit { usleep(5000) }
    #expect(!Self.isRunning(id))
    if Self.isRunning(id) { kill(id, SIGKILL) }
  }

  /// Whether a process runs; one that has ended and nobody has waited for has no command line.
  private static func isRunning(_ id: pid_t) -> Bool {
    (try? String(contentsOfFile: "/proc/\(id)/cmdline", encoding: .utf8))?.isEmpty == false
  }

  @Test func aCommandThatIgnoresTheSignalIsKilled() throws {
    let run = try watch("--exec", "trap '' TERM; echo begun; exec sleep 600")
    #expect(run.wait(for: "didFinishLoading"))
    try write("INSERT INTO tool VALUES (4, 'saw', 'a')")
    #expect(run.wait(for: "begun"))
    run.signal(SIGTERM)
    #expect(run.exitCode() == 0)
    #expect(run.errors.isEmpty)
  }

  @Test func aSignalEndsACommandThatDoesNotReadWhatItIsGiven() throws {
    let run = try watch("--exec", "echo begun; sleep 600; echo not reached")
    #expect(run.wait(for: "didFinishLoading"))
    try write("INSERT INTO tool VALUES (4, 'saw', hex(zeroblob(200000)))")
    #expect(run.wait(for: "begun"))
    run.signal(SIGTERM)
    #expect(run.exitCode() == 0)
    #expect(run.errors.isEmpty)
    #expect(!run.lines.contains("not reached"))
  }

  /// A file without a write-ahead log is locked while somebody reads.
  @Test(arguments: ["DELETE", "WAL"])
  func aReaderThatRestsLocksNobodyOut(journal: String) throws {
    try write(
      """
      PRAGMA journal_mode = \(journal);
      INSERT INTO keyless WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        SELECT printf('row %0100d', i) FROM n;
      """)
    let process = try CommandRun.process(["watch", path, "--table", "keyless", "--ndjson"])
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    try process.run()
    defer { process.terminate() }
    // It loads, and far more than a pipe holds is on its way.
    #expect(try pipe.fileHandleForReading.read(upToCount: 1)?.count == 1)
    try write("INSERT INTO keyless VALUES ('a late one')")
    var text = ""
    while !text.contains("a late one") {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    #expect(text.contains("row \(String(repeating: "0", count: 96))5000"))
    #expect(text.contains("a late one"))
  }

  // MARK: - Bad input

  @Test(arguments: [
    (["--table", "tool", "--interval", "0"], 64), (["--table", "tool", "--for", "-1"], 64),
    (["--table", "tool", "--for", "nan"], 64), (["--table", "tool", "--until-changes", "-1"], 64),
    (["--table", "tool", "--lines", "-1"], 64), ([], 64), (["--table", "nothing"], 65),
    (["--table", "tool", "--where", "nothing = 1"], 65),
    (["--table", "tool", "--sort", "a b c"], 65), (["--table", "tool", "--columns", "x"], 65),
    (["--table", "tool", "--key", "x"], 65),
  ])
  func whatMakesNoSenseIsRefused(arguments: [String], code: Int) throws {
    let run = try CommandRun(["watch", path] + arguments)
    #expect(run.code == code)
    #expect(run.errors.contains("Error: "))
    #expect(code == 64 || run.errors.contains("\nHint: "))
  }

  @Test func aTableWithoutAKeyIsWatchedByItsRowIDs() throws {
    try write("INSERT INTO keyless VALUES ('a'), ('a')")
    let run = try CommandRun(["watch", path, "--table", "keyless", "--for", "0.1"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("R+ [0,1]"))
    #expect(run.output.contains("didFinishLoading  2 rows"))
  }

  @Test func aMissingFileIsNoInputAndIsNotCreated() throws {
    let missing = folder.file("missing")
    #expect(try CommandRun(["watch", missing, "--table", "tool"]).code == 66)
    #expect(!FileManager.default.fileExists(atPath: missing))
  }

  @Test func aClosedPipeEndsQuietly() throws {
    let process = try CommandRun.process(["watch", path, "--table", "tool", "--ndjson"])
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    _ = try output.fileHandleForReading.read(upToCount: 10)
    try output.fileHandleForReading.close()
    try write("INSERT INTO tool VALUES (4, 'saw', 'a')")
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(try errors.fileHandleForReading.readToEnd()?.isEmpty != false)
  }

  @Test(arguments: [["--ndjson"], [], ["--changes-only"]])
  func aQuietWatchWhoseReaderHasGoneEnds(arguments: [String]) throws {
    let process = try CommandRun.process(
      ["watch", path, "--table", "tool", "--interval", "0.02"] + arguments)
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    try process.run()
    // All that there will be: nobody writes to the file.
    var text = ""
    while !text.contains("finished") && !text.contains("didFinishLoading") {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty)
      text += String(decoding: data, as: UTF8.self)
    }
    #expect(process.isRunning)
    try output.fileHandleForReading.close()
    let isInTime = hasEnded.wait(timeout: .now() + 20) == .success
    #expect(isInTime)
    if !isInTime { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(try errors.fileHandleForReading.readToEnd()?.isEmpty != false)
  }

  private func freshSections() throws -> String {
    try CommandRun(
      ["sections", path, "--table", "tool", "--section-by", "kind", "--mode", "json"]
    ).output
  }
}
