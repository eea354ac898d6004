import Foundation
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct BackupTests {
  private let folder: TemporaryFolder
  private let source: String
  private let target: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("source.sqlite")
    target = folder.file("target.sqlite")
  }

  /// Creates the source with `count` rows of half a page each.
  private func makeSource(_ count: Int, mode: String = "wal") throws {
    try InspectionConnection(path: source, access: .create).run(
      """
      PRAGMA journal_mode = \(mode);
      CREATE TABLE item (id INTEGER PRIMARY KEY, x BLOB);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count))
      INSERT INTO item SELECT i, zeroblob(2000) FROM n;
      """
    ) { _ in }
  }

  private func value(_ path: String, _ sql: String) throws -> StoredValue? {
    var value: StoredValue?
    try InspectionConnection(path: path).run(sql) { value = $0.first }
    return value
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test(arguments: ["wal", "delete"])
  func theCopyHoldsEverythingAndNothingElseStays(mode: String) throws {
    try makeSource(300, mode: mode)
    var seen: [Store.BackupProgress] = []
    let report = try InspectionConnection(path: source).backup(to: target, pagesPerStep: 50) {
      seen.append($0)
    }
    #expect(try files.filter { $0.hasPrefix("target") } == ["target.sqlite"])
    #expect(report.uncheckedReason == nil)
    #expect(report.pageSize == 4096)
    #expect(report.pageCount > 150)
    #expect(seen.count >= 4)
    #expect(seen.map(\.copiedPages) == seen.map(\.copiedPages).sorted())
    #expect(seen.last?.phase == .checking)
    #expect(try value(target, "SELECT count(*) FROM item") == .integer(300))
    #expect(try value(target, "PRAGMA integrity_check") == .text("ok"))
  }

  @Test func aLogKeepsTheStateOfTheBeginning() throws {
    try makeSource(300)
    let writer = try InspectionConnection(path: source, access: .readWrite)
    try InspectionConnection(path: source).backup(to: target, pagesPerStep: 10) { _ in
      try writer.run("INSERT INTO item (x) VALUES (zeroblob(2000))") { _ in }
    }
    #expect(try value(target, "SELECT count(*) FROM item") == .integer(300))
    #expect(try value(source, "SELECT count(*) > 310 FROM item") == .integer(1))
  }

  @Test func withoutALogWritersAreHeldBackInTheEnd() throws {
    try makeSource(300, mode: "delete")
    let writer = try InspectionConnection(
      path: source, access: .readWrite, busyTimeout: .milliseconds(1))
    var written = 0
    var refused = 0
    try InspectionConnection(path: source).backup(to: target, pagesPerStep: 10) { progress in
      guard progress.phase == .copying else { return }
      do {
        try writer.run("INSERT INTO item (x) VALUES (zeroblob(2000))") { _ in }
        written += 1
      } catch let error as StoreError where error.code == .busy {
        refused += 1
      }
    }
    #expect(written >= PageCopy.restartLimit)
    #expect(refused > 0)
    #expect(
      try value(target, "SELECT count(*) FROM item") == .integer(Int64(300 + written - 1))
        || value(target, "SELECT count(*) FROM item") == .integer(Int64(300 + written)))
    #expect(try value(target, "PRAGMA integrity_check") == .text("ok"))
  }

  @Test(arguments: [3, 1_000_000])
  func whatStopsItLeavesNothing(limit: Int) throws {
    struct Enough: Error {}
    try makeSource(100)
    var calls = 0
    #expect(throws: Enough.self) {
      try InspectionConnection(path: source).backup(to: target, pagesPerStep: 10) { progress in
        calls += 1
        if calls == limit || (limit > 1000 && progress.phase == .checking) { throw Enough() }
      }
    }
    #expect(try files.allSatisfy { $0.hasPrefix("source.sqlite") })
  }

  @Test func aFileThatIsThereIsKeptUnlessItMayBeReplaced() throws {
    try makeSource(10)
    try folder.write("keep me", to: "target.sqlite")
    let connection = try InspectionConnection(path: source)
    try expectStoreError(.backupRefused) { try connection.backup(to: target) }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "keep me")
    try connection.backup(to: target, replacing: true)
    #expect(try value(target, "SELECT count(*) FROM item") == .integer(10))
  }

  @Test func theOriginalIsNeverTheTarget() throws {
    try makeSource(10)
    let link = folder.file("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: source)
    let twin = folder.file("twin.sqlite")
    try FileManager.default.linkItem(atPath: source, toPath: twin)
    let connection = try InspectionConnection(path: source)
    for path in [
      source, link, twin,
      "\(folder.path)/../\(folder.path.split(separator: "/").last ?? "")/source.sqlite",
    ] {
      let error = try expectStoreError(.backupRefused) {
        try connection.backup(to: path, replacing: true)
      }
      #expect(error.message.contains("itself"))
    }
  }

  @Test func aLogBesideTheTargetIsNotTakenOver() throws {
    try makeSource(10)
    try folder.write("a log", to: "target.sqlite-wal")
    let error = try expectStoreError(.backupRefused) {
      try InspectionConnection(path: source).backup(to: target, replacing: true)
    }
    #expect(error.message.contains("target.sqlite-wal"))
  }

  @Test func foldersAndDevicesAreRefused() throws {
    try makeSource(10)
    let connection = try InspectionConnection(path: source)
    try expectStoreError(.cannotOpen) { try connection.backup(to: folder.path, replacing: true) }
    try expectStoreError(.cannotOpen) { try connection.backup(to: folder.file("no/where.sqlite")) }
    try expectStoreError(.cannotOpen) { try connection.backup(to: "/dev/null", replacing: true) }
  }

  @Test func aDamagedOriginalIsTold() throws {
    try makeSource(200, mode: "delete")
    // No connection is open: the bytes are a file's like any other's.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
    for offset in 4096 * 10..<4096 * 14 { bytes[offset] = 0xAB }
    try bytes.write(to: URL(fileURLWithPath: source))
    let error = try expectStoreError(.corrupt) {
      try InspectionConnection(path: source).backup(to: target)
    }
    #expect(error.message.contains("source.sqlite is damaged"))
    #expect(try files == ["source.sqlite"])
  }

  @Test func theCopyIsAsPrivateAsTheOriginal() throws {
    try makeSource(1)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: source)
    try InspectionConnection(path: source).backup(to: target)
    let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func aSchemaThatCannotBeCheckedIsCopiedAllTheSame() throws {
    var configuration = StoreConfiguration()
    configuration.collations = [TextCollation("swift") { $0 < $1 ? -1 : $0 == $1 ? 0 : 1 }]
    let store = try Store.open(at: source, configuration: configuration)
    try store.write {
      try $0.execute(
        """
        CREATE TABLE item (id INTEGER PRIMARY KEY, x TEXT COLLATE swift UNIQUE);
        INSERT INTO item (x) VALUES ('b'), ('a');
        """)
    }
    let report = try InspectionConnection(path: source).backup(to: target)
    #expect(report.uncheckedReason?.contains("swift") == true)
    #expect(try value(target, "SELECT count(*) FROM item") == .integer(2))
  }

  @Test(arguments: StorageKind.allCases)
  func storesAreBackedUpWhateverHoldsThem(_ kind: StorageKind) throws {
    try withStore(kind) { store throws in
      try store.write {
        try $0.execute("CREATE TABLE item (x); INSERT INTO item VALUES (1), (2)")
      }
      let report = try store.backup(to: target)
      #expect(report.pageCount == 2)
      #expect(try value(target, "SELECT sum(x) FROM item") == .integer(3))
      try expectStoreError(.backupRefused) { try store.backup(to: target) }
    }
  }
}
