import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite struct ShellCompletionTests {
  private let folder: TemporaryFolder
  private let completion: ShellCompletion
  private let connection: InspectionConnection

  init() throws {
    folder = try TemporaryFolder()
    let path = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT, weight REAL, "net price" REAL);
      CREATE TABLE "order" (id INTEGER PRIMARY KEY, weekday TEXT);
      CREATE TABLE "evil\u{1B}[2J" (x);
      CREATE VIEW broken AS SELECT * FROM gone;
      """, in: folder)
    connection = try InspectionConnection(path: path)
    completion = ShellCompletion(names: SchemaNames(connection))
  }

  /// The line after TAB, or the candidates in brackets.
  private func tab(_ line: String) -> String {
    let offer = completion.offer(for: line)
    if !offer.candidates.isEmpty { return "\(offer.candidates)" }
    return String(line.dropLast(offer.deleted)) + offer.inserted
  }

  @Test(arguments: [
    ("SELECT wei", "SELECT weight "), ("sel", "select "), ("SEL", "SELECT "),
    ("SELECT name FROM to", "SELECT name FROM tool "),
    ("SELECT * FROM ord", "SELECT * FROM \"order\" "),
    ("SELECT tool.we", "SELECT tool.weight"), ("SELECT tool.net", "SELECT tool.\"net price\""),
    ("SELECT * FROM tool t WHERE t.na", "SELECT * FROM tool t WHERE t.name"),
    ("SELECT * FROM tool WHERE we", "SELECT * FROM tool WHERE weight "),
    ("SELECT group_con", "SELECT group_concat("), ("SELECT 'na", "SELECT 'na"),
    ("-- na", "-- na"), ("SELECT zzz", "SELECT zzz"),
    (".ta", ".tables "), (".mode nd", ".mode ndjson "), (".headers o", "[\"on\", \"off\"]"),
    (".schema to", ".schema tool "), (".help .qu", ".help .quit "), (".frob x", ".frob x"),
  ])
  func tabDoesWhatItCan(line: String, result: String) {
    #expect(tab(line) == result)
  }

  @Test func earlierLinesCount() {
    let start = "SELECT o.\nFROM \"order\" AS o WHERE\n"
    #expect(tab(start + "o.wee") == start + "o.weekday")
    #expect(tab("SELECT 'a\nwei") == "SELECT 'a\nwei")
  }

  @Test func columnsAreListedWithTheirTypes() {
    let offer = completion.offer(for: "SELECT * FROM tool WHERE tool.")
    #expect(
      offer.listing(width: 30).split(separator: "\n").sorted() == [
        "\"net price\" (REAL)", "id (INTEGER)", "name (TEXT)", "weight (REAL)",
      ])
  }

  @Test func namesThatCannotBeTypedAreNotOffered() {
    #expect(tab("SELECT * FROM ") == "[\"broken\", \"\\\"order\\\"\", \"tool\"]")
    #expect(tab("SELECT * FROM evi") == "SELECT * FROM evi")
  }

  @Test func filesAreCompletedWithFolders() throws {
    _ = try folder.write("", to: "report one.sql")
    try FileManager.default.createDirectory(
      atPath: folder.file("scripts"), withIntermediateDirectories: false)
    #expect(tab(".read \(folder.file("scr"))") == ".read \(folder.file("scripts"))/")
    #expect(tab(".read '\(folder.file("rep"))") == ".read '\(folder.file("report one.sql"))' ")
  }

  @Test func aNewSchemaIsSeen() throws {
    #expect(tab("SELECT * FROM fre") == "SELECT * FROM fre")
    let writer = try InspectionConnection(path: connection.path, access: .readWrite)
    try writer.run("CREATE TABLE fresh (x)") { _ in }
    #expect(tab("SELECT * FROM fre") == "SELECT * FROM fresh ")
  }

  @Test func manyCandidatesStandInColumns() {
    let many = CompletionOffer("", (0..<150).map { "\($0)" })
    #expect(many.listing(width: 40).hasSuffix("\n… and 50 more\n"))
    let choice = CompletionOffer("", ["alpha", "be", "gamma"])
    #expect(choice.listing(width: 80) == "alpha  be     gamma\n")
    #expect(choice.listing(width: 10) == "alpha\nbe\ngamma\n")
  }
}
