import Foundation
import Sectile
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileCLI

/// Values that are written piece by piece come back as they are.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct LargeValueTests {
  /// Large blobs and texts: with each sign that a format doubles or escapes, at the seams of pieces
  /// too.
  private static let rows = """
    CREATE TABLE large (id INTEGER PRIMARY KEY, b BLOB, s TEXT);
    INSERT INTO large VALUES
      (1, CAST(replace(hex(zeroblob(30000)), '00', 'ab' || char(255)) AS BLOB),
        replace(hex(zeroblob(40000)), '00', 'it''s "so", ')),
      (2, zeroblob(32769), replace(hex(zeroblob(33000)), '00', 'x')),
      (3, x'', replace(hex(zeroblob(65536)), '00', 'z''')),
      (4, CAST('text in a blob' AS BLOB), replace(hex(zeroblob(30000)), '00', char(9, 10, 8364))),
      (5, zeroblob(1), '''' || replace(hex(zeroblob(65535)), '00', 'y') || ''''),
      (6, zeroblob(20000), CAST(replace(hex(zeroblob(9000)), '00', 'n' || char(1)) AS TEXT)),
      (7, zeroblob(2), replace(hex(zeroblob(30000)), '00', '7'));
    """

  private func contents(of path: String) throws -> [[StoredValue]] {
    var rows: [[StoredValue]] = []
    try InspectionConnection(path: path, access: .readOnly).run("SELECT * FROM large ORDER BY id") {
      rows.append($0)
    }
    return rows
  }

  private func makeDatabase(in folder: TemporaryFolder) throws -> String {
    let path = folder.file("data.sqlite")
    try InspectionConnection(path: path, access: .create).run(Self.rows) { _ in }
    return path
  }

  @Test(arguments: ["csv", "tsv", "json", "ndjson"])
  func exportAndImportKeepThem(format: String) throws {
    let folder = try TemporaryFolder()
    let path = try makeDatabase(in: folder)
    let (file, copy) = (folder.file("out.\(format)"), folder.file("copy.sqlite"))
    #expect(try CommandRun(["export", path, "--table", "large", "--output", file]).code == 0)
    try InspectionConnection(path: copy, access: .create).run(
      "CREATE TABLE large (id INTEGER PRIMARY KEY, b BLOB, s TEXT)"
    ) { _ in }
    let run = try CommandRun(["import", copy, file, "--table", "large"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(try contents(of: copy) == contents(of: path))
  }

  @Test func aDumpKeepsThem() throws {
    let folder = try TemporaryFolder()
    let path = try makeDatabase(in: folder)
    let dump = try CommandRun(["sqlite", path, ".dump large"])
    #expect(dump.code == 0)
    let copy = folder.file("copy.sqlite")
    try InspectionConnection(path: copy, access: .create).run(dump.output) { _ in }
    #expect(try contents(of: copy) == contents(of: path))
  }
}
