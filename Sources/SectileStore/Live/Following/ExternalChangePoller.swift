import Dispatch
import SectileCore
import Synchronization

/// Looks again and again whether another process has written to the file.
///
/// SQLite tells nobody that another connection has committed; `PRAGMA data_version` answers who
/// asks, in about a microsecond. The system tells at once that somebody has written to the log
/// (``LogFileWatch``); the regular look is the net below.
///
/// ```text
/// another process    writes its pages ──── fsync, some milliseconds ──── its commit can be seen
///                        │                                                      │
/// the watch tells        └▶ look ─▶ look ──▶ look ────▶ look ─────────▶ look … look
/// ```
///
/// Nothing tells that the commit is there. So one looks for a while, at distances that grow with
/// the time that has passed.
final class ExternalChangePoller: Sendable {
  /// What a look comes to.
  enum LookOutcome {
    /// Others have committed, or there is nobody who wants to know.
    case done
    /// Nothing has happened.
    case nothing
    /// There is nothing left to look at.
    case end
  }

  // MARK: - Mutable state
  //
  // - `looks`: guarded by the mutex; started once, ended on release.
  private let looks = Mutex<Looks?>(nil)

  deinit {
    looks.withLock { $0?.end() }
  }

  /// Starts looking, if it has not been started.
  ///
  /// - Parameters:
  ///   - interval: How long to wait between two looks.
  ///   - path: The file whose log is watched; nil for none.
  ///   - ownCommitCount: Returns how often oneself has committed.
  ///   - isStill: Returns whether a regular look would find nothing; it waits for nobody, and is
  ///     told whether the system tells of what is written to the log.
  ///   - look: Looks once; called on a queue of its own.
  /// - Returns: False where the log is to be watched and the system offers no further watch.
  @discardableResult
  func start(
    every interval: Duration, watching path: String?,
    ownCommitCount: @escaping @Sendable () -> Int,
    isStill: @escaping @Sendable (_ logIsWatched: Bool) -> Bool = { _ in false },
    look: @escaping @Sendable () -> LookOutcome
  ) -> Bool {
    looks.withLock { looks in
      guard looks == nil else { return true }
      let started = Looks(ownCommitCount: ownCommitCount, isStill: isStill, look: look)
      looks = started
      return started.begin(every: interval, watching: path)
    }
  }
}

/// The looks at one file, on a queue of their own.
private final class Looks: Sendable {
  /// Where looks run: together on as many threads as the machine has processors, more only where
  /// one waits.
  private static let threads = DispatchQueue(
    label: "sectile.looks", qos: .utility, attributes: .concurrent)

  // MARK: - Mutable state
  //
  // - `alarms`, `watch`: guarded by their mutexes.
  // - `isDue`: whether a regular look waits for its turn.
  // - `plan`: confined to the queue.
  private let queue = DispatchQueue(label: "sectile.looks-of-store", target: Looks.threads)
  private let alarms = Mutex<Alarms?>(nil)
  private let watch = Mutex<LogFileWatch?>(nil)
  private let isDue = Atomic(false)
  private let plan: Confined<LookPlan>
  private let ownCommitCount: @Sendable () -> Int
  private let isStill: @Sendable (_ logIsWatched: Bool) -> Bool
  private let look: @Sendable () -> ExternalChangePoller.LookOutcome

  /// When it is looked.
  private struct Alarms {
    let regular: ProcessTimer.Alarm
    let single: ProcessTimer.Alarm
  }

  init(
    ownCommitCount: @escaping @Sendable () -> Int,
    isStill: @escaping @Sendable (_ logIsWatched: Bool) -> Bool,
    look: @escaping @Sendable () -> ExternalChangePoller.LookOutcome
  ) {
    self.ownCommitCount = ownCommitCount
    self.isStill = isStill
    self.look = look
    plan = Confined(LookPlan(ownCommitCount: ownCommitCount()), to: .queue(queue))
  }

  /// Starts looking.
  ///
  /// - Returns: False where the log is to be watched and the system offers no further watch.
  func begin(every interval: Duration, watching path: String?) -> Bool {
    let timer = ProcessTimer.shared
    let started = Alarms(
      regular: timer.makeAlarm { [weak self] in self?.lookUnlessStill() },
      single: timer.makeAlarm { [weak self] in
        guard let self else { return }
        queue.async { self.lookNow() }
      })
    alarms.withLock { $0 = started }
    started.regular.repeat(every: interval)
    guard let path else { return true }
    let watch = LogFileWatch(of: path, on: queue) { [weak self] in self?.logWasWritten() }
    let isWatched = watch != nil
    self.watch.withLock { $0 = watch }
    return isWatched
  }

