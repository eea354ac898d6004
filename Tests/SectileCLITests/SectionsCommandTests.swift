import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct SectionsCommandTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, kind TEXT COLLATE NOCASE, name TEXT, size INT);
      INSERT INTO tool VALUES (1, 'saw', 'fret saw', 3), (2, 'Saw', 'rip saw', 9),
        (3, NULL, 'thing', 1), (4, '(NULL)', 'odd', 2), (5, 'hammer', 'claw' || char(27), NULL);
      CREATE VIEW listed AS SELECT kind, name FROM tool;
      CREATE TABLE limited (kind, x);
      INSERT INTO limited VALUES (2, 5), (1, 3), (1, 2);
      CREATE TABLE "a ""b" ("c d" TEXT, "e
      f" INT);
      INSERT INTO "a ""b" VALUES ('x', 1);
      """, in: folder)
  }

  private func run(_ arguments: String...) throws -> CommandRun {
    try CommandRun(["sections", path] + arguments)
  }

  @Test func sectionsShowTheirRowsCountsAndAggregates() throws {
    let run = try run(
      "--table", "tool", "--section-by", "kind", "--sort", "size DESC", "--aggregate", "sum(size)")
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(
      run.output == """
        (NULL) (1)  sum(size) 1
          id  kind  name   size
          --  ----  -----  ----
           3  NULL  thing     1

        (null) (1)  sum(size) 2
          id  kind    name  size
          --  ------  ----  ----
           4  (NULL)  odd      2

        hammer (1)  sum(size) NULL
          id  kind    name        size
          --  ------  ----------  ----
           5  hammer  claw\\u{1B}  NULL

        saw (2)  sum(size) 12
          id  kind  name      size
          --  ----  --------  ----
           2  Saw   rip saw      9
           1  saw   fret saw     3

        5 rows in 4 sections  sum(size) 15

        """)
  }

  @Test func textThatReadsAsNullIsQuoted() throws {
    let run = try run(
      "--table", "tool", "--section-by", "kind COLLATE BINARY", "--rows", "0", "--mode", "box")
    #expect(
      run.output == """
        ┌──────────┬───────┐
        │ section  │ count │
        ├──────────┼───────┤
        │ (NULL)   │     1 │
        │ '(NULL)' │     1 │
        │ Saw      │     1 │
        │ hammer   │     1 │
        │ saw      │     1 │
        └──────────┴───────┘

        5 rows in 5 sections

        """)
  }

  @Test func rowsLeftOutAreCounted() throws {
    let run = try run(
      "--table", "tool", "--section-by", "kind", "--columns", "NAME, id", "--rows", "1")
    #expect(
      run.output.contains("saw (2)\n  name      id\n  --------  --\n  fret saw   1\n  … 1 more"))
  }

  @Test func theDocumentHoldsWhatTheDatabaseHolds() throws {
    let run = try run(
      "--table", "tool", "--section-by", "kind", "--mode", "json", "--limit", "4",
      "--aggregate", "max(rowid)", "--columns", "id")
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(run.output.hasPrefix("{\"v\":2,"))
    #expect(document["table"] as? String == "tool")
    #expect(document["sectionBy"] as? String == "kind")
    let sections = try #require(document["sections"] as? [[String: Any]])
    #expect(sections.map { $0["section"] as? String } == [nil, "(null)", "hammer", "saw"])
    #expect(sections.map { $0["count"] as? Int } == [1, 1, 1, 1])
    // The limit comes before the aggregates: the rip saw is not among the rows.
    #expect(sections.map { ($0["aggregates"] as? [String: Int])?["max(rowid)"] } == [3, 4, 5, 1])
    #expect(sections.map { ($0["rows"] as? [[String: Int]]) } == [3, 4, 5, 1].map { [["id": $0]] })
    #expect(document["count"] as? Int == 4)
    #expect(document["aggregates"] as? [String: Int] == ["max(rowid)": 5])
  }

  @Test func separatedValuesHaveTheSectionBeforeEachRow() throws {
    let request = ["--table", "tool", "--section-by", "kind", "--columns", "id,name"]
    func text(_ more: String...) throws -> String {
      let run = try CommandRun(["sections", path] + request + more)
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.errors.isEmpty)
      return run.output
    }
    #expect(
      try text("--mode", "csv", "--aggregate", "count", "--aggregate", "max(id)")
        == "section,count,max(id),id,name\r\n,1,3,3,thing\r\n(null),1,4,4,odd\r\n"
        + "hammer,1,5,5,claw\u{1B}\r\nsaw,2,2,1,fret saw\r\nsaw,2,2,2,rip saw\r\n")
    #expect(
      try text("--mode", "tsv", "--rows", "1")
        == "section\tid\tname\n\t3\tthing\n(null)\t4\todd\nhammer\t5\tclaw\u{1B}\n"
        + "saw\t1\tfret saw\n")
    // The names of the section and its values are ones that no column has.
    #expect(
      try text("--mode", "csv", "--rows", "0", "--aggregate", "count", "--where", "id < 3")
        == "section,count,count_\r\nsaw,2,2\r\n")
    let markdown = try text("--mode", "md", "--rows", "0", "--aggregate", "sum(size)")
    #expect(
      markdown.split(separator: "\n").prefix(3) == [
        "| section | count | sum(size) |", "|---------|------:|-----------|",
        "| NULL    |     1 |         1 |",
      ], "\(markdown)")
    #expect(try markdown == text("--mode", "markdown", "--rows", "0", "--aggregate", "sum(size)"))
  }

  @Test func whatIsTooLargeForATotalIsStillToldOfEachSection() throws {
    let path = try Database.make(
      """
      CREATE TABLE big (id INTEGER PRIMARY KEY, kind TEXT, size INT);
      INSERT INTO big VALUES (1, 'a', 9223372036854775807), (2, 'b', 9223372036854775807);
      """, in: folder, as: "big.sqlite")
    let request = [
      "sections", path, "--table", "big", "--section-by", "kind", "--rows", "0", "--aggregate",
      "sum(size)",
    ]
    let text = try CommandRun(request)
    #expect(text.code == 0, "\(text.errors)")
    #expect(text.output.contains("9223372036854775807"))
    #expect(text.output.hasSuffix("2 rows in 2 sections  no totals: integer overflow\n"))
    let json = try CommandRun(request + ["--mode", "json"])
    #expect(json.code == 0, "\(json.errors)")
    #expect(json.output.hasSuffix("],\n\"count\":2,\"aggregates\":null}\n"), "\(json.output)")
  }

  @Test func linesAreSectionsAndTheirRows() throws {
    let run = try run(
      "--table", "limited", "--section-by", "kind DESC", "--sort", "x", "--mode", "ndjson",
      "--limit", "2", "--where", "x > 1 -- all of them", "--aggregate", "min(x)")
    #expect(
      run.output == """
        {"v":2,"kind":"section","section":2,"count":1,"aggregates":{"min(x)":5}}
        {"v":2,"kind":"row","section":2,"row":{"kind":2,"x":5}}
        {"v":2,"kind":"section","section":1,"count":1,"aggregates":{"min(x)":2}}
        {"v":2,"kind":"row","section":1,"row":{"kind":1,"x":2}}
        {"v":2,"kind":"total","count":2,"aggregates":{"min(x)":2}}

        """)
  }

  @Test func viewsAndNamesWithQuotesAreFine() throws {
    let view = try run(
      "--table", "listed", "--section-by", "upper(substr(name, 1, 1))", "--limit", "3",
      "--mode", "ndjson", "--rows", "0")
    #expect(view.code == 0)
    #expect(view.output.split(separator: "\n").count == 4)
    let odd = try run("--table", "a \"B", "--section-by", "c d")
    #expect(odd.code == 0)
    #expect(odd.output.contains("x (1)\n  c d  e\\n"))
  }

  @Test func anEmptyTableHasNoSections() throws {
    let run = try run("--table", "tool", "--section-by", "kind", "--where", "0")
    #expect(run.output == "0 rows in 0 sections\n")
  }

  @Test(arguments: [
    (["--table", "tool"], 64), (["--section-by", "kind"], 64),
    (["--table", "tool", "--section-by", "kind", "--rows", "-1"], 64),
    (["--table", "tool", "--section-by", "kind", "--mode", "html"], 64),
    (["--table", "tool", "--section-by", "kind", "--columns", ","], 64),
    (["--table", "nothing", "--section-by", "kind"], 65),
    (["--table", "tool", "--section-by", "nothing"], 65),
    (["--table", "tool", "--section-by", "kind", "--columns", "nothing"], 65),
    (["--table", "tool", "--section-by", "kind", "--aggregate", "sum(id), min(id)"], 65),
    (["--table", "tool", "--section-by", "kind", "--aggregate", "1), (2"], 65),
    (["--table", "tool", "--section-by", "kind", "--where", "1; DELETE FROM tool"], 65),
    (["--table", "tool", "--section-by", "load_extension('x')"], 65),
  ])
  func whatMakesNoSenseIsRefused(arguments: [String], code: Int) throws {
    let run = try CommandRun(["sections", path] + arguments)
    #expect(run.code == code)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("Error: "))
    #expect(code == 64 || run.errors.contains("\nHint: "))
  }

  @Test func aMissingFileIsNoInputAndTextIsNoDatabase() throws {
    let request = ["--table", "tool", "--section-by", "kind"]
    #expect(try CommandRun(["sections", folder.file("missing")] + request).code == 66)
    let text = try folder.write(String(repeating: "text ", count: 300), to: "notes.txt")
    #expect(try CommandRun(["sections", text] + request).code == 65)
  }
}
