import Foundation
import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// A store goes on with the file it has open; somebody else may put another one in its place.
@Suite struct FileReplacedTests {
  @Test(arguments: StorageKind.allCases.filter { $0 != .memory })
  func resultsOfAReplacedFileFailOnceAndRecover(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    let path = folder.file("store.sqlite")
    try store.write { try $0.execute(SmallWorld.schema) }
    let live = try LiveResults<PlanItem>(SmallWorld.plan, in: store)
    live.recorder.reset()
    try store.checkForExternalChanges()
    #expect(live.recorder.errors.isEmpty)

    #expect(rename(path, path + ".old") == 0)
    for _ in 0..<2 {
      try expectStoreError(.fileReplaced) { try store.checkForExternalChanges() }
    }
    #expect(live.recorder.errors.count == 1)
    #expect((live.recorder.errors.first as? StoreError)?.code == .fileReplaced)
    #expect(live.results.numberOfItems == 4)

    // Another file in its place is not the one that is open.
    try Data().write(to: URL(fileURLWithPath: path))
    try expectStoreError(.fileReplaced) { try store.checkForExternalChanges() }

    #expect(rename(path + ".old", path) == 0)
    try store.checkForExternalChanges()
    #expect(live.recorder.errors.count == 1)
    try live.check()
    try store.close()
  }

  @Test func aStoreInMemoryHasNoFileToLose() throws {
    let store = try Store.inMemory()
    try store.checkForExternalChanges()
  }
}
