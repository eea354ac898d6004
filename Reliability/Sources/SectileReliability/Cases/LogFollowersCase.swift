internal import Foundation
internal import Sectile
internal import SectileTestSupport

/// Four processes write one file, two of them other programs than stores, and this one writes, too,
/// and follows them: once with a change log, once without.
///
/// Each version of the results shows which commit it is of; what it must show then follows from the
/// commits before. With the log each of the store's own commits is a version by itself, and nothing
/// is read as a whole.
struct LogFollowersCase: ReliabilityCase {
  let name = "log-followers"
  let summary =
    "four processes write, one follows with a change log and without; each version is right"
  /// How long they write to each file.
  let seconds: Int
  var weight: Double { 0.2 }

  func run(seed: UInt64, tally: inout Tally) throws {
    for hasLog in [true, false] {
      do {
        try run(seed: seed, hasLog: hasLog, tally: &tally)
      } catch {
        throw Finding("\(hasLog ? "with" : "without") a log: \(error)")
      }
      tally.cycles += 1
    }
  }

  private func run(seed: UInt64, hasLog: Bool, tally: inout Tally) throws {
    let folder = try Folder()
    try make(folder.database, hasLog: hasLog)
    let store = try CommitOrder.open(folder.database)
    let results = try store.results(of: .byBatch)
    let recorder = ChangeRecorder<Int64, Entry>()
    results.delegate = recorder
    let versions = FoldedVersions()
    let observation = results.observe { versions.receive($0) }
    try results.load()
    try writeBesideOthers(to: store, at: folder.database, seed: seed)
    try store.checkForExternalChanges()
    let commits = try Self.commits(of: store)
    // The thread that looks by itself may have read the last of them, and deliver it still.
    let limit = Date().timeIntervalSince1970 + 60
    while Date().timeIntervalSince1970 < limit,
      try recorder.isLoading || recorder.contents.version != results.version
        || versions.all().0.last?.commit != Int64(commits.count)
    { usleep(1_000) }
    observation.cancel()

    try recorder.check(against: results)
    let (folded, contents) = try versions.all()
    let fetched = try store.read { try $0.fetchAll(.byBatch) }
    if contents.sections.flatMap({ $0.rows.map(\.item) }) != fetched {
      throw Finding("replayed contents differ from a fetch")
    }
    try check(folded, against: commits, seed: seed, hasLog: hasLog)
    let statistics = results.statistics
    if hasLog, statistics.resyncCount > 0 {
      throw Finding("everything was read \(statistics.resyncCount) times")
    }
    let suffix = hasLog ? "with a log" : "without"
    tally.add(commits.count, "commits " + suffix)
    tally.add(folded.count, "changesets " + suffix)
    tally.add(statistics.resyncCount, "resyncs " + suffix)
    tally.add(statistics.loggedCount, "followed by row " + suffix)
    try store.close()
  }

  private func make(_ path: String, hasLog: Bool) throws {
    let store = try Store.open(at: path, migrations: CommitOrder.migrations)
    if hasLog { try store.changeLog.enable() }
    try store.close()
  }

  /// Starts the others, and writes until they have ended.
  private func writeBesideOthers(to store: Store, at path: String, seed: UInt64) throws {
    let children = try (0..<CommitOrder.writerCount).map { writer in
      try ChildProcess(
        workload: "order-\(writer)", path: path, seed: seed, seconds: seconds)
    }
    var random = SeededRandom(seed: seed)
    var number: Int64 = 0
    while children.contains(where: \.isRunning) {
      number += 1
      let statements = CommitOrder.statements(
        of: number, by: CommitOrder.writerCount, seed: seed)
      try store.write { transaction in
        for sql in statements { try transaction.execute(sql) }
      }
      usleep(UInt32.random(in: 0...8_000, using: &random))
    }
    for child in children {
      let lines = child.lines()
      if child.status != 0 { throw Finding("a writer failed: \(lines.last ?? "\(child.status)")") }
    }
  }

  private static func commits(of store: Store) throws -> [(writer: Int, number: Int64)] {
    try store.read { transaction in
      try transaction.query("SELECT writer, number FROM commit_order ORDER BY rowid").map { row in
        guard case .integer(let writer) = row.values[0], case .integer(let number) = row.values[1]
        else { throw Finding("a commit without a number") }
        return (Int(writer), number)
      }
    }
  }

  /// Compares each version with what the file held after its commit.
  private func check(
    _ versions: [FoldedVersions.Version], against commits: [(writer: Int, number: Int64)],
    seed: UInt64, hasLog: Bool
  ) throws {
    let wanted = CommitOrder.fingerprints(of: commits, seed: seed)
    var before: [Int64: Int64] = [:]
    var last: Int64 = 0
    for (position, version) in versions.enumerated() {
      if version.commit < last {
        throw Finding("version \(position + 1) is of commit \(version.commit), behind \(last)")
      }
      guard wanted.indices.contains(Int(version.commit)),
        wanted[Int(version.commit)] == version.fingerprint
      else {
        throw Finding("version \(position + 1) shows what the file held after none of its commits")
      }
      if before[version.commit] == nil { before[version.commit] = last }
      last = version.commit
    }
    if last != Int64(commits.count) {
      throw Finding("\(commits.count - Int(last)) commits are missing")
    }
    guard hasLog else { return }
    for (position, commit) in commits.enumerated() where commit.writer == CommitOrder.writerCount {
      let number = Int64(position + 1)
      guard before[number] == number - 1 else {
        throw Finding("the store's own commit \(number) is no version by itself")
      }
    }
  }
}
