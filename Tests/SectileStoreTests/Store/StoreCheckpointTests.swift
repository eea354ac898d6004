import Foundation
import SectileCore
import SectileStore
import Testing

@Suite(.timeLimit(.minutes(60))) struct StoreCheckpointTests {
  private static let schema = "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)"

  private func logSize(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  @Test func truncatingLeavesAnEmptyLogAndTheRows() throws {
    try withStore(.file) { store in
      let path = try #require(store.path)
      try store.write { try $0.execute(Self.schema) }
      try store.write { try $0.execute("INSERT INTO item (name) VALUES ('sed')") }
      #expect(logSize(of: path) > 0)
      let passive = try store.checkpoint()
      #expect(passive.isComplete && passive.logPageCount > 0)
      #expect(try store.checkpoint(.truncate).isComplete)
      #expect(logSize(of: path) == 0)
      #expect(try store.read { try $0.query("SELECT name FROM item").count } == 1)
    }
  }

  @Test func aReaderInTheWayIsBusyAndNothingIsLost() throws {
    var configuration = StoreConfiguration()
    configuration.busyTimeout = .milliseconds(20)
    try withStore(.file, configuration: configuration) { store in
      try store.write { try $0.execute(Self.schema) }
      let other = try Store.open(at: try #require(store.path))
      try other.read { reading in
        _ = try reading.query("SELECT * FROM item")
        try store.write { try $0.execute("INSERT INTO item (name) VALUES ('sed')") }
        #expect(throws: StoreError.self) { try store.checkpoint(.truncate) }
        #expect(try !store.checkpoint(.passive).isComplete)
      }
      #expect(try store.checkpoint(.truncate).isComplete)
      #expect(try store.read { try $0.query("SELECT name FROM item").count } == 1)
    }
  }

  @Test func inMemoryNothingHappens() throws {
    let result = try Store.inMemory().checkpoint(.full)
    #expect(result.logPageCount == 0 && result.isComplete)
  }

  @Test func insideAClosureOrAfterClosingItIsRefused() throws {
    try withStore(.file) { store throws in
      _ = try store.write { _ in
        #expect { try store.checkpoint() } throws: {
          ($0 as? StoreError)?.code == .reentrantAccess
        }
      }
      try store.close()
      #expect { try store.checkpoint() } throws: { ($0 as? StoreError)?.code == .storeClosed }
    }
  }

  @Test(arguments: [StorageKind.memory, .file])
  func liveResultsHaveNothingToDo(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try LiveResults<UntypedRow>(SmallWorld.plan, in: store)
      live.recorder.reset()
      try store.checkpoint(.truncate)
      try live.expect(["R+ [0,3] #5"]) {
        try store.write { try $0.execute("INSERT INTO item (id, s, k) VALUES (5, 'A', 4)") }
      }
      #expect(live.results.statistics.resyncCount == 0)
      #expect(live.results.statistics.rereadRowCount == 1)
    }
  }
}
