internal import Foundation
internal import Sectile
internal import SectileTestSupport
internal import Synchronization

/// The log of a file loses its name, or the process its locks, while commits go on: whatever is
/// acknowledged from then on is what another process finds.
///
/// From seed to seed somebody deletes the log, or renames it; or this process loses its locks, as
/// when another library in it closes the file, and another process closes the file as the last
/// one, which removes the log.
///
/// The control writes with SQLite alone, which acknowledges commits that nobody finds.
struct LostLogCase: ReliabilityCase {
  let isControl: Bool

  var name: String { isControl ? "control-lost-log" : "lost-log" }
  var summary: String {
    isControl
      ? "the same without a store" : "the log is deleted, or the locks are lost, under commits"
  }

  private enum Loss: CaseIterable {
    case deleted, renamed, unlocked
  }

  /// What was acknowledged, and what was refused.
  private final class Answers: Sendable {
    struct State {
      /// The numbers whose commit began when the log was lost already.
      var late: [Int64] = []
      var refusalCount = 0
    }
    let state = Mutex(State())
    let isLost = Atomic(false)
    let lastNumber = Atomic<Int64>(0)

    /// Whether enough is known.
    var isEnough: Bool {
      state.withLock { $0.refusalCount >= 5 || $0.late.count >= 50 }
    }
  }

  func run(seed: UInt64, tally: inout Tally) throws {
    let folder = try Folder()
    var random = SeededRandom(seed: seed)
    // SQLite alone notices nothing of a log that is deleted; of the others it may.
    let loss = isControl ? .deleted : Loss.allCases[Int(seed % 3)]
    let store = try Store.open(
      at: folder.database, configuration: Self.configuration,
      migrations: .inline([
        "V0001_create_note.sql": "CREATE TABLE note (number INTEGER PRIMARY KEY, text TEXT)"
      ]))
    // The table is in the file itself: the log takes with it what it holds.
    try store.checkpoint(.truncate)
    let (answers, others) = (Answers(), Others())
    if isControl {
      let connection = Mutex(try PlainConnection(path: folder.database))
      start(answers, others) { number in
        try connection.withLock { _ = try $0.run("INSERT INTO note VALUES (\(number), 'x')") }
        return true
      }
    } else {
      for _ in 0..<2 {
        start(answers, others) { try Self.write($0, to: store) }
      }
    }
    defer { others.end() }
    usleep(UInt32.random(in: 2_000...40_000, using: &random))
    try lose(loss, folder)
    answers.isLost.store(true, ordering: .sequentiallyConsistent)
    let end = ContinuousClock.now + .seconds(60)
    while !answers.isEnough, others.problem == nil, ContinuousClock.now < end { usleep(1_000) }
    others.end()
    let found = try numbers(in: folder)
    let (late, refusalCount) = answers.state.withLock { ($0.late, $0.refusalCount) }
    if let failure = others.problem { throw Finding("\(loss): \(failure)") }
    let missing = late.filter { !found.contains($0) }
    if !missing.isEmpty {
      throw Finding("\(loss): \(missing.count) commits were acknowledged, and nobody finds them")
    }
    if refusalCount == 0 { throw Finding("\(loss): no commit was refused") }
    tally.cycles += 1
    tally.add(refusalCount, "refused")
  }

  private static var configuration: StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.externalChangePolling = nil
    configuration.synchronous = .off
    return configuration
  }

  /// - Returns: False where it was refused because of what happened to the file.
  private static func write(_ number: Int64, to store: Store) throws -> Bool {
    do {
      try store.write { try $0.execute("INSERT INTO note VALUES (?, 'x')", number) }
      return true
    } catch let error as StoreError where error.code == .fileReplaced {
      return false
    }
  }

  /// Commits number after number until it is over.
  private func start(
    _ answers: Answers, _ others: Others,
    _ commit: @escaping @Sendable (Int64) throws -> Bool
  ) {
    others.run {
      let wasLost = answers.isLost.load(ordering: .sequentiallyConsistent)
      let number = answers.lastNumber.add(1, ordering: .relaxed).newValue
      let isAcknowledged = try commit(number)
      answers.state.withLock { state in
        if !isAcknowledged { state.refusalCount += 1 }
        if isAcknowledged, wasLost { state.late.append(number) }
      }
    }
  }

  private func lose(_ loss: Loss, _ folder: Folder) throws {
    let log = folder.database + "-wal"
    switch loss {
    case .deleted: try FileManager.default.removeItem(atPath: log)
    case .renamed: try FileManager.default.moveItem(atPath: log, toPath: log + ".old")
    case .unlocked:
      // Whoever closes a file in a process gives up all locks that the process has on it.
      try FileHandle(forReadingAtPath: folder.database)?.close()
      let other = try ChildProcess(workload: "visit", path: folder.database, seed: 0)
      let lines = other.lines()
      if other.status != 0 { throw Finding("the visitor ended with \(other.status): \(lines)") }
    }
  }

  /// The numbers that another process finds: it knows the files by their names alone.
  private func numbers(in folder: Folder) throws -> Set<Int64> {
    let copy = try Folder()
    for suffix in ["", "-wal"] {
      let path = folder.database + suffix
      guard FileManager.default.fileExists(atPath: path) else { continue }
      try FileManager.default.copyItem(atPath: path, toPath: copy.database + suffix)
    }
    let rows = try PlainConnection(path: copy.database).texts("SELECT number FROM note")
    return Set(rows.compactMap { Int64($0[0]) })
  }
}
