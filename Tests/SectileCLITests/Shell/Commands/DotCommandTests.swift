import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct DotCommandTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE toolbox (id INTEGER PRIMARY KEY);
      CREATE VIEW named AS SELECT * FROM tool;
      CREATE INDEX tool_by_name ON tool (name, lower(name)) WHERE name > 'a';
      """, in: folder)
  }

  private func run(_ arguments: String...) throws -> CommandRun {
    try CommandRun(["sqlite", path] + arguments)
  }

  @Test func namesAndAliasesAreUnique() {
    let names = DotCommand.all.flatMap { [$0.name] + $0.aliases }
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.hasPrefix(".") && $0 == $0.lowercased() })
  }

  @Test func helpListsAndExplains() throws {
    let help = try run(".help")
    for command in DotCommand.all { #expect(help.output.contains(command.summary)) }
    #expect(try run(".help mode").output.contains("ndjson"))
    #expect(try run(".help", ".frobnicate").code == 64)
  }

  @Test func patternsChooseTables() throws {
    #expect(try run("--no-header", ".tables tool%").output.split(separator: "\n").count == 2)
    #expect(try run(".schema tool%").output.contains("toolbox"))
    #expect(!(try run(".schema tool").output.contains("toolbox")))
    let missing = try run(".schema toolbax")
    #expect(missing.code == 1)
    #expect(missing.errors.contains("Did you mean toolbox?"))
  }

  @Test func indexesShowTheirColumns() throws {
    let run = try run("--mode", "list", ".indexes tool")
    #expect(
      run.output == """
        sqlite_autoindex_tool_1|tool|name|unique
        tool_by_name|tool|name, (expression)| partial

        """)
    #expect(try self.run(".indexes gone").code == 1)
  }

  @Test func migrationsAreListedWhereThereAreAny() throws {
    #expect(try run(".migrations").output.hasPrefix("No migrations: "))
    let store = try Store.open(
      at: folder.file("store.sqlite"),
      migrations: .inline(["V0100_create_note.sql": "CREATE TABLE note (id INTEGER PRIMARY KEY);"]))
    try store.close()
    let run = try CommandRun(["sqlite", folder.file("store.sqlite"), ".migrations"])
    #expect(run.output.contains("V0100_create_note.sql"))
  }

  @Test func sectionsAreShownInEveryMode() throws {
    let path = try Database.make(
      """
      CREATE TABLE job (id INTEGER PRIMARY KEY, state TEXT, size INTEGER);
      INSERT INTO job VALUES (1, 'open', 3), (2, 'done', 1), (3, 'open', 9);
      """, in: folder, as: "jobs.sqlite")
    let text = try CommandRun(["sqlite", path, ".sections job state 'size DESC'"])
    #expect(
      text.output == """
        done (1)
          id  state  size
          --  -----  ----
           2  done      1

        open (2)
          id  state  size
          --  -----  ----
           3  open      9
           1  open      3

        3 rows in 2 sections

        """)
    let json = try CommandRun(["sqlite", path, "--mode", "json", ".sections", "job", "state"])
    #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
    #expect(try CommandRun(["sqlite", path, ".sections job stat"]).code == 65)
    #expect(try CommandRun(["sqlite", path, ".sections job"]).code == 64)
    let open = try CommandRun(["sqlite", path, "BEGIN", ".sections job state"])
    #expect(open.code == 65)
  }

  @Test func rowsAreImportedWhereWritingIsAllowed() throws {
    let file = try folder.write("id,name\n7,file\n8,\"plane, small\"\n", to: "tools.csv")
    let refused = try run(".import \(file) tool")
    #expect(refused.code == 65)
    #expect(refused.errors.contains("--writable"))
    let run = try run(
      "--writable", "--mode", "list", "BEGIN", ".import \(file) tool", "COMMIT",
      "SELECT name FROM tool ORDER BY id")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.hasSuffix("file\nplane, small\n"))
    let new = try self.run("--writable", ".import \(file) fresh", ".schema fresh")
    #expect(new.output.contains("CREATE TABLE"))
    #expect(try self.run("--writable", ".import \(path) tool").code == 64)
    #expect(try self.run("--writable", ".import \(folder.file("gone.csv")) tool").code == 66)
  }

  @Test func thePlanIsATree() throws {
    let run = try run(".explain on", "SELECT * FROM tool AS a, toolbox AS b WHERE a.name = 'x'")
    #expect(
      run.output.hasPrefix(
        "QUERY PLAN\n|--SEARCH a USING COVERING INDEX sqlite_autoindex_tool_1 (name=?)\n`--SCAN b\n"
      ))
    let plan = try self.run("EXPLAIN QUERY PLAN SELECT * FROM toolbox")
    #expect(plan.output == "QUERY PLAN\n`--SCAN toolbox\n")
  }

  @Test func settingsAreShownAndKept() throws {
    let run = try run(
      ".mode box", ".headers off", ".nullvalue -", ".width 5", ".limit 7", ".show", ".mode")
    #expect(run.output.contains("mode: box"))
    #expect(run.output.contains("headers: off"))
    #expect(run.output.contains("nullvalue: '-'"))
    #expect(run.output.contains("limit: 7"))
    #expect(run.output.hasSuffix("box\n"))
  }

  @Test func argumentsOfACommandMayFollowIt() throws {
    let run = try run(
      ".mode", "csv", ".headers", "off", "SELECT 1", ".schema", "toolbox", "SELECT 2")
    #expect(run.output == "1\r\nCREATE TABLE toolbox (id INTEGER PRIMARY KEY);\n2\r\n")
  }

  @Test(arguments: [
    ".system ls", ".shell ls", ".open other.sqlite", ".cd /", ".load x", ".backup b",
  ])
  func whatIsNotThereSaysWhy(command: String) throws {
    let run = try run(command)
    #expect(run.code == 64)
    #expect(run.errors.contains("there is no ."))
    #expect(run.errors.contains("Hint: "))
  }

  @Test(arguments: [
    (".tabels", "Did you mean .tables?"), (".t", "It may mean .tables, .timer."),
    (".mode latex", "Modes: "), (".mode jsno", "Did you mean json?"), (".headers maybe", "on|off"),
    (".limit many", "Hint: "), (".quit now", "Usage: .quit"), (".print 'open", "no end"),
  ])
  func mistakesAreUsageErrors(command: String, hint: String) throws {
    let run = try run(command)
    #expect(run.code == 64)
    #expect(run.errors.contains(hint), "\(run.errors)")
  }

  @Test func beginningsOfNamesAreEnough() throws {
    #expect(try run(".tab").output.contains("toolbox"))
    #expect(try run(".quit", "SELEC 1").code == 0)
  }

  @Test func wordsAreSplitAndQuoted() throws {
    #expect(
      try DotCommandWords.split(" .print a 'b  c' \"d'e\" 'f''g'  ")
        == [".print", "a", "b  c", "d'e", "f'g"])
    // In the last three a quote and its neighbour make one character.
    for word in [
      "plain", "two words", "it's", "'quoted'", "", "\u{301}two words", "two words\u{600}",
      "a '\u{301} b",
    ] {
      #expect(try DotCommandWords.split(".x " + DotCommandWords.quoted(word)) == [".x", word])
    }
  }
}
