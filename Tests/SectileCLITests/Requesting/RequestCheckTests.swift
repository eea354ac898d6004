import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// What is said about requests, files and options that make no sense.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct RequestCheckTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE job (id INTEGER PRIMARY KEY, name TEXT, size INT);
      CREATE TABLE person (id INTEGER PRIMARY KEY);
      INSERT INTO job VALUES (1, 'a', 5), (2, 'b', 20), (3, 'c', NULL);
      """, in: folder)
  }

  private func run(_ arguments: String...) throws -> CommandRun {
    try CommandRun(arguments)
  }

  @Test(arguments: ["watch", "explain", "sections", "export"])
  func aWrongColumnIsToldBeforeAnythingElse(command: String) throws {
    let more = command == "sections" ? ["--section-by", "name"] : []
    for (option, name, meant) in [
      ("--where", "nam = 'a'", "name"), ("--sort", "sice DESC", "size"),
      ("--section-by", "upper(nmae)", "name"),
    ] where option != "--section-by" || more.isEmpty {
      let run = try CommandRun([command, path, "--table", "job", option, name] + more)
      #expect(run.code == 65, "\(command) \(option): \(run.errors)")
      #expect(run.output.isEmpty, "\(command): \(run.output)")
      #expect(run.errors.hasPrefix("Error: no such column: "), "\(command): \(run.errors)")
      #expect(run.errors.contains("Did you mean \(meant)?"), "\(command): \(run.errors)")
      #expect(!run.errors.contains("EXPLAIN") && !run.errors.contains("SELECT"))
    }
    let table = try CommandRun([command, path, "--table", "jobb"] + more)
    #expect(table.code == 65)
    #expect(table.errors.contains("Did you mean job?"), "\(table.errors)")
    let columns = try CommandRun([command, path, "--table", "job", "--where", "zzz"] + more)
    #expect(columns.errors.contains("The columns of job are: id, name, size."), "\(columns.errors)")
  }

  @Test func namesThatWereMeantAreSaidOfEveryCommand() throws {
    let rows = try folder.write("id,nam\n7,g\n", to: "rows.csv")
    let patch = try folder.write(
      """
      {"v":2,"kind":"table","table":"job","key":["idd"]}
      {"v":2,"kind":"summary","deletes":0,"inserts":0,"updates":0}

      """, to: "patch.ndjson")
    for (arguments, meant) in [
      (["transform", path, "--table", "job", "--drop", "sice"], "size"),
      (["transform", path, "--table", "jbo", "--drop", "size"], "job"),
      (["diff", path, path, "--table", "job", "--columns", "nmae"], "name"),
      (["diff", path, path, "--table", "job", "--key", "idd"], "id"),
      (["entities", path, "--table", "persn"], "person"),
      (["import", path, "--table", "job", rows], "name"),
      (["import", path, "--table", "new", "--key", "idd", rows], "id"),
      (["import", path, "--table", "new", "--map", "name=x", rows], "nam"),
      (["apply", path, patch], "id"), (["export", path, "--table", "jobb"], "job"),
      (["export", path, "--table", "job", "--columns", "nmae"], "name"),
      (["verify", path, "--table", "jobb"], "job"),
    ] {
      let run = try CommandRun(arguments)
      #expect(run.code == 65, "\(arguments): \(run.errors)")
      #expect(run.errors.contains("Did you mean \(meant)?"), "\(arguments): \(run.errors)")
    }
  }

  @Test func whatIsRefusedForReadingHasItsOwnHint() throws {
    let attach = try run("sqlite", path, "ATTACH 'x.db' AS x")
    #expect(attach.errors.contains("name it with --attach NAME=FILE"), "\(attach.errors)")
    for setting in ["cache_size = 5", "temp_store = 2", "case_sensitive_like = ON"] {
      let pragma = try run("sqlite", path, "PRAGMA \(setting)")
      #expect(pragma.code == 65, "\(setting)")
      #expect(pragma.errors.contains("settings are taken where"), "\(pragma.errors)")
    }
    let write = try run("sqlite", path, "DELETE FROM job")
    #expect(write.errors.contains("Add --writable to allow statements"), "\(write.errors)")
  }

  @Test func countsAreUnderstoodAsAggregatesOfSections() throws {
    let run = try run(
      "sections", path, "--table", "job", "--section-by", "size > 9", "--mode", "ndjson",
      "--rows", "0", "--aggregate", "count", "--aggregate", "count(where name <> 'b')",
      "--aggregate", "count(size)", "--aggregate", "count(*) + 1")
    #expect(run.code == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(
      lines.dropLast().last?.contains(
        #"{"count":1,"count(where name <> 'b')":0,"count(size)":1,"count(*) + 1":2}"#) == true,
      "\(run.output)")
  }

  @Test func aNegativeLimitIsToldAsOne() throws {
    for command in [
      ["export", path, "--table", "job", "--limit", "-1"],
      ["watch", path, "--table", "job", "--limit", "-1"], ["sqlite", path, "--limit", "-1"],
      ["sections", path, "--table", "job", "--section-by", "name", "--rows", "-2"],
    ] {
      let run = try CommandRun(command)
      #expect(run.code == 64)
      #expect(run.errors.contains("is a number of rows: 0 or more"), "\(run.errors)")
    }
  }

  @Test func namesThatFilesMustNotHaveAreRefused() throws {
    let folders = [
      ["backup", path, folder.file("new/")], ["salvage", path, folder.file("new/")],
      ["export", path, "--table", "job", "--output", folder.file("new/")],
    ]
    for command in folders {
      let run = try CommandRun(command)
      #expect(run.code == 64, "\(command[0])")
      #expect(run.errors.contains("names a folder"), "\(run.errors)")
    }
    let other = try Database.make("CREATE TABLE t (a)", in: folder, as: "other.sqlite")
    for ending in ["-wal", "-shm", "-journal", "-lock"] {
      for command in [
        ["backup", path, other + ending], ["salvage", path, other + ending],
        ["export", path, "--table", "job", "--output", other + ending],
      ] {
        let run = try CommandRun(command)
        #expect(run.code == 64, "\(command[0])")
        #expect(run.errors.contains("beside \(other)"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: other + ending))
      }
    }
    // Without a database beside it, it is a name like others.
    #expect(
      try run("export", path, "--table", "job", "--output", folder.file("none-wal")).code == 0)
  }

  @Test func theSignForStandardOutputIsNoFile() throws {
    let export = ["export", path, "--table", "job"]
    let run = try CommandRun(export + ["--output", "-"], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(try run.output == CommandRun(export).output)
    for command in ["backup", "salvage"] {
      let run = try CommandRun([command, path, "-"], in: folder)
      #expect(run.code == 64)
      #expect(
        run.errors == """
          Error: a database cannot be written to standard output
          Hint: Name a file; ./- is one that is called -.

          """)
    }
    #expect(try CommandRun(["sqlite", path, ".log -"], in: folder).code == 64)
    #expect(!FileManager.default.fileExists(atPath: folder.file("-")))
  }

  @Test func theDatabaseIsNeitherInputNorOutput() throws {
    for (command, hint) in [
      (["backup", path, path, "--force"], "Name another file."),
      (["salvage", path, path, "--force"], "Name another file."),
      (["export", path, "--table", "job", "--output", path, "--force"], "Name another file."),
      (["import", path, "--table", "job", path], "Name a file of rows."),
      (["apply", path, path], "Name a patch."),
    ] {
      let run = try CommandRun(command)
      #expect(run.code == 64, "\(command[0])")
      #expect(
        run.errors == "Error: \(path) belongs to the database\nHint: \(hint)\n", "\(command[0])")
    }
  }

  /// Processes exclude each other by the lock file.
  @Test(arguments: ["-wal", "-lock"])
  func whatBelongsToADatabaseIsNotReplaced(ending: String) throws {
    let companion = path + ending
    if !FileManager.default.fileExists(atPath: companion) {
      try Data().write(to: .init(filePath: companion))
    }
    for command in [
      ["backup", path, companion, "--force"], ["salvage", path, companion, "--force"],
      ["export", path, "--table", "job", "--output", companion, "--force"],
    ] {
      let run = try CommandRun(command)
      #expect(run.code == 64, "\(command[0])")
      #expect(run.errors.contains("belongs to the database"), "\(run.errors)")
    }
  }

  @Test func hintsSpeakOfTheProgramAlone() throws {
    for arguments in [["log", path], ["explain", path, "--table", "job"]] {
      let run = try CommandRun(arguments)
      let text = run.output + run.errors
      #expect(text.contains("sectile log FILE enable"), "\(text)")
      #expect(!text.contains("store.changeLog"), "\(text)")
    }
  }

  @Test func messagesNameThePathThatWasGiven() throws {
    for command in ["backup", "salvage"] {
      let run = try CommandRun([command, "data.sqlite", "none/copy.sqlite"], in: folder)
      #expect(run.code == 74)
      #expect(
        run.errors == """
          Error: none/copy.sqlite: the folder none does not exist
          Hint: Create the folder first.

          """)
      let folderItself = try CommandRun([command, "data.sqlite", ".", "--force"], in: folder)
      #expect(folderItself.code == 64)
      #expect(folderItself.errors == "Error: . is a folder\nHint: Name a file in it.\n")
    }
  }

  @Test func messagesSpeakOfTheFileAndNotOfConnections() throws {
    let run = try CommandRun(["sqlite", "data.sqlite", "DELETE FROM job"], in: folder)
    #expect(run.code == 65)
    #expect(
      run.errors.contains("the file is open for reading only, and this statement would write"),
      "\(run.errors)")
    #expect(run.errors.contains("Hint: Add --writable"), "\(run.errors)")
    let empty = try CommandRun(["log", "", "enable"])
    #expect(empty.errors.contains("Hint: Name a file.\n"), "\(empty.errors)")
  }

  @Test func aSortTermOrAnExpressionThatIsSeveralIsSaid() throws {
    let sorts = try run(
      "sections", path, "--table", "job", "--section-by", "name", "--sort", "id, name")
    #expect(sorts.code == 64)
    #expect(sorts.errors.contains("'id, name' has more than one sort term"), "\(sorts.errors)")
    let several = try run(
      "sections", path, "--table", "job", "--section-by", "name", "--aggregate",
      "sum(id)), (max(id)")
    #expect(several.code == 65)
    #expect(
      several.errors.contains("one expression of the request contains several expressions"),
      "\(several.errors)")
    #expect(!several.errors.contains("SELECT"), "\(several.errors)")
  }

  @Test func aTableAndAQueryExcludeEachOther() throws {
    let run = try run("export", path, "--table", "job", "--sql", "SELECT 1")
    #expect(run.code == 64)
    #expect(run.errors.contains("--table and --sql exclude each other"), "\(run.errors)")
  }
}
