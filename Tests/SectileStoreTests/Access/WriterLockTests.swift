import Foundation
import GRDB
import SectileTestHelpers
import Synchronization
import Testing

@testable import SectileStore

/// The lock itself, whatever library is linked.
@Suite(.timeLimit(.minutes(60))) struct WriterLockTests {
  private static let withBug = SQLiteRelease(3, 40, 1)
  private static let withoutBug = SQLiteRelease(3, 51, 3)

  /// A database in a folder of its own, and locks of it.
  private struct Place {
    let folder: TemporaryFolder
    let file: WrittenFile
    let queue: DatabaseQueue

    init(permissions: mode_t? = nil) throws {
      folder = try TemporaryFolder()
      queue = try DatabaseQueue(path: folder.file("store.sqlite"))
      try queue.write { try $0.execute(sql: "CREATE TABLE item (id)") }
      if let permissions { chmod(folder.file("store.sqlite"), permissions) }
      file = try #require(try queue.inDatabase { try WrittenFile(below: $0) })
    }

    var path: String { folder.file("store.sqlite-lock") }

    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    func makeLock(
      waiting milliseconds: Int = 0, release: SQLiteRelease = WriterLockTests.withBug
    ) -> WriterLock {
      WriterLock(of: file, waiting: milliseconds, nil, release: release)
    }

    func makeEngagedLock(waiting milliseconds: Int = 0) -> WriterLock {
      let lock = makeLock(waiting: milliseconds)
      lock.engage()
      return lock
    }
  }

  @Test func aLockThatIsOffIsNeitherTakenNorThere() throws {
    let place = try Place()
    let lock = place.makeLock()
    #expect(try !lock.enter {})
    #expect(lock.state == .off && !place.exists)
  }

  @Test func whereTheLibraryHasNoBugThereIsNoLock() throws {
    let place = try Place()
    let lock = place.makeLock(release: Self.withoutBug)
    lock.engage()
    #expect(try !lock.enter {})
    #expect(lock.state == .notNeeded(Self.withoutBug) && !place.exists)
  }

  @Test func withoutAFileThereIsNoLock() throws {
    let lock = WriterLock(of: nil, waiting: 0, nil, release: Self.withBug)
    lock.engage()
    #expect(try !lock.enter {})
    #expect(lock.state == .off)
  }

  @Test func whatNeedNotHappenDoesNotWaitForTheLock() throws {
    let place = try Place()
    let (one, other) = (place.makeEngagedLock(), place.makeEngagedLock())
    var calls: [String] = []
    #expect(try one.enter {})
    other.runUnlessTaken { calls.append("others have it") }
    one.runUnlessTaken { calls.append("taken around the call") }
    // Which has not let go of it.
    #expect(try other.tryToEnter() == (false, false))
    one.leave()
    other.runUnlessTaken {
      calls.append("free")
      #expect((try? one.tryToEnter()) ?? (true, true) == (false, false))
    }
    #expect(calls == ["taken around the call", "free"])
    #expect(try one.tryToEnter() == (true, true))
    place.makeLock().runUnlessTaken { calls.append("off") }
    #expect(calls.last == "off")
  }

  @Test func oneAtATimeHasTheLock() throws {
    let place = try Place()
    let (one, other) = (place.makeEngagedLock(), place.makeEngagedLock())
    #expect(one.state == .engaged(path: place.path))
    for _ in 0..<3 {
      #expect(try one.enter {})
      let error = try expectStoreError(.busy) { try other.enter {} }
      #expect(error.message.contains(place.path) && error.hint?.contains("busyTimeout") == true)
      #expect(try other.tryToEnter() == (false, false))
      one.leave()
      #expect(try other.tryToEnter() == (true, true))
      try expectStoreError(.busy) { try one.enter {} }
      other.leave()
    }
    #expect(place.exists)
  }

  @Test func anotherProcessHasTheLock() throws {
    let place = try Place()
    let lock = place.makeEngagedLock(waiting: 5)
    let holder = try LockHolder(of: place.path)
    try expectStoreError(.busy) { try lock.enter {} }
    holder.end()
    #expect(try lock.enter {})
    lock.leave()
  }

  @Test func theCheckEndsAWait() throws {
    struct Ended: Error {}
    let place = try Place()
    let (one, other) = (place.makeEngagedLock(), place.makeEngagedLock(waiting: 600_000))
    #expect(try one.enter {})
    #expect(throws: Ended.self) { try other.enter { throw Ended() } }
    #expect(!other.isAwaited)
  }

  @Test func anInterruptEndsTheWaitsOfItsMoment() throws {
    let place = try Place()
    let (one, other) = (place.makeEngagedLock(), place.makeEngagedLock(waiting: 600_000))
    #expect(try one.enter {})
    try expectStoreError(.interrupted) { try other.enter { other.interrupt() } }
    one.leave()
    other.interrupt()
    #expect(try other.enter {})
    other.leave()
  }

  @Test func whoHasTheLockKeepsItWhenItIsSwitchedOff() throws {
    let place = try Place()
    let (one, other) = (place.makeEngagedLock(), place.makeEngagedLock())
    #expect(try one.enter {})
    one.disengage()
    #expect(one.state == .off)
    try expectStoreError(.busy) { try other.enter {} }
    one.leave()
    #expect(try other.enter {})
    #expect(try !one.enter {})
    other.leave()
    #expect(place.exists)
  }

  @Test func aWaitEndsWhereTheLockIsSwitchedOff() throws {
    let place = try Place()
    let (one, other) = (place.makeEngagedLock(), place.makeEngagedLock(waiting: 600_000))
    #expect(try one.enter {})
    #expect(try !other.enter { other.disengage() })
  }

  @Test func aReleasedLockIsFree() throws {
    let place = try Place()
    let other = place.makeEngagedLock()
    do {
      let one = place.makeEngagedLock()
      #expect(try one.enter {})
    }
    #expect(try other.enter {})
    other.leave()
  }

  // MARK: - The file

  @Test(arguments: [mode_t(0o600), 0o640, 0o666])
  func theFileHasTheDatabasesPermissions(_ permissions: mode_t) throws {
    let place = try Place(permissions: permissions)
    _ = place.makeEngagedLock()
    #expect(FileIdentity(place.path)?.permissions == permissions)
  }

  @Test func aFileThatWasRemovedOrRenamedIsTakenAnew() throws {
    let place = try Place()
    let (one, other) = (place.makeEngagedLock(), place.makeEngagedLock())
    for remove in [{ unlink(place.path) }, { rename(place.path, place.path + "-old") }] {
      #expect(remove() == 0)
      #expect(try one.enter {})
      #expect(place.exists)
      // The other one still has the file open that is gone.
      try expectStoreError(.busy) { try other.enter {} }
      one.leave()
      #expect(try other.enter {})
      other.leave()
    }
  }

  @Test func theLockGoesWithItsFolder() throws {
    let place = try Place()
    let one = place.makeEngagedLock()
    let moved = place.folder.path + "-moved"
    try place.queue.write { try $0.execute(sql: "PRAGMA user_version = 1") }
    #expect(rename(place.folder.path, moved) == 0)
    defer { rename(moved, place.folder.path) }
    let there = try DatabaseQueue(path: moved + "/store.sqlite")
    let other = WriterLock(
      of: try there.inDatabase { try WrittenFile(below: $0) }, waiting: 0, nil,
      release: Self.withBug)
    other.engage()
    #expect(try one.enter {})
    try expectStoreError(.busy) { try other.enter {} }
    one.leave()
    #expect(try other.enter {})
    other.leave()
  }

  /// What may lie where the lock file belongs.
  enum Obstacle: CaseIterable {
    case folder, link, danglingLink, pipe

    func put(at path: String, in folder: TemporaryFolder) throws {
      switch self {
      case .folder: try folder.makeFolder("store.sqlite-lock")
      case .link:
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: try folder.write("precious", to: "target"))
      case .danglingLink:
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: folder.file("nothing"))
      case .pipe: #expect(mkfifo(path, 0o600) == 0)
      }
    }
  }

  @Test(arguments: Obstacle.allCases)
  func whereSomethingElseLiesThereIsNoLockAndItIsSaid(_ obstacle: Obstacle) throws {
    let place = try Place()
    try obstacle.put(at: place.path, in: place.folder)
    let lock = place.makeEngagedLock()
    for _ in 0..<2 {
      #expect(try !lock.enter {})
      guard case .unavailable(let reason) = lock.state else {
        Issue.record("\(lock.state)")
        return
      }
      #expect(reason.contains(place.path))
    }
    #expect(!FileManager.default.fileExists(atPath: place.folder.file("nothing")))
    // When it is gone, the next write takes the lock.
    try FileManager.default.removeItem(atPath: place.path)
    #expect(try lock.enter {})
    #expect(lock.state == .engaged(path: place.path))
    lock.leave()
  }

  @Test func openingTakesALockThatIsThere() throws {
    let place = try Place()
    #expect(try !place.makeLock().enterIfThere())
    let one = place.makeEngagedLock()
    let opening = place.makeLock()
    #expect(try opening.enterIfThere())
    try expectStoreError(.busy) { try one.enter {} }
    opening.leave()
    #expect(try one.enter {})
    try expectStoreError(.busy) { try place.makeLock().enterIfThere() }
  }

  @Test func statesAreSaidInWords() {
    #expect(WriterLock.State.off.description.hasPrefix("no lock of writers"))
    #expect(WriterLock.State.notNeeded(Self.withoutBug).description.contains("3.51.3"))
    #expect(WriterLock.State.engaged(path: "a-lock").description.hasSuffix("a-lock"))
    #expect(WriterLock.State.unavailable(reason: "full moon").description.hasSuffix("full moon"))
  }
}
