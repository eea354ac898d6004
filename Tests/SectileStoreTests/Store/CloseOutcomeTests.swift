import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// After a store was closed, what was committed is in the file.
@Suite(.timeLimit(.minutes(60))) struct CloseOutcomeTests {
  private static let rowCount = 1_000

  /// The names in a folder.
  private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// Opens a store with rows in its log.
  private func makeStore(
    in folder: TemporaryFolder, configuration: StoreConfiguration = StoreConfiguration()
  ) throws -> Store {
    let store = try Store.open(at: folder.file("store.sqlite"), configuration: configuration)
    try fill(store)
    return store
  }

  private func fill(_ store: Store) throws {
    try store.write { writing in
      try writing.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
      for _ in 0..<Self.rowCount { try writing.execute("INSERT INTO item (name) VALUES ('sed')") }
    }
  }

  /// Closes a store, and returns what that came to.
  private func closed(_ store: Store) throws -> Store.CloseOutcome {
    try store.close()
    return try #require(store.closeOutcome)
  }

  /// The rows in a copy of the file alone.
  private func rowsInCopy(of folder: TemporaryFolder) throws -> Int? {
    let other = try TemporaryFolder()
    let path = other.file("copy.sqlite")
    try FileManager.default.copyItem(atPath: folder.file("store.sqlite"), toPath: path)
    return try DatabaseQueue(path: path).read {
      try $0.tableExists("item") ? Int.fetchOne($0, sql: "SELECT count(*) FROM item") : nil
    }
  }

  /// Expects the file to be alone, and to have everything.
  private func expectOneFile(
    _ folder: TemporaryFolder, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try names(in: folder) == ["store.sqlite"], sourceLocation: sourceLocation)
    #expect(try rowsInCopy(of: folder) == Self.rowCount, sourceLocation: sourceLocation)
  }

  // MARK: - Alone

  @Test func aClosedStoreLeavesOneFile() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(in: folder)
    // Readers and views are connections, too.
    #expect(try store.read { try $0.query("SELECT id FROM item").count } == Self.rowCount)
    let results = try store.results(
      of: FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id"]))
    try results.load()
    let outcome = try closed(store)
    #expect(outcome.remainingLog == nil && outcome.isComplete && outcome.error == nil)
    #expect(outcome.description == "\(folder.file("store.sqlite")): closed")
    try expectOneFile(folder)
    #expect(results.numberOfItems == Self.rowCount)
  }

  @Test func whatACheckpointIsNeverToTakeIsTakenByClosing() throws {
    let folder = try TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.automaticCheckpointPageCount = 0
    #expect(try closed(makeStore(in: folder, configuration: configuration)).isComplete)
    try expectOneFile(folder)
  }

  @Test func closingTwiceTellsTheSame() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(in: folder)
    #expect(try closed(store).isComplete)
    let other = try Store.open(at: folder.file("store.sqlite"))
    try other.write { try $0.execute("DELETE FROM item WHERE id = 1") }
    // What others did since is not the store's to tell.
    #expect(try closed(store).remainingLog == nil)
    #expect(try closed(other).remainingLog == nil)
  }

  @Test func threadsThatCloseTogetherAllFindItDone() throws {
    for _ in 0..<20 {
      let folder = try TemporaryFolder()
      let store = try makeStore(in: folder, configuration: SmallWorld.configuration)
      let failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do {
          let outcome = try closed(store)
          let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
          if names != ["store.sqlite"] || !outcome.isComplete {
            failures.withLock { $0.append("\(names), \(outcome)") }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      #expect(failures.withLock { $0 } == [])
    }
  }

  @Test func closingBesideReadsLoadsAndWritesLeavesOneFile() throws {
    for round in 0..<20 {
      let folder = try TemporaryFolder()
      let store = try makeStore(in: folder, configuration: SmallWorld.configuration)
      let results = try store.results(
        of: FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id"]))
      try results.load()
      let snapshot = results.snapshot
      let (group, begun) = (DispatchGroup(), DispatchSemaphore(value: 0))
      let random = Mutex(SeededRandom(seed: UInt64(round)))
      let calls: [@Sendable () throws -> Void] = [
        { _ = try store.read { try $0.query("SELECT count(*) FROM item") } },
        { try store.write { try $0.execute("UPDATE item SET name = 'awk' WHERE id = 7") } },
        {
          let fresh = try store.results(
            of: FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id"]))
          try fresh.load()
          _ = try fresh.snapshot.materialized()
        },
        {
          let item = random.withLock { Int.random(in: 0..<1_000, using: &$0) }
          _ = try snapshot.item(at: ItemPath(section: 0, item: item))
        },
      ]
      for call in calls {
        group.enter()
        Thread.detachNewThread {
          begun.signal()
          // Until the store refuses.
          while (try? store.accesses.check()) != nil { try? call() }
          group.leave()
        }
      }
      for _ in calls { begun.wait() }
      usleep(UInt32(round) * 300)
      let outcome = try closed(store)
      #expect(outcome.remainingLog == nil && outcome.isComplete)
      #expect(try names(in: folder) == ["store.sqlite"])
      group.wait()
      try expectOneFile(folder)
    }
  }

  @Test func aStoreInMemoryHasNothingToLeave() throws {
    let outcome = try closed(Store.inMemory())
    #expect(outcome.path == nil && outcome.remainingLog == nil && outcome.isComplete)
    #expect(outcome.description == "The store: closed")
  }

  @Test func aFolderThatWasMovedIsLeftWithOneFile() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (folder.file("old"), folder.file("new"))
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
    let store = try Store.open(at: old + "/store.sqlite")
    try fill(store)
    #expect(rename(old, new) == 0)
    #expect(try closed(store).remainingLog == nil)
    // The index of the log, which holds nothing, keeps the name it was made with.
    #expect(!FileManager.default.fileExists(atPath: new + "/store.sqlite-wal"))
  }

  // MARK: - Others

  @Test func anotherConnectionKeepsTheLogAndTheFileHasEverything() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(in: folder)
    let other = try Store.open(at: folder.file("store.sqlite"))
    #expect(try other.read { try $0.query("SELECT id FROM item").count } == Self.rowCount)
    let outcome = try closed(store)
    #expect(outcome.remainingLog == .inUse && outcome.isComplete && outcome.error == nil)
    #expect(outcome.description.contains("another connection or process has the file open"))
    #expect(try rowsInCopy(of: folder) == Self.rowCount)
    // The last one removes it.
    #expect(try closed(other).remainingLog == nil)
    try expectOneFile(folder)
  }

  @Test func aReaderOfAnOlderStateIsNotWaitedForAndToldOf() throws {
    let folder = try TemporaryFolder()
    var configuration = StoreConfiguration()
    // Whoever waited for the reader would wait for longer than the test does.
    configuration.busyTimeout = .seconds(36_000)
    let store = try makeStore(in: folder, configuration: configuration)
    let other = try Store.open(at: folder.file("store.sqlite"))
    try other.read { reading in
      #expect(try reading.query("SELECT id FROM item").count == Self.rowCount)
      try store.write { try $0.execute("DELETE FROM item") }
      let outcome = try endingInTime { try closed(store) }
      #expect(outcome.remainingLog == .inUse && !outcome.isComplete)
      #expect(try reading.query("SELECT id FROM item").count == Self.rowCount)
    }
    #expect(try closed(other).isComplete)
    #expect(try names(in: folder) == ["store.sqlite"])
    #expect(try rowsInCopy(of: folder) == 0)
  }

  @Test func anotherProcessKeepsTheLogUntilItEnds() throws {
    guard let shell = ForeignProgram.shellPath(for: #function) else { return }
    let folder = try TemporaryFolder()
    let store = try makeStore(in: folder)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: shell)
    process.arguments = [folder.file("store.sqlite")]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("SELECT count(*) FROM item;\n".utf8))
    #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "1000\n")
    let outcome = try closed(store)
    #expect(outcome.remainingLog == .inUse && outcome.isComplete)
    #expect(try rowsInCopy(of: folder) == Self.rowCount)
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    try expectOneFile(folder)
  }

  @Test func aReadOnlyStoreSaysThatItLeavesTheLog() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(in: folder)
    var configuration = StoreConfiguration()
    configuration.isReadOnly = true
    let reader = try Store.open(at: folder.file("store.sqlite"), configuration: configuration)
    #expect(try reader.read { try $0.query("SELECT id FROM item").count } == Self.rowCount)
    let outcome = try closed(reader)
    #expect(outcome.remainingLog == .readOnly && !outcome.isComplete)
    #expect(try closed(store).remainingLog == nil)
    try expectOneFile(folder)
  }

  @Test(arguments: [StorageKind.adoptedQueue, .adoptedPool])
  func adoptedConnectionsAreTheirOwners(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder)
    try fill(store)
    let outcome = try closed(store)
    // A queue writes no log.
    #expect(outcome.remainingLog == (kind == .adoptedPool ? .adopted : nil))
    #expect(outcome.isComplete == (kind == .adoptedQueue))
    #expect(try closed(store).remainingLog == outcome.remainingLog)
    #expect(
      try store.writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") }
        == Self.rowCount)
  }

  @Test func aFileThatWasReplacedIsToldOfAndLeftAlone() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try makeStore(in: folder)
    #expect(rename(path, path + ".old") == 0)
    let outcome = try closed(store)
    #expect(outcome.remainingLog == .failed && !outcome.isComplete)
    #expect(outcome.error?.code == .fileReplaced)
    #expect(outcome.description.contains("was replaced, renamed or deleted while open"))
    #expect(try !names(in: folder).contains("store.sqlite"))
  }

  @Test func aFileWithASecondNameIsToldOf() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try makeStore(in: folder)
    // A reader: without it, the writer is the last one to close.
    _ = try store.read { try $0.query("SELECT 1") }
    #expect(link(path, path + ".second") == 0)
    let outcome = try closed(store)
    #expect(outcome.remainingLog == .failed && outcome.error?.code == .fileLinked)
  }
}
