import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(10))) struct SchemaCompletionTests {
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
  }

  @Test func listsGoOn() {
    let words = ["sectile", "export", path, "--table", "tool", "--columns", "id,k"]
    #expect(
      SchemaCompletion.columnLists(words: words, position: 6, prefix: "id,k")
        == ["id,kind", "id,fret saw"])
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
