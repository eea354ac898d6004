import Foundation
import SectileTestHelpers
import Testing

/// What a command does with limits, descriptors and signals that whoever starts it has chosen.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ProcessEdgesTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try Database.make(
      """
      CREATE TABLE number (id INTEGER PRIMARY KEY, text TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO number SELECT i, 'the number ' || i FROM n;
      """, in: folder, as: "numbers.sqlite")
  }

  /// Runs a command by a shell; SECTILE, FILE and FOLDER stand in its environment.
  private func shell(_ script: String, limit: Double = 240) throws -> ProgramRun {
    try ProgramRun(
      "/bin/bash", ["-c", script],
      environment: ["SECTILE": CommandRun.program.path, "FILE": file, "FOLDER": folder.url.path],
      limit: limit)
  }

  /// A function of the shell that waits until all threads of a process wait for something, look
  /// after look.
  private static let asleep = #"""
    asleep() {
      looks=0
      until [ $looks -ge 20 ]; do
        looks=$((looks + 1))
        if grep -qE '\) [^S] ' /proc/$1/task/*/stat 2> /dev/null; then looks=0; fi
        sleep 0.01
      done
    }
    """#

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  // MARK: - A limit on the size of files

  @Test(arguments: [
    #"backup "$FILE" "$FOLDER/copy.sqlite""#,
    #"export "$FILE" --table number --output "$FOLDER/numbers.csv""#,
    #"sqlite "$FILE" --writable 'CREATE TABLE twice AS SELECT * FROM number'"#,
    #"sqlite "$FILE" --writable 'UPDATE number SET text = text || text || text'"#,
  ])
  func aLimitOnTheSizeOfFilesIsAnErrorAndLeavesNothing(command: String) throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    let run = try shell(#"ulimit -f 100; "$SECTILE" "# + command)
    let errors = String(decoding: run.errors, as: UTF8.self)
    #expect(run.hasExited && run.code == 74, "\(run.code) \(errors)")
    #expect(errors.lowercased().contains("too large"), "\(errors)")
    #expect(try names == ["numbers.sqlite"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
  }

  // MARK: - Closed descriptors

  @Test(arguments: [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
  func aClosedDescriptorNeverBecomesTheDatabase(redirection: String) throws {
    let command =
      #""$SECTILE" sqlite "$FILE" --writable "UPDATE number SET text = 'x'; SELECT 'y'""#
    _ = try shell("\(command) \(redirection)")
    let check = try CommandRun(["verify", file])
    #expect(check.code == 0, "\(check.output)")
  }

  @Test func aClosedOutputIsAnErrorAndClosedInputIsTold() throws {
    let output = try shell(#""$SECTILE" sqlite "$FILE" 'SELECT 1' >&-"#)
    #expect(output.code == 74)
    #expect(String(decoding: output.errors, as: UTF8.self).contains("the output is closed"))
    let input = try shell(#""$SECTILE" sqlite "$FILE" <&-"#)
    #expect(input.hasExited && input.code != 0)
  }

  /// SQLite says of it that it could not open the file.
  @Test func tooManyOpenFilesAreTold() throws {
    let run = try shell(
      #"""
      cp "$FILE" "$FOLDER/other.sqlite"
      exec 3>&-
      ulimit -n 4
      exec "$SECTILE" diff "$FILE" "$FOLDER/other.sqlite"
      """#)
    let errors = String(decoding: run.errors, as: UTF8.self)
    #expect(run.hasExited && run.code == 66, "\(run.code) \(errors)")
    #expect(errors.contains("too many files are open"), "\(errors)")
    #expect(errors.contains("\nHint: ") && errors.contains("ulimit -n"), "\(errors)")
    #expect(!errors.contains("stores"), "\(errors)")
  }

  // MARK: - Terminals

  /// A terminal is sent it, and it is wiped away again.
  @Test(
    .enabled(
      if: ThisMachine.runs(
        "ProcessEdgesTests.howFarLongWorkIsIsShownOnATerminal",
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"),
        otherwise: "script is not installed")))
  func howFarLongWorkIsIsShownOnATerminal() throws {
    let run = try shell(
      #"""
      cp "$FILE" "$FOLDER/other.sqlite"
      "$SECTILE" sqlite "$FOLDER/other.sqlite" --writable \
        "UPDATE number SET text = 'x' WHERE id % 5 = 0"
      "$SECTILE" diff "$FILE" "$FOLDER/other.sqlite" --ndjson > "$FOLDER/patch"
      script -qec '"$SECTILE" diff "$FILE" "$FOLDER/other.sqlite" > /dev/null' /dev/null
      script -qec '"$SECTILE" apply "$FILE" "$FOLDER/patch"' /dev/null
      script -qec '"$SECTILE" transform "$FILE" --table number --type text=BLOB' /dev/null
      script -qec '"$SECTILE" sqlite "$FILE" .dump > /dev/null' /dev/null
      script -qec '"$SECTILE" export "$FILE" --table number > /dev/null' /dev/null
      script -qec '"$SECTILE" export "$FILE" --table number --output "$FOLDER/rows.csv"' /dev/null
      """#)
    let sent = String(decoding: run.output, as: UTF8.self)
    #expect(run.code == 0, "\(run.code) \(sent)")
    let labels = [
      "Comparing rows", "Applying lines", "Changing number, seconds", "Writing rows", "Exporting",
    ]
    for label in labels { #expect(sent.contains("\r\(label) … "), "\(label): \(sent)") }
    #expect(sent.components(separatedBy: "\rExporting … ").count > 2, "\(sent)")
    // Each is wiped away.
    #expect(sent.components(separatedBy: "\r\u{1B}[K").count > 6, "\(sent)")
    #expect(sent.contains("number was changed"), "\(sent)")
  }

  // MARK: - Signals

  @Test func whatNohupStartsOutlivesItsTerminal() throws {
    let run = try shell(
      #"""
      trap '' HUP
      "$SECTILE" watch "$FILE" --table number --ndjson --changes-only --until-changes 1 \
        --interval 0.02 > "$FOLDER/lines" &
      until grep -q finished "$FOLDER/lines"; do sleep 0.05; done
      kill -HUP $!
      "$SECTILE" sqlite "$FILE" --writable "UPDATE number SET text = 'seen' WHERE id = 7"
      wait $! && grep -c seen "$FOLDER/lines"
      """#)
    #expect(run.code == 0)
    #expect(String(decoding: run.output, as: UTF8.self).hasSuffix("1\n"))
  }

  // MARK: - Pipes that nobody reads

  @Test func anExportIntoAPipeWaitsForItsReader() throws {
    let run = try shell(
      #"""
      \#(Self.asleep)
      mkfifo "$FOLDER/pipe"
      "$SECTILE" export "$FILE" --table number --output "$FOLDER/pipe" > /dev/null &
      asleep $!
      wc -l < "$FOLDER/pipe" && wait $!
      """#)
    #expect(run.code == 0)
    #expect(String(decoding: run.output, as: UTF8.self) == "20001\n")
  }

  @Test(arguments: ["INT", "TERM"])
  func anExportIntoAPipeThatNobodyOpensCanBeStopped(signal: String) throws {
    let run = try shell(
      #"""
      \#(Self.asleep)
      mkfifo "$FOLDER/pipe"
      set -m
      "$SECTILE" export "$FILE" --table number --output "$FOLDER/pipe" &
      asleep $!; kill -\#(signal) $!; wait $!
      """#)
    #expect(run.hasExited, "it hung")
    #expect(String(decoding: run.errors, as: UTF8.self).contains("stopped"))
  }

  @Test(arguments: ["INT", "TERM"])
  func aWatchWhoseReaderSleepsCanBeStopped(signal: String) throws {
    let run = try shell(
      #"""
      \#(Self.asleep)
      set -m
      mkfifo "$FOLDER/pipe"
      sleep 600 < "$FOLDER/pipe" > /dev/null 2>&1 &
      "$SECTILE" watch "$FILE" --table number --ndjson > "$FOLDER/pipe" &
      asleep $!; kill -\#(signal) %2; wait %2
      kill %1
      """#)
    #expect(run.hasExited, "it hung")
    #expect(String(decoding: run.errors, as: UTF8.self).contains("nobody takes what is written"))
  }

  // MARK: - Killed backups

  @Test func aBackupRemovesWhatAKilledOneLeftAndNothingThatIsHeld() throws {
    let draft = folder.file("copy.sqlite.partial-1-abandoned")
    let held = folder.file("copy.sqlite.partial-1-held")
    for path in [draft, draft + "-journal", held] {
      #expect(FileManager.default.createFile(atPath: path, contents: Data("half".utf8)))
    }
    let holder = open(held, O_RDWR | O_CLOEXEC)
    defer { close(holder) }
    #expect(flock(holder, LOCK_EX | LOCK_NB) == 0)
    #expect(try CommandRun(["backup", file, folder.file("copy.sqlite")]).code == 0)
    #expect(
      try names == ["copy.sqlite", "copy.sqlite.partial-1-held", "numbers.sqlite"])
  }

  // MARK: - What cannot be interrupted

  /// One call of a function in SQL goes on for minutes, and hears of nothing: who asks for the end
  /// again gets it.
  @Test func aCommandThatCannotStopEndsAtTheNextRequest() throws {
    let watch = try RunningCommand([
      "watch", file, "--table", "number", "--where",
      "instr(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || '1') > 0",
    ])
    #expect(watch.wait(for: "willLoad"))
    // What comes before the call takes a part of that.
    watch.waitForProcessorTime(ofSeconds: 4)
    for _ in 0..<480 where watch.isRunning {
      watch.signal(SIGINT)
      Thread.sleep(forTimeInterval: 0.5)
    }
    #expect(!watch.isRunning)
    if watch.isRunning { watch.signal(SIGKILL) }
    // By the signal, as it would have without anybody's care.
    #expect(watch.exitCode() == -1)
  }
}
