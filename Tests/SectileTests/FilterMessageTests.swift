import Foundation
import Testing

/// What the compiler says of filters that do not fit: a sentence, and never that it has none.
@Suite(.timeLimit(.minutes(60))) struct FilterMessageTests {
  private static let song = """
    import SectileStore
    struct Song: Entity {
      var id: Int64
      var title: String
      var size: Int
      var note: String?
      static let schema = EntitySchema<Song>(
        "song", primaryKey: "id",
        attributes: .init("id", \\.id), .init("title", \\.title), .init("size", \\.size),
        .init("note", \\.note))
      init(row: inout RowReader) throws {
        (id, title, size, note) = try (row.next(), row.next(), row.next(), row.next())
      }
      func write(to row: inout RowWriter) throws {
        try row.append(id); try row.append(title); try row.append(size); try row.append(note)
      }
    }
    let songs = FetchRequest<Song>()
    """

  /// Where the modules of this build are, and the module maps they need.
  private static let modules: (folder: URL, maps: [URL])? = {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    var build = program.deletingLastPathComponent()
    if !FileManager.default.fileExists(atPath: build.appending(path: "Modules").path) {
      build = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    }
    let folder = build.appending(path: "Modules")
    var above = build
    for _ in 0..<4 {
      let map = above.appending(path: "checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap")
      let others = ["CThread", "CSQLite"].map {
        build.appending(path: "\($0).build/module.modulemap")
      }
      let maps = [map] + others
      if maps.allSatisfy({ FileManager.default.fileExists(atPath: $0.path) }) {
        return (folder, maps)
      }
      above = above.deletingLastPathComponent()
    }
    return nil
  }()

  /// Returns what the compiler says of statements.
  private func messages(_ statements: [String]) throws -> [String] {
    let modules = try #require(Self.modules, "the modules of this build are not beside it")
    let source = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).swift")
    defer { try? FileManager.default.removeItem(at: source) }
    let functions = statements.enumerated().map { "func statement\($0)() { _ = \($1) }" }
    try ([Self.song] + functions).joined(separator: "\n")
      .write(to: source, atomically: true, encoding: .utf8)
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments =
      ["swiftc", "-swift-version", "6", "-typecheck", "-I", modules.folder.path]
      + modules.maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + [source.path]
    let output = Pipe()
    compiler.standardError = output
    try compiler.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    return text.split(separator: "\n").filter { $0.contains(".swift:") && $0.contains("error: ") }
      .compactMap { line in line.range(of: "error: ").map { String(line[$0.upperBound...]) } }
  }

  @Test func aValueOfTheWrongTypeIsNamedInASentence() throws {
    let comparison = "a field compares with a value of its own type, or with a field of that type"
    let arithmetic =
      "a field of numbers is combined with a number of its own type, a field of text with text"
    let found = try messages([
      "songs.filter { $0.title == 3 }",
      "songs.filter { $0.title == \"x\" && $0.size > \"3\" }",
      "songs.filter { $0.note != 3 }",
      "songs.filter { $0.size < 3.5 }",
      "songs.filter { $0.size == nil }",
      "songs.filter { $0.size + \"x\" == 3 }",
      "songs.sort { $0.title + 3 }",
      "songs.filter { ($0.note ?? 3) == \"a\" }",
    ])
    #expect(
      found == [
        "'==' is unavailable: \(comparison)", "'>' is unavailable: \(comparison)",
        "'!=' is unavailable: \(comparison)", "'<' is unavailable: \(comparison)",
        "'==' is unavailable: this field is no optional, so it is never nil; for a field of a "
          + "related row use isNull and hasValue",
        "'+' is unavailable: \(arithmetic)", "'+' is unavailable: \(arithmetic)",
        "'??' is unavailable: the value after ?? is of the field's type",
      ])
  }

  @Test func whatFitsCompiles() throws {
    let found = try messages([
      "songs.filter { $0.title == \"a\" && $0.size > 3 && $0.note == nil && $0.size < 10 + 3 }",
      "songs.filter { ($0.size + 3) * 2 > 4 && $0.title + \"x\" == \"ax\" && $0.size % 2 == 0 }",
      "songs.filter { $0.note == \"q\" || ($0.size - 4) / 2 < 8 || !($0.title == \"k\") }",
      "songs.filter { ($0.note ?? \"none\") != \"a\" && $0.size == -1 }",
    ])
    #expect(found == [])
  }
}
