import Foundation
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// Separated values as spreadsheets and people write them.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct SpreadsheetTextTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("data.sqlite")
  }

  private func importing(_ text: String, _ arguments: [String] = []) throws -> CommandRun {
    try CommandRun(
      ["import", path, "--table", "t", "--format", "csv"] + arguments, input: text)
  }

  private func rows() throws -> String {
    try CommandRun(["sqlite", path, "--mode", "csv", "SELECT * FROM t"]).output
      .replacing("\r\n", with: "\n")
  }

  @Test(arguments: [
    "sep=;\na;b\n1;x,y\n", "sep=;\r\na;b\r\n1;x,y\r\n", "\u{FEFF}sep=;\r\na;b\r\n1;x,y",
    "\"sep=;\"\na;b\n1;x,y\n", "SEP=|\na|b\n1|x,y\n", "sep=\t\na\tb\n1\tx,y\n",
  ])
  func aFirstLineThatNamesTheDelimiterIsNoRow(text: String) throws {
    let run = try importing(text)
    #expect(run.code == 0, "\(run.errors)")
    #expect(try rows() == "a,b\n1,\"x,y\"\n")
  }

  @Test func linesAreCountedWithTheOneOfTheDelimiter() throws {
    let run = try importing("sep=;\na;b\n1;2\n3\n")
    #expect(run.code == 65)
    #expect(run.errors.contains("standard input:4: 1 field, where 2 are expected"), "\(run.errors)")
    // Columns that are named take the header's place, not that of the delimiter's line.
    #expect(try importing("sep=;\na;b\n1;2\n", ["--columns", "x,y"]).code == 0)
    #expect(try rows() == "x,y\n1,2\n")
  }

  @Test(arguments: ["sep=;x", "sep", "separate", "xsep=;"])
  func otherFirstLinesAreHeaders(name: String) throws {
    let run = try importing("\(name)\n1\n", ["--delimiter", ","])
    #expect(run.code == 0, "\(run.errors)")
    #expect(try rows() == "\(name)\n1\n")
  }

  @Test func aQuoteInsideOfAFieldIsPartOfIt() throws {
    #expect(try importing("size,note\n15\",\"a \"\"b\"\"\"\n3'2\",c\"d\n").code == 0)
    #expect(try rows() == "size,note\n\"15\"\"\",\"a \"\"b\"\"\"\n\"3'2\"\"\",\"c\"\"d\"\n")
  }

  @Test func textBehindAClosingQuoteHasAHint() throws {
    let run = try importing("a,b\n\"x\" y,2\n")
    #expect(run.code == 65)
    #expect(run.errors.contains("--no-quotes takes quotes as they are"), "\(run.errors)")
    #expect(try importing("a,b\n\"x\" y,2\n", ["--no-quotes"]).code == 0)
  }

  @Test(arguments: [
    // A quote that is not closed is a cause before all others.
    (
      "a,b\n\"x,1\ny\",2,3\n",
      "2: 3 fields, where 2 are expected; field 1 is in quotes, and has 2 lines",
      "A quote that is not closed takes in the lines behind it"
    ),
    ("a,b\n1,2\nx,y,z\n", "3: 3 fields, where 2 are expected", "with commas in them need quotes"),
    ("a,b\n1,2\nx\n", "3: 1 field, where 2 are expected", "--fill-rows fills short rows"),
    ("a,b\n1,\"2\n", "2: a quote is never closed", "--no-quotes takes quotes as they are"),
  ])
  func aRaggedRowIsToldWithItsCause(text: String, reason: String, hint: String) throws {
    let run = try importing(text)
    #expect(run.code == 65)
    #expect(run.errors.contains(reason), "\(run.errors)")
    #expect(run.errors.contains(hint), "\(run.errors)")
    #expect(run.errors.contains("--skip-bad leaves such rows out."), "\(run.errors)")
    // Each cause has its own hint.
    let hints = ["not closed", "need quotes", "--fill-rows", "--no-quotes"]
    #expect(hints.count { run.errors.contains($0) } == (hint.hasPrefix("A quote") ? 2 : 1))
  }

  @Test func shortRowsAreFilledWhereThatIsAsked() throws {
    let text = "a,b,c\n1,2,3\n4\n5,6\n\n"
    let refused = try importing(text)
    #expect(refused.code == 65)
    #expect(refused.errors.contains("--fill-rows"), "\(refused.errors)")
    let run = try importing(text, ["--fill-rows"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(try rows() == "a,b,c\n1,2,3\n4,,\n5,6,\n")
    #expect(try importing("a,b,c\n1,2,3,4\n", ["--fill-rows"]).code == 65)
  }

  @Test func aNameThatIsThereTwiceIsToldBeforeRowsAre() throws {
    let run = try importing("a,a\n1,2\n3\n")
    #expect(run.code == 65)
    #expect(run.errors.contains("has the column 'a' twice"), "\(run.errors)")
    #expect(!run.errors.contains("Creating"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func twoTermsInOneSortAreTold() throws {
    #expect(try importing("a,b\n1,2\n").code == 0)
    for command in ["export", "watch", "explain", "sections"] {
      let more = command == "sections" ? ["--section-by", "a"] : []
      let run = try CommandRun(
        [command, path, "--table", "t", "--sort", "a DESC, b"] + more)
      #expect(run.code == 64, "\(command): \(run.output) \(run.errors)")
      #expect(run.errors.contains("--sort 'size DESC' --sort name"), "\(command): \(run.errors)")
    }
    #expect(try CommandRun(["export", path, "--table", "t", "--sort", "max(a, b) DESC"]).code == 0)
  }
}
