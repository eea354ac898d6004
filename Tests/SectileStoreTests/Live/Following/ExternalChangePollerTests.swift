import Dispatch
import Foundation
import SectileTestHelpers
import Synchronization
import Testing

@testable import SectileStore

/// Looks that follow what the system tells of a log.
@Suite(.timeLimit(.minutes(60))) struct ExternalChangePollerTests {
  private final class Counts: Sendable {
    let looks = Mutex(0)
    let wakes = Mutex(0)

    var lookCount: Int { looks.withLock { $0 } }
    var wakeCount: Int { wakes.withLock { $0 } }
  }

  private func append(to path: String) throws {
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data([1]))
    try file.close()
  }

  /// Starts looking, far too seldom but for what the system tells of the log.
  private func makePoller(
    of folder: TemporaryFolder, _ counts: Counts, _ outcome: ExternalChangePoller.LookOutcome
  ) -> ExternalChangePoller {
    let poller = ExternalChangePoller()
    poller.start(
      every: .seconds(5_000), watching: folder.file("store.sqlite"), ownCommitCount: { 0 }
    ) {
      counts.looks.withLock { $0 += 1 }
      return outcome
    }
    return poller
  }

  /// Pages are in the log before their commit can be seen, by as much as a disk takes to sync.
  @Test func aCommitThatIsNotThereYetIsLookedForAgain() async throws {
    let folder = try TemporaryFolder()
    let log = try folder.write("", to: "store.sqlite-wal")
    let counts = Counts()
    let poller = makePoller(of: folder, counts, .nothing)
    // Nobody hears before somebody watches, and a busy machine may come too late.
    let isLookedForAgain = try await comesTrue {
      let before = counts.lookCount
      try append(to: log)
      // Looks are made for a shorter time.
      try await Task.sleep(for: .milliseconds(300))
      return counts.lookCount >= before + 4
    }
    #expect(isLookedForAgain)
    withExtendedLifetime(poller) {}
  }

  @Test func whatIsFoundIsNotLookedForAgain() async throws {
    let folder = try TemporaryFolder()
    let log = try folder.write("", to: "store.sqlite-wal")
    let (found, sought) = (Counts(), Counts())
    let pollers = (makePoller(of: folder, found, .done), makePoller(of: folder, sought, .nothing))
    var appendCount = 0
    // Until another one that finds nothing has looked again and again.
    let isOver = try await comesTrue {
      let before = sought.lookCount
      try append(to: log)
      appendCount += 1
      try await Task.sleep(for: .milliseconds(300))
      return found.lookCount > 0 && sought.lookCount >= before + 4
    }
    #expect(isOver)
    // One for each time that something was written, and one more in case there was more of it.
    #expect(found.lookCount <= 2 * appendCount)
    withExtendedLifetime(pollers) {}
  }

  @Test func otherFilesOfTheFolderWakeNobody() async throws {
    let folder = try TemporaryFolder()
    let log = try folder.write("", to: "store.sqlite-wal")
    let (counts, others) = (Counts(), Counts())
    let queue = DispatchQueue(label: "watch")
    let watch = try #require(
      LogFileWatch(of: folder.file("store.sqlite"), on: queue) {
        counts.wakes.withLock { $0 += 1 }
      })
    let otherWatch = try #require(
      LogFileWatch(of: folder.file("other.sqlite"), on: queue) {
        others.wakes.withLock { $0 += 1 }
      })
    // Waits until all was told that has happened: the system tells in order, and the second time
    // that another log is told of, all is on the queue that came before the first.
    func settle() async throws {
      for _ in 0..<2 {
        let before = others.wakeCount
        try folder.write("x", to: "other.sqlite-wal")
        let isTold = try await comesTrue { others.wakeCount > before }
        #expect(isTold)
      }
      await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
    for number in 0..<50 {
      try folder.write("x", to: "other-\(number).sqlite-wal")
      try folder.write("x", to: "store.sqlit")
    }
    try await settle()
    #expect(counts.wakeCount == 0)
    try append(to: log)
    try await settle()
    #expect(counts.wakeCount > 0)
    // A new log is watched as well.
    try FileManager.default.removeItem(atPath: log)
    try await settle()
    let before = counts.wakeCount
    try folder.write("", to: "store.sqlite-wal")
    try await settle()
    let created = counts.wakeCount
    #expect(created > before)
    try append(to: log)
    try await settle()
    #expect(counts.wakeCount > created)
    withExtendedLifetime((watch, otherWatch)) {}
  }
}
