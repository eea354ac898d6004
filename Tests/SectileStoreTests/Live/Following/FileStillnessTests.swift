import Foundation
import SectileTestHelpers
import Testing

@testable import SectileStore

/// Files that sleep need not be looked at.
@Suite struct FileStillnessTests {
  private let folder: TemporaryFolder
  private let (path, log): (String, String)
  private let later = time(nil) + 60

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write("database", to: "store.sqlite")
    log = try folder.write("log", to: "store.sqlite-wal")
  }

  private func append(to path: String) throws {
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data([1]))
    try file.close()
  }

  private func isStill(_ stillness: FileStillness, logIsWatched: Bool = false) -> Bool {
    // The database itself is not asked for each time.
    (0..<8).allSatisfy { _ in stillness.isStill(logIsWatched: logIsWatched) }
  }

  @Test func aFileIsStillFromALookOnThatCameLateEnough() throws {
    let stillness = FileStillness(of: path, lookingEvery: nil)
    #expect(!isStill(stillness))
    // A commit may be on its way whose pages are in the log.
    stillness.didLook(at: stillness.mark())
    #expect(!isStill(stillness))
    stillness.didLook(at: stillness.mark(), now: later)
    #expect(isStill(stillness))
    stillness.didFail()
    #expect(!isStill(stillness))
  }

  @Test(arguments: ["store.sqlite", "store.sqlite-wal"], [false, true])
  func whatIsWrittenWakesIt(name: String, logIsWatched: Bool) throws {
    let stillness = FileStillness(of: path, lookingEvery: nil)
    let before = stillness.mark()
    try append(to: folder.file(name))
    // It was written while somebody looked.
    stillness.didLook(at: before, now: later)
    #expect(!isStill(stillness, logIsWatched: logIsWatched))
    stillness.didLook(at: stillness.mark(), now: later)
    #expect(isStill(stillness, logIsWatched: logIsWatched))
    try append(to: folder.file(name))
    #expect(!isStill(stillness, logIsWatched: logIsWatched))
  }

  @Test(arguments: ["store.sqlite", "store.sqlite-wal"])
  func whatIsRemovedWakesIt(name: String) throws {
    let stillness = FileStillness(of: path, lookingEvery: nil)
    stillness.didLook(at: stillness.mark(), now: later)
    #expect(unlink(folder.file(name)) == 0)
    #expect(!isStill(stillness))
  }

  @Test func aWatchedLogIsAskedForOneTimeInFour() throws {
    let stillness = FileStillness(of: path, lookingEvery: nil)
    stillness.didLook(at: stillness.mark(), now: later)
    try append(to: log)
    #expect(
      (0..<4).map { _ in stillness.isStill(logIsWatched: true) } == [true, true, true, false])
  }

  @Test func itIsLookedAtFromTimeToTimeAllTheSame() throws {
    let stillness = FileStillness(of: path, lookingEvery: .zero)
    stillness.didLook(at: stillness.mark(), now: later)
    #expect(!isStill(stillness))
  }
}