  func end() {
    // Released outside of the mutexes.
    let ended = (alarms.withLock { $0.take() }, watch.withLock { $0.take() })
    withExtendedLifetime(ended) {}
  }

  /// Called by the timer, which waits for nobody.
  private func lookUnlessStill() {
    let isWatched = watch.withLock { $0 != nil }
    if isStill(isWatched) || isDue.exchange(true, ordering: .relaxed) { return }
    queue.async { [self] in
      isDue.store(false, ordering: .relaxed)
      lookNow()
    }
  }

  private static var now: Int64 { ProcessTimer.now }

  // MARK: On the queue

  private func logWasWritten() {
    let now = Self.now
    let count = ownCommitCount()
    lookAgain(at: plan.value.noteWrite(at: now, ownCommitCount: count))
  }

  private func lookAgain(at time: Int64?) {
    if let time { alarms.withLock { $0?.single }?.set(at: time) }
  }

  private func lookNow() {
    let start = Self.now
    let countBefore = ownCommitCount()
    plan.value.beginLook(at: start, ownCommitCount: countBefore)
    let outcome = look()
    let end = Self.now
    let countAfter = ownCommitCount()
    let next = plan.value.endLook(with: outcome, at: end, ownCommitCount: countAfter)
    if outcome == .end { self.end() } else { lookAgain(at: next) }
  }
}

/// When to look.
///
/// Times are in microseconds.
private struct LookPlan {
  /// How far apart looks are while oneself writes: that is told as well, and notices what others
  /// commit.
  private static let ownDistance: Int64 = 20_000
  /// How long after something was written one looks first.
  private static let firstDelay: Int64 = 100
  /// How far apart looks are at least.
  private static let leastDistance: Int64 = 200
  /// So long after something was written the regular look is enough.
  private static let lastDelay: Int64 = 200_000
  /// Who has not written for so long has begun anew.
  private static let pause: Int64 = 10_000

  /// How often oneself has committed, as far as known.
  private var count: Int
  /// Until when what is written is taken for one's own.
  private var ownUntil: Int64 = 0
  /// Whether oneself has committed since what was known when the look began.
  private var isOwn = false
  /// When the last look ended.
  private var last: Int64 = 0
  /// When the log was written to last.
  private var written: Int64 = 0
  /// Since when a commit is expected; nil where none is.
  private var expected: Int64?
  /// Whether the commit that was written may have been found already.
  private var isDoubtful = false
  /// When the next look is that is not a regular one.
  private var next: Int64?

  init(ownCommitCount: Int) { count = ownCommitCount }

  /// Takes note that the log was written to.
  ///
  /// - Returns: When to look; nil where that is known.
  mutating func noteWrite(at now: Int64, ownCommitCount: Int) -> Int64? {
    let hasPaused = now - written > Self.pause
    written = now
    noteOwnCommits(ownCommitCount, at: now)
    if now < ownUntil { return planLook(at: ownUntil) }
    // Each page of a large transaction is told.
    if expected != nil, !isDoubtful, !hasPaused { return nil }
    (expected, isDoubtful) = (now, false)
    return planLook(at: now + Self.firstDelay)
  }

  /// Takes note of what oneself has committed: it is told as well, and no news.
  ///
  /// - Returns: Whether there was something.
  @discardableResult
  private mutating func noteOwnCommits(_ ownCommitCount: Int, at now: Int64) -> Bool {
    guard ownCommitCount != count else { return false }
    (count, ownUntil) = (ownCommitCount, now + Self.ownDistance)
    return true
  }

  private mutating func planLook(at time: Int64) -> Int64? {
    if let next, next <= time { return nil }
    next = time
    return time
  }

  mutating func beginLook(at now: Int64, ownCommitCount: Int) {
    next = nil
    isOwn = noteOwnCommits(ownCommitCount, at: now)
  }

  /// Takes note of what a look has come to.
  ///
  /// - Returns: When to look again; nil where the regular look is enough, or that is known.
  mutating func endLook(
    with outcome: ExternalChangePoller.LookOutcome, at now: Int64, ownCommitCount: Int
  ) -> Int64? {
    let former = last
    last = now
    if noteOwnCommits(ownCommitCount, at: now) { isOwn = true }
    guard outcome != .end, var since = expected else { return nil }
    expected = nil
    if outcome == .done {
      // Somebody may have written behind the commit that was found.
      guard written > former else { return nil }
      (since, isDoubtful) = (written, true)
    } else if isOwn {
      return nil
    }
    let passed = max(now - since, Self.firstDelay)
    guard passed < Self.lastDelay else { return nil }
    expected = since
    // A commit that takes so long may well take half as long again.
    return planLook(at: now + (isDoubtful ? 3 * passed : max(passed / 2, Self.leastDistance)))
  }
}
