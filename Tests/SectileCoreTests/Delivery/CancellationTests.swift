import Dispatch
import Glibc
import SectileCore
import SectileTestSupport
import Synchronization
import Testing

/// Whoever cancels finds that what readers see and what was told agree.
@Suite(.timeLimit(.minutes(60))) struct CancellationTests {
  @Test func changeThatIsSeenIsToldThoughAnotherThreadCancelsAtTheFlip() {
    let source = CountingSource()
    let contents = source.contents
    let delegate = JournalingDelegate(Journal())
    source.delegate = delegate
    source.commit()
    let isCancelled = DispatchSemaphore(value: 0)
    source.hub.submit(
      LoadCycle<Int, Int>(steps: [
        {
          runOnOwnThread {
            source.cancel()
            isCancelled.signal()
          }
          while !source.hub.isStopped { sched_yield() }
          return contents.flip(to: 2)
        }
      ]))
    source.hub.flush()
    isCancelled.wait()
    #expect(source.version == 2)
    #expect(
      delegate.journal.lines == SourceHubConcurrencyTests.expected(1) + ["will 1", "did 1→2 2"])
  }

  @Test func changeIsNotSeenWhereTheSourceWasCancelledBeforeTheFlip() {
    let source = CountingSource()
    let contents = source.contents
    let delegate = JournalingDelegate(Journal()) { [weak source] line in
      if line == "will 0" { source?.cancel() }
    }
    source.delegate = delegate
    source.hub.submit(LoadCycle<Int, Int>(steps: [{ contents.flip(to: 1) }]))
    source.hub.flush()
    #expect(source.version == 0)
    #expect(delegate.journal.lines == ["will 0"])
  }

  @Test func nobodyIsCalledAfterACancellationInsideTheRound() {
    let source = CountingSource()
    let journal = Journal()
    let first = source.observe(on: .immediate) { [weak source] event in
      if case .didPartiallyLoad = event { source?.cancel() }
    }
    let second = source.observe(on: .immediate) { event in journal.note(line(event)) }
    source.commit()
    #expect(journal.lines == ["will"])
    withExtendedLifetime((first, second)) {}
  }

  /// A thread commits, another cancels and loads again: random interleavings, by the scheduler.
  @Test func whatIsSeenAndWhatIsToldAgreeAfterEachCancellation() async {
    let source = CountingSource()
    let told = Mutex((version: 0, gaps: 0))
    let delegate = ToldVersions(told: { changes in
      told.withLock { told in
        if changes.sourceVersion != told.version { told.gaps += 1 }
        told.version = changes.targetVersion
      }
    })
    source.delegate = delegate
    let isDone = Atomic<Bool>(false)
    let committed = DispatchSemaphore(value: 0)
    runOnOwnThread {
      while !isDone.load(ordering: .relaxed) { source.commit() }
      committed.signal()
    }
    var disagreements = 0
    for _ in 0..<2_000 {
      source.load()
      source.cancel()
      // Stopped, and the round that was under way is over: nothing flips any more.
      let seen = source.version
      if told.withLock({ $0.version }) != seen { disagreements += 1 }
    }
    isDone.store(true, ordering: .relaxed)
    await waitOnOwnThread { committed.wait() }
    #expect(disagreements == 0)
    #expect(told.withLock { $0.gaps } == 0)
  }
}

/// Tells of the changesets it hears of.
private final class ToldVersions: DataSourceDelegate {
  typealias ItemID = Int
  typealias Item = Int

  private let told: @Sendable (Changeset<Int, Int>) -> Void

  init(told: @escaping @Sendable (Changeset<Int, Int>) -> Void) { self.told = told }

  func dataSourceWillLoad(_ source: any DataSource<Int, Int>) {}
  func dataSource(
    _ source: any DataSource<Int, Int>, didPartiallyLoad changes: Changeset<Int, Int>
  ) { told(changes) }
  func dataSourceDidFinishLoading(_ source: any DataSource<Int, Int>) {}
  func dataSource(_ source: any DataSource<Int, Int>, didFailWith error: any Error) {}
}
