import Sectile
import SectileInspecting
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite struct FormerContentsTests {
  private let folder: TemporaryFolder
  private let path: String
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, kind TEXT, name TEXT);
      INSERT INTO tool VALUES (1, 'saw', 'fret saw'), (2, 'saw', 'rip saw'), (3, 'file', 'rasp');
      """, in: folder)
    store = try Store.inspecting(path, polling: nil)
  }

  private func write(_ sql: String) throws {
    try InspectionConnection(path: path, access: .readWrite).run(sql) { _ in }
  }

  private func loaded() throws -> WatchedResults {
    let results = try store.results(
      of: TableRequest(table: "tool", sectionBy: "kind").plan(in: store))
    try results.load()
    return results
  }

  private func ids(_ values: Int64...) -> [UntypedRow.ID] {
    values.map { UntypedRow.ID(keyValues: [.integer($0)]) }
  }

  @Test func whatIsCommittedWhileTheNewContentsAreLoadedIsPartOfTheDifference() throws {
    let former = FormerContents(try loaded())
    try write("ALTER TABLE tool ADD COLUMN size INT; INSERT INTO tool VALUES (4, 'saw', 'a', 1)")
    let results = try loaded()
    try write("INSERT INTO tool VALUES (5, 'saw', 'b', 1); UPDATE tool SET name = 'c' WHERE id = 2")
    try store.checkForExternalChanges()
    let changes = former.changes(to: results)
    #expect(changes.sourceVersion == 0)
    #expect(changes.targetVersion == results.version)
    #expect(changes.inserts.map(\.id) == ids(4, 5))
    #expect(changes.updates.map(\.id) == ids(2))
    #expect(changes.deletes.isEmpty)
    #expect(try changes.updates.first?.item.row["size"] == .null)
  }

  @Test func aValueOfANewColumnIsNoDifference() throws {
    let former = FormerContents(try loaded())
    try write("ALTER TABLE tool ADD COLUMN size INT; UPDATE tool SET size = id")
    let results = try loaded()
    try store.checkForExternalChanges()
    #expect(former.changes(to: results).isEmpty)
  }

  @Test func rowsThatMoveAreTheSameRows() throws {
    let former = FormerContents(try loaded())
    try write("ALTER TABLE tool ADD COLUMN size INT; UPDATE tool SET kind = 'file' WHERE id = 1")
    let results = try loaded()
    try store.checkForExternalChanges()
    let changes = former.changes(to: results)
    #expect(changes.moves.map(\.id) == ids(1))
    #expect(changes.moves.first?.isContentChanged == true)
    #expect(changes.inserts.isEmpty && changes.deletes.isEmpty && changes.updates.isEmpty)
  }

  @Test func rowsAreKnownByTheValuesOfAKeyOfAnotherName() throws {
    let former = FormerContents(try loaded())
    try write(
      "ALTER TABLE tool RENAME COLUMN id TO number; INSERT INTO tool VALUES (4, 'saw', 'a')")
    let results = try loaded()
    try store.checkForExternalChanges()
    let changes = former.changes(to: results)
    #expect(changes.inserts.map(\.id) == ids(4))
    #expect(changes.updates.count == 3)
    #expect(changes.deletes.isEmpty)
  }

  // MARK: - Reporters

  /// What reporters are told of contents that began anew with a row and a column more.
  private func report(to reporter: some WatchReporting) throws {
    let former = FormerContents(try loaded())
    try write("ALTER TABLE tool ADD COLUMN size INT; INSERT INTO tool VALUES (4, 'saw', 'a', 9)")
    let results = try loaded()
    try store.checkForExternalChanges()
    let request = WatchedRequest(
      file: path, table: "tool", columns: ["id", "name", "size"], key: ["id"], sectionBy: "kind",
      isImmutable: false)
    try reporter.begin(request, results)
    try reporter.differs(by: former.changes(to: results), results)
  }

  @Test func linesOfChangesTellTheDifference() throws {
    let captured = CapturedOutput()
    try report(
      to: TextReporter(output: captured.output, lineLimit: 12, showsFirstLoad: false))
    let lines = captured.text.split(separator: "\n").map {
      $0.replacing(#/^\d\d:\d\d:\d\d/#, with: "T")
    }
    #expect(
      lines.suffix(3) == [
        "T  the contents before, compared with these:",
        "  didPartiallyLoad 0→1  \(TextStyle.green.text("R+: 1"))",
        "    \(TextStyle.green.text("R+ [1,2]  id=4  name=a  size=9"))",
      ])
  }

  @Test func whoShowsFirstLoadsHasShownTheDifference() throws {
    let captured = CapturedOutput()
    try report(
      to: TextReporter(output: captured.output, lineLimit: 12, showsFirstLoad: true))
    #expect(captured.text.split(separator: "\n").count == 1)
  }

  // MARK: - Counting

  @Test func changesBeforeTheComparisonArePartOfTheFirstLoad() throws {
    let delegate = WatchDelegate(reporters: [])
    delegate.restart(isCompared: true)
    let results = try store.results(of: TableRequest(table: "tool").plan(in: store))
    results.delegate = delegate
    try results.load()
    try write("INSERT INTO tool VALUES (4, 'saw', 'a')")
    try store.checkForExternalChanges()
    #expect(delegate.isLoaded)
    #expect(delegate.changeCount == 0)
    let changes = WatchedChanges(sourceVersion: 0, targetVersion: 2)
    delegate.tellDifference(changes, results)
    #expect(delegate.changeCount == 0)
    try write("INSERT INTO tool VALUES (5, 'saw', 'b')")
    try store.checkForExternalChanges()
    #expect(delegate.changeCount == 1)
  }
}
