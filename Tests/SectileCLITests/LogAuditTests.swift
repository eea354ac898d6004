import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// Old values in `sectile log`, its way back from the end, and its times.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct LogAuditTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("music.sqlite")
    try write("CREATE TABLE album (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE loose (a)")
  }

  private func write(_ sql: String) throws {
    try InspectionConnection(path: path, access: .create).run(sql) { _ in }
  }

  private func commit(_ sql: String, author: String) throws {
    let store = try Store.open(at: path)
    try store.write(author: author) { try $0.execute(sql) }
    try store.close()
  }

  private func lines(_ arguments: String...) throws -> [String] {
    let run = try CommandRun(["log", path] + arguments)
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    return run.output.split(separator: "\n").map(String.init)
  }

  private func writeSome() throws {
    try commit("INSERT INTO album VALUES (7, 'x'), (8, 'y')", author: "ann")
    try write("UPDATE album SET name = 'z' WHERE id = 7")
    try commit("DELETE FROM album", author: "ben")
  }

  @Test func oldValuesAreKeptAndShown() throws {
    #expect(try lines("enable", "--audit", "album") == ["\(path): the change log is on"])
    #expect(try lines("status").contains { $0.contains("followed, with old values since ") })
    try writeSome()
    let history = try lines("--table", "album", "--key", "7", "--values")
    #expect(history.count == 10)
    #expect(history[1] == "  insert album 7")
    #expect(history[3].hasPrefix("  update album 7  at 20"))
    #expect(history[4] == "    name 'x' -> 'z'")
    #expect(history[5].hasSuffix("  ben"))
    #expect(history[6...8] == ["  delete album 7", "    id 7", "    name 'z'"])
    #expect(try lines("--table", "album", "--key", "7").count == 7)

    let objects = try lines("--ndjson", "--values", "--table", "album", "--key", "7")
    #expect(objects.count == 3)
    #expect(objects[1].contains(#""values":[{"column":"name","before":"x","after":"z"}]"#))
    #expect(
      objects[2].contains(
        #""values":[{"column":"id","before":7},{"column":"name","before":"z"}]"#))
    #expect(try !lines("--ndjson").joined().contains("values"))
  }

  @Test func oldValuesAreNoLongerKept() throws {
    _ = try lines("enable", "--tables", "album")
    #expect(
      try lines("enable", "--audit", "album")
        == ["\(path): other old values are kept from now on"])
    #expect(
      try lines("enable", "--audit", "ALBUM") == ["\(path): nothing was to be changed"])
    // It follows what it has followed.
    #expect(try lines("status").contains("follows  named tables"))
    let status = try lines("status", "--ndjson").joined()
    #expect(status.contains(#""valuesSince":"#) && !status.contains(#""valuesSince":null"#))
    #expect(
      try lines("enable", "--no-audit", "album")
        == ["\(path): other old values are kept from now on"])
    #expect(try lines("status", "--ndjson").joined().contains(#""valuesSince":null"#))
  }

  @Test func aTableThatCannotBeKeptIsSaid() throws {
    let run = try CommandRun(["log", path, "enable", "--audit", "loose"])
    #expect(run.code == 65)
    #expect(run.errors.contains("loose"))
    // Nothing was switched on.
    #expect(try CommandRun(["log", path, "status"]).code == 1)
  }

  @Test func theNewestComesFirst() throws {
    _ = try lines("enable")
    try writeSome()
    let forward = try lines()
    let backward = try lines("--reverse")
    #expect(backward.count == forward.count)
    #expect(Set(backward.dropLast()) == Set(forward.dropLast()))
    #expect(backward[0].hasSuffix("  ben"))
    #expect(backward[3].hasPrefix("unattributed  after "))
    let newest = try lines("--reverse", "--limit", "1")
    #expect(Array(newest.dropLast()) == Array(backward[0...2]))
    let token = try #require(newest.last?.split(separator: " ").last).description
    let rest = try lines("--reverse", "--before", token)
    #expect(Array(rest.dropLast()) == Array(backward[3...].dropLast()))
    let objects = try lines("--reverse", "--ndjson", "--table", "album", "--key", "8")
    #expect(objects.count == 3)
    #expect(objects[0].contains(#""operation":"delete""#))
    #expect(objects[2] == #"{"v":2,"before":null}"#)
    #expect(
      try lines("--reverse", "--ndjson", "--limit", "1")[1].contains(#""before":""#))
  }

  @Test func timesOfOtherProgramsAreKnownWhereValuesAreKept() throws {
    _ = try lines("enable", "--audit", "album")
    // No commit of a store comes before it.
    try write("INSERT INTO album VALUES (1, 'x')")
    #expect(try lines("--from", "1h").contains("  insert album 1"))
    #expect(try lines("--from", "yesterday", "--to", "today").contains("  insert album 1"))
    #expect(try lines("--reverse", "--from", "1h").contains("  insert album 1"))
    #expect(try !lines("--to", "1h").contains("  insert album 1"))
  }

  @Test func changesAreCountedThatAreTold() throws {
    _ = try lines("enable")
    for id in 1...4 { try commit("INSERT INTO album VALUES (\(id), 'x')", author: "ann") }
    let first = try lines("--table", "album", "--key", "4", "--limit", "1")
    #expect(first[1] == "  insert album 4")
    let two = try lines("--limit", "2")
    #expect(two.filter { $0.hasPrefix("  ") } == ["  insert album 1", "  insert album 2"])
    let token = try #require(two.last?.split(separator: " ").last).description
    let rest = try lines("--since", token)
    #expect(rest.filter { $0.hasPrefix("  ") } == ["  insert album 3", "  insert album 4"])
  }

  @Test func transformingATableKeepsItWritable() throws {
    _ = try lines("enable", "--audit", "album")
    try commit("INSERT INTO album VALUES (1, 'x')", author: "ann")
    let run = try CommandRun(["transform", path, "--table", "album", "--drop", "name"])
    #expect(run.code == 0, "\(run.errors)")
    try write("INSERT INTO album VALUES (2)")
    try commit("DELETE FROM album WHERE id = 1", author: "ben")
    #expect(try lines("--values").suffix(3).first == "  delete album 1")
  }

  @Test(arguments: [
    ["--audit", "album"], ["status", "--no-audit", "album"], ["enable", "--values"],
    ["enable", "--audit", "a", "--no-audit", "a"], ["--before", "x", "--reverse"],
    ["--reverse", "--follow"],
  ])
  func argumentsThatMakeNoSenseAreRefused(arguments: [String]) throws {
    #expect(try CommandRun(["log", path] + arguments).code == 64)
  }

  // MARK: - Times

  @Test func timesAreReadAsPeopleWriteThem() throws {
    let now = try #require(LogTime.date(of: "2026-11-25T08:29:43Z", isEnd: false))
    func text(_ time: String, isEnd: Bool = false) -> String? {
      LogTime.date(of: time, isEnd: isEnd, now: now).flatMap(DateText.text(from:))
    }
    #expect(text("now") == "2026-11-25 08:29:43.000")
    #expect(text("today") == "2026-11-25 00:00:00.000")
    #expect(text("today", isEnd: true) == "2026-11-26 00:00:00.000")
    #expect(text("Yesterday") == "2026-11-24 00:00:00.000")
    #expect(text("yesterday", isEnd: true) == "2026-11-25 00:00:00.000")
    #expect(text("90s") == "2026-11-25 08:28:13.000")
    #expect(text("15m") == "2026-11-25 08:14:43.000")
    #expect(text("2h", isEnd: true) == "2026-11-25 06:29:43.000")
    #expect(text("3d") == "2026-11-22 08:29:43.000")
    #expect(text("1w") == "2026-11-18 08:29:43.000")
    #expect(text("2026-11-20 08:29", isEnd: true) == "2026-11-20 08:30:00.000")
    for wrong in ["", "h", "-2h", "2", "2y", "+1d", "1.5h", "1234567890d", "tomorrow", "٣d"] {
      #expect(text(wrong) == nil, "\(wrong)")
    }
  }
}
