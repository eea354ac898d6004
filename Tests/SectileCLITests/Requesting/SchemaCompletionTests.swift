import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct SchemaCompletionTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, kind TEXT, "fret saw" TEXT);
      CREATE VIEW tools AS SELECT kind, count(*) AS n FROM tool GROUP BY 1;
      CREATE TABLE "odd\u{1B}[2J" ("a\nb" INT);
      """, in: folder, as: "my data.sqlite")
  }

  private func columns(_ words: String...) -> [String] {
    SchemaCompletion.columns(words: words, position: words.count - 1, prefix: words.last ?? "")
  }

  @Test func tablesAndViewsOfTheFileAreOffered() {
    let words = ["sectile", "watch", path, "--table", ""]
    #expect(SchemaCompletion.tables(words: words, position: 4, prefix: "") == ["tool", "tools"])
  }

  @Test(arguments: ["'%'", "\"%\"", "\\"]) func namesMayBeQuoted(quotes: String) {
    let word =
      quotes == "\\" ? path.replacing(" ", with: "\\ ") : quotes.replacing("%", with: path)
    let words = ["sectile", "watch", word, "--table", ""]
    #expect(SchemaCompletion.tables(words: words, position: 4, prefix: "") == ["tool", "tools"])
  }

  @Test func columnsAreThoseOfTheTable() {
    #expect(columns("sectile", "watch", path, "--table", "tools", "--sort", "") == ["kind", "n"])
    #expect(columns("sectile", "watch", path, "--table=tools", "--sort", "") == ["kind", "n"])
    #expect(
      columns("sectile", "watch", path, "--table", "=", "tools", "--key", "") == ["kind", "n"])
    #expect(
      columns("sectile", "watch", path, "--section-by", "k") == ["id", "kind", "fret saw", "n"])
    #expect(columns("sectile", "watch", path, "--table", "nothing", "--sort", "") == [])
    let sql = "SELECT kind AS k, count(*) AS n FROM tool GROUP BY kind"
    #expect(columns("sectile", "watch", path, "--sql", sql, "--sort", "") == ["k", "n"])
  }

  @Test func listsGoOn() {
    let words = ["sectile", "export", path, "--table", "tool", "--columns", "id,k"]
    #expect(
      SchemaCompletion.columnLists(words: words, position: 6, prefix: "id,k")
        == ["id,kind", "id,fret saw"])
  }

  @Test func columnsThatGetSomethingComeWithTheSign() throws {
    let words = ["sectile", "transform", path, "--table", "tools", "--type", ""]
    #expect(
      SchemaCompletion.assignedColumns(words: words, position: 6, prefix: "") == ["kind=", "n="])
    #expect(SchemaCompletion.assignedColumns(words: words, position: 6, prefix: "kind=") == [])
  }

  @Test func attachedTablesAndTheirColumnsAreOffered() throws {
    let other = try Database.make(
      "CREATE TABLE track (Name, Artist)", in: folder, as: "other.sqlite")
    for attach in [["o=\(other)"], ["o", "=", other]] {
      let words = ["sectile", "import", path, "--table", "tools", "--attach"] + attach
      let count = words.count
      #expect(
        SchemaCompletion.attachedTables(
          words: words + ["--from", ""], position: count + 1, prefix: "")
          == ["o.track"])
      let mapping = words + ["--from", "o.track", "--map", ""]
      #expect(
        SchemaCompletion.mappedColumns(words: mapping, position: count + 3, prefix: "")
          == ["Name=", "Artist="])
      #expect(
        SchemaCompletion.mappedColumns(words: mapping, position: count + 3, prefix: "Name=k")
          == ["Name=kind", "Name=n"])
    }
  }

  /// Every option that takes a table or a column offers those there are.
  @Test(arguments: [
    ("import", "--table", ["tool", "tools"]), ("import", "--key", ["id", "kind", "fret saw", "n"]),
    ("import", "--transform", ["id=", "kind=", "fret saw=", "n="]),
    ("diff", "--table", ["tool", "tools"]), ("diff", "--skip", ["tool", "tools"]),
    ("diff", "--key", ["id", "kind", "fret saw", "n"]),
    ("diff", "--ignore-columns", ["id", "kind", "fret saw", "n"]),
    ("apply", "--table", ["tool", "tools"]), ("transform", "--table", ["tool", "tools"]),
    ("transform", "--drop", ["id", "kind", "fret saw", "n"]),
    ("transform", "--rename", ["id=", "kind=", "fret saw=", "n="]),
    ("export", "--table", ["tool", "tools"]), ("entities", "--table", ["tool", "tools"]),
    ("export", "--sort", ["id", "kind", "fret saw", "n"]),
  ])
  func optionsOfCommandsOffer(command: String, option: String, names: [String]) throws {
    let run = try CommandRun([
      "---completion", command, "--", option, "4", "0", "sectile", command, path, option, "",
    ])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.split(separator: "\n").map(String.init) == names)
  }

  @Test func whatCannotBeReadOffersNothing() throws {
    let text = folder.file("text")
    try Data("no database".utf8).write(to: URL(fileURLWithPath: text))
    for file in [text, folder.url.path, folder.file("missing"), ""] {
      let run = try CommandRun([
        "---completion", "watch", "--", "--table", "4", "0", "sectile", "watch", file, "--table",
        "",
      ])
      #expect(run.code == 0)
      #expect(run.output.trimmingCharacters(in: .newlines).isEmpty)
      #expect(run.errors.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("missing")))
  }

  @Test func bashOffersThem() throws {
    let program = CommandRun.program.path
    let script = """
      source <("$0" --generate-completion-script bash)
      COMP_WORDS=("$0" watch "$1" --table tool --section-by ki) COMP_CWORD=6
      COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE} COMPREPLY=()
      _sectile "$0" ki --section-by
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let run = try ProgramRun("/usr/bin/env", ["bash", "-c", script, program, "'\(path)'"])
    #expect(String(decoding: run.output, as: UTF8.self) == "kind\n")
  }
}
