import Dispatch
import Foundation
import SectileTestHelpers
import Synchronization
import Testing

@testable import SectileStore

/// Looks that follow what the system tells of a log.
@Suite(.timeLimit(.minutes(10))) struct ExternalChangePollerTests {
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

  /// Pages are in the log before their commit can be seen, by as much as a disk takes to sync.
  @Test func aCommitThatIsNotThereYetIsLookedForAgain() async throws {
    let folder = try TemporaryFolder()
    let log = try folder.write("", to: "store.sqlite-wal")
    let counts = Counts()
    let poller = ExternalChangePoller()
    poller.start(
      every: .seconds(5_000), watching: folder.file("store.sqlite"), ownCommitCount: { 0 }
    ) {
      counts.looks.withLock { $0 += 1 }
      return .nothing
    }
    // Nobody hears before somebody watches, and a busy machine may come too late.
    var most = 0
    while most < 4 {
      let before = counts.lookCount
      try append(to: log)
      try await Task.sleep(for: .milliseconds(300))
      most = max(most, counts.lookCount - before)
    }
    withExtendedLifetime(poller) {}
  }

  @Test func whatIsFoundIsNotLookedForAgain() async throws {
    let folder = try TemporaryFolder()
    let log = try folder.write("", to: "store.sqlite-wal")
    let counts = Counts()
    let poller = ExternalChangePoller()
    poller.start(
      every: .seconds(5_000), watching: folder.file("store.sqlite"), ownCommitCount: { 0 }
    ) {
      counts.looks.withLock { $0 += 1 }
      return .done
    }
    while counts.lookCount == 0 {
      try append(to: log)
      try await Task.sleep(for: .milliseconds(300))
    }
    let before = counts.lookCount
    try append(to: log)
    try await Task.sleep(for: .milliseconds(300))
    // One for what was written, and one more in case there was more of it.
    #expect(counts.lookCount - before <= 2)
    withExtendedLifetime(poller) {}
  }

  @Test func otherFilesOfTheFolderWakeNobody() async throws {
    let folder = try TemporaryFolder()
    let log = try folder.write("", to: "store.sqlite-wal")
    let counts = Counts()
    let watch = try #require(
      LogFileWatch(of: folder.file("store.sqlite"), on: DispatchQueue(label: "watch")) {
        counts.wakes.withLock { $0 += 1 }
      })
    for number in 0..<50 {
      try folder.write("x", to: "other-\(number).sqlite-wal")
      try folder.write("x", to: "store.sqlit")
    }
    try await Task.sleep(for: .milliseconds(100))
    #expect(counts.wakeCount == 0)
    try append(to: log)
    while counts.wakeCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
    // A new log is watched as well.
    try FileManager.default.removeItem(atPath: log)
    try await Task.sleep(for: .milliseconds(20))
    let before = counts.wakeCount
    try folder.write("", to: "store.sqlite-wal")
    while counts.wakeCount == before { try await Task.sleep(for: .milliseconds(1)) }
    let created = counts.wakeCount
    while counts.wakeCount == created {
      try append(to: log)
      try await Task.sleep(for: .milliseconds(1))
    }
    withExtendedLifetime(watch) {}
  }
}
