import Foundation
import SectileTestHelpers
import Testing

/// Every command on every hostile file: it ends, with a code that is documented, changes nothing
/// and shows nothing that a terminal could act upon.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct HostileDatabaseTests {
  /// The arguments of the commands, with FILE for the file, FOLDER for an empty folder and NEW for
  /// a path that is free.
  static let commands: [[String]] = [
    ["sqlite", "FILE"],
    ["sqlite", "FILE", ".schema"],
    ["sqlite", "FILE", "SELECT * FROM t"],
    ["sqlite", "FILE", "--mode", "box", "SELECT * FROM v"],
    ["sqlite", "FILE", "--mode", "ndjson", "SELECT * FROM w; SELECT * FROM t"],
    ["sections", "FILE", "--table", "t", "--section-by", "a"],
    ["sections", "FILE", "--table", "v", "--section-by", "a", "--mode", "json"],
    ["migrate", "FILE", "--migrations", "FOLDER", "--status"],
    ["explain", "FILE", "--table", "t", "--section-by", "a"],
    ["backup", "FILE", "NEW"],
    ["sqlite", "FILE", ".dump"],
    ["sqlite", "FILE", ".indexes", ".migrations"],
    ["watch", "FILE", "--table", "t", "--section-by", "a", "--for", "0.05", "--interval", "0.01"],
    ["watch", "FILE", "--table", "t", "--ndjson", "--for", "0.05", "--interval", "0.01"],
    ["verify", "FILE"],
    ["export", "FILE", "--table", "v", "--section-by", "a", "--format", "markdown"],
    ["diff", "FILE", "FILE", "--table", "t", "--key", "a"],
    ["diff", "FILE", "FILE", "--table", "v", "--key", "a", "--mode", "json"],
    ["export", "FILE", "--table", "t", "--format", "ndjson"],
    ["export", "FILE", "--query", "SELECT * FROM v", "--format", "json", "--output", "NEW"],
    ["diff", "FILE", "FILE", "--table", "t"],
  ]

  @Test(arguments: HostileDatabase.all)
  func everyCommandEndsWithoutHarm(database: HostileDatabase) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("hostile.sqlite")
    try database.make(path)
    #expect((try? FileManager.default.attributesOfItem(atPath: path)) != nil)
    try FileManager.default.createDirectory(
      atPath: folder.file("empty"), withIntermediateDirectories: false)
    let paths = ["FILE": path, "FOLDER": folder.file("empty"), "NEW": folder.file("new")]
    let before = try Self.contents(of: folder)
    for command in Self.commands {
      let arguments = command.map { paths[$0] ?? $0 }
      let run = try CommandRun(arguments, limit: 240)
      #expect(run.hasExited, "\(command)")
      #expect([0, 1, 65, 66, 74].contains(run.code), "\(command): \(run.code)")
      #expect(run.code == 0 || run.code == 1 || !run.errors.isEmpty, "\(command)")
      // A dump or a schema is a script: data, which has to stay what it is.
      let isScript = command.contains(".dump") || command.contains(".schema")
      for text in isScript ? [run.errors] : [run.output, run.errors] {
        let bad = text.unicodeScalars.first(where: Self.isHarmful)
        #expect(bad == nil, "\(command): U+\(String(bad?.value ?? 0, radix: 16))")
      }
      try? FileManager.default.removeItem(atPath: folder.file("new"))
      #expect(try Self.contents(of: folder) == before, "\(command)")
    }
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  /// The files of a folder and what they hold; SQLite may make and remove the files beside a
  /// database in WAL mode.
  private static func contents(of folder: TemporaryFolder) throws -> [String: Data?] {
    var contents: [String: Data?] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    where !name.hasSuffix("-shm") && !name.hasSuffix("-wal") {
      var status = stat()
      let isFile = stat(folder.file(name), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      contents[name] = isFile ? try Data(contentsOf: folder.url.appendingPathComponent(name)) : nil
    }
    return contents
  }
}
