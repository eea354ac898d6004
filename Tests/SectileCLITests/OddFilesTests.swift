import Foundation
import Sectile
import SectileInspecting
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// Files with the schemas of programs that people have: all that can be read is read, and the rest
/// is told by an error with a hint.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct OddFilesTests {
  @Test func thereAreFilesOfManyPrograms() {
    let names = OddFiles.names
    #expect(names.count >= 20)
    var named = Array(OddFiles.refusals.keys)
    named += OddFiles.notFollowed.keys
    named += OddFiles.nullKeys.keys
    let strangers = Set(named).subtracting(names)
    #expect(strangers.isEmpty)
  }

  /// Reading in this process, as `export` and `sections` read, costs no start of a program.
  @Test(arguments: OddFiles.names)
  func eachTableAndViewIsRead(file: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("\(file).sqlite")
    try OddFiles.make(file, at: path)
    let refused = OddFiles.refusals[file] ?? [:]
    let connection = try InspectionConnection(path: path)
    let tables = try TableListing.all(in: connection).map(\.name)
    #expect(!tables.isEmpty)
    let strangers = Set(refused.keys).subtracting(tables)
    #expect(strangers.isEmpty)
    for table in tables {
      let problem = Self.problem(reading: table, on: connection)
      if let expected = refused[table] {
        #expect(problem?.contains(expected) == true, "\(table): \(problem ?? "was read")")
      } else {
        #expect(problem == nil, "\(table): \(problem ?? "")")
      }
    }
  }

  /// What stands in the way of reading a table to its end; nil where nothing does.
  private static func problem(reading table: String, on connection: InspectionConnection)
    -> String?
  {
    do {
      let request = TableRequest(table: table)
      let query = try RequestCheck.query(request, on: connection)
      let rows = try connection.prepare(query.rows.sql)
      rows.keepsInvalidText = true
      try rows.run { _ in }
      return nil
    } catch let failure as CommandFailure {
      return failure.hint == nil ? "no hint: \(failure.message)" : failure.message
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: OddFiles.names)
  func commandsOfAWholeFileEnd(file: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("\(file).sqlite")
    try OddFiles.make(file, at: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    // Orphans of foreign keys are a problem, and are told as one.
    let verify = try CommandRun(["verify", path])
    #expect([0, 1].contains(verify.code), "\(verify.errors)")
    #expect(verify.code == 0 || verify.errors.contains("problems with foreign-keys"))
    let entities = try CommandRun(["entities", path])
    #expect(entities.code == 0, "\(entities.errors)")
    // Rows that cannot be read stop what needs all rows, with the table's name.
    let dump = try CommandRun(["sqlite", path, ".dump"])
    Self.expect(dump, isRefused: file == "anki", naming: "tags cannot be read")
    let unread: String? =
      switch file {
      case "anki": "tags"
      case "clementine": "songs_fts"
      case "curiosities": "0day"
      case "evernote": "search_text"
      case "ios-addressbook": "ABPersonFullTextSearch"
      case "thunderbird": "messagesText"
      default: nil
      }
    let diff = try CommandRun(["diff", path, path])
    Self.expect(diff, isRefused: unread != nil, naming: unread ?? "")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  private static func expect(
    _ run: CommandRun, isRefused: Bool, naming words: String
  ) {
    #expect(run.hasExited)
    #expect(run.code == (isRefused ? 65 : 0), "\(run.errors)")
    guard isRefused else { return }
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.errors.contains("\nHint: "), "\(run.errors)")
  }

  /// What cannot be opened, and one table of each file that can be.
  @Test(arguments: OddFiles.names)
  func watchOpensOrSaysWhyNot(file: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("\(file).sqlite")
    try OddFiles.make(file, at: path)
    var refused = OddFiles.refusals[file] ?? [:]
    refused.merge(OddFiles.notFollowed[file] ?? [:]) { first, _ in first }
    func watch(_ table: String, _ more: String...) throws -> CommandRun {
      try CommandRun(["watch", path, "--table=\(table)", "--for", "0"] + more)
    }
    for (table, message) in refused.sorted(by: { $0.key < $1.key }) {
      try Self.expect(watch(table), isRefused: true, naming: message)
    }
    let nullKeys = OddFiles.nullKeys[file] ?? []
    for table in nullKeys {
      // As the page of a server: by the row ids, which is said beside the output.
      let byRowIDs = try watch(table)
      Self.expect(byRowIDs, isRefused: false, naming: "")
      #expect(byRowIDs.errors.contains("has a NULL in its key: rows are told apart by rowid"))
      let named = try watch(table, "--key", "rowid")
      Self.expect(named, isRefused: false, naming: "")
      #expect(named.errors.isEmpty)
    }
    let connection = try InspectionConnection(path: path)
    let others = try TableListing.all(in: connection).map(\.name).filter {
      refused[$0] == nil && !nullKeys.contains($0)
    }
    let first = try #require(others.first)
    try Self.expect(watch(first), isRefused: false, naming: "")
  }

  /// Text in double quotation marks is told with its view, and how to write it.
  @Test(arguments: ["watch", "explain"])
  func quotedTextIsToldWithItsView(command: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("banshee.sqlite")
    try OddFiles.make("banshee", at: path)
    let more = command == "watch" ? ["--for", "0"] : []
    let run = try CommandRun([command, path, "--table", "Played"] + more)
    Self.expect(run, isRefused: true, naming: "the view Played has \"played\"")
    #expect(run.errors.contains("write 'played' in the view"))
    #expect(!run.errors.contains("pragma_"))
    let export = try CommandRun(["export", path, "--table", "Played"])
    #expect(export.code == 0, "\(export.errors)")
  }

  @Test(arguments: [["--sort", "name"], ["--section-by", "name"], ["--where", "name = 'a'"]])
  func aMissingCollationIsTold(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("anki.sqlite")
    try OddFiles.make("anki", at: path)
    let run = try CommandRun(["watch", path, "--table", "decks", "--for", "0"] + arguments)
    Self.expect(run, isRefused: true, naming: "no such collation sequence: unicase")
    #expect(run.errors.contains("brings the collation unicase"))
    let instead = arguments.map { $0.replacing("name", with: "name COLLATE NOCASE") }
    let other = try CommandRun(["watch", path, "--table", "decks", "--for", "0"] + instead)
    Self.expect(other, isRefused: false, naming: "")
  }

  @Test func aTableWithAnEmptyNameIsWatched() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("curiosities.sqlite")
    try OddFiles.make("curiosities", at: path)
    for table in [["--table="], ["--table", ""]] {
      let run = try CommandRun(["watch", path, "--for", "0"] + table)
      Self.expect(run, isRefused: false, naming: "")
      #expect(run.output.contains("didFinishLoading  2 rows"))
    }
    #expect(EmptyNames.separated(in: ["a", "--table=", "b"]) == ["a", "--table", "", "b"])
    #expect(EmptyNames.separated(in: ["--table=x", "--", "--table="]).count == 3)
  }
}
