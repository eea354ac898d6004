import Dispatch
import SectileCore
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct SourceHubReentrancyTests {
  @Test(arguments: ["will 0", "did 0→1 1", "finish 1"])
  func commitFromACallbackFollowsTheCurrentCycle(_ moment: String) {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal()) { [weak source] line in
      if line == moment { source?.commit() }
    }
    source.delegate = delegate
    source.load()
    #expect(
      delegate.journal.lines == [
        "will 0", "did 0→1 1", "finish 1", "will 1", "did 1→2 2", "finish 2",
      ])
  }

  @Test func whatACallbackCausesIsDeliveredInCommitOrderAcrossSources() {
    let first = CountingSource()
    let second = CountingSource()
    let journal = Journal()
    let other = JournalingDelegate(journal, prefix: "B ")
    let delegate = JournalingDelegate(journal, prefix: "A ") { line in
      guard line == "did 0→1 1" else { return }
      for _ in 0..<2 {
        first.submitNext()
        second.submitNext()
        DrainScope.flush([first.hub, second.hub])
      }
    }
    first.delegate = delegate
    second.delegate = other
    first.load()
    #expect(
      journal.lines == [
        "A will 0", "A did 0→1 1", "A finish 1",
        "A will 1", "A did 1→2 2", "A finish 2", "B will 0", "B did 0→1 1", "B finish 1",
        "A will 2", "A did 2→3 3", "A finish 3", "B will 1", "B did 1→2 2", "B finish 2",
      ])
  }

  @Test func flushOfSeveralHubsFollowsSubmissionNotTheList() {
    let sources = [CountingSource(), CountingSource()]
    let journal = Journal()
    let delegates = [
      JournalingDelegate(journal, prefix: "0 "), JournalingDelegate(journal, prefix: "1 "),
    ]
    for (source, delegate) in zip(sources, delegates) { source.delegate = delegate }
    sources[1].submitNext()
    sources[0].submitNext()
    sources[1].submitNext()
    // Nobody else holds the sources and the delegates, and an optimized build releases early.
    withExtendedLifetime((sources, delegates)) {
      DrainScope.flush(sources.map(\.hub))
    }
    #expect(
      journal.lines.filter { $0.contains("will") } == ["1 will 0", "0 will 0", "1 will 1"])
  }

  @Test func endlessChainOfCommitsDoesNotNest() {
    let source = CountingSource()
    let depth = Mutex((now: 0, most: 0))
    let token = source.observe { [weak source] event in
      guard case .didPartiallyLoad(let changes) = event, changes.targetVersion < 2_000 else {
        return
      }
      depth.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      source?.commit()
      depth.withLock { $0.now -= 1 }
    }
    source.load()
    #expect(source.version == 2_000)
    #expect(depth.withLock { $0.most } == 1)
    withExtendedLifetime(token) {}
  }

  @Test(arguments: [
    ("will 0", ["will 0"]), ("did 0→1 1", ["will 0", "did 0→1 1"]),
    ("finish 1", ["will 0", "did 0→1 1", "finish 1"]),
  ])
  func cancelFromACallbackIsTheLastWord(_ moment: String, _ expected: [String]) {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal()) { [weak source] line in
      guard line == moment else { return }
      source?.commit()
      source?.cancel()
      source?.cancel()
    }
    let journal = Journal()
    let token = source.observe { journal.note(line($0)) }
    source.delegate = delegate
    source.load()
    source.commit()
    #expect(delegate.journal.lines == expected)
    #expect(journal.lines.count == expected.count - 1)
    #expect(source.hub.isStopped)
    withExtendedLifetime(token) {}
  }

  @Test func loadAfterCancelInACallbackStartsAnew() {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal()) { [weak source] line in
      guard line == "will 0", source?.delegate?.journaled == 1 else { return }
      source?.cancel()
      source?.load()
    }
    source.delegate = delegate
    source.load()
    #expect(delegate.journal.lines == ["will 0", "will 0", "did 0→2 2", "finish 2"])
  }

  @Test func cancelDropsWhatWaitsAndTellsIt() {
    let source = CountingSource()
    source.submitNext()
    source.submitNext()
    source.cancel()
    #expect(source.contents.dropped.load(ordering: .relaxed) == 2)
    source.commit()
    #expect(source.contents.dropped.load(ordering: .relaxed) == 3)
    #expect(source.version == 0)
    source.load()
    #expect(source.version == 4)
  }

  @Test func taskStartedInACallbackIsNotInsideIt() async {
    let source = CountingSource()
    let task = Mutex<Task<Void, Never>?>(nil)
    let started = Journal()
    let delegate = JournalingDelegate(Journal()) { [weak source] line in
      guard line == "did 0→1 1" else { return }
      let child = Task {
        source?.commit(); started.note("committed")
      }
      task.withLock { $0 = child }
    }
    source.delegate = delegate
    source.load()
    await started.wait(for: 1)
    await task.withLock { $0 }?.value
    await delegate.journal.wait(for: 6)
    #expect(Array(delegate.journal.lines.suffix(3)) == ["will 1", "did 1→2 2", "finish 2"])
  }

  @Test func taskDeliversWhileTheCallbackThatStartedItWaits() async {
    let (source, other) = (CountingSource(), CountingSource())
    let otherDelegate = JournalingDelegate(Journal())
    other.delegate = otherDelegate
    let delegate = JournalingDelegate(Journal()) { line in
      guard line == "did 0→1 1" else { return }
      let isDone = DispatchSemaphore(value: 0)
      Task(executorPreference: OwnThread()) {
        other.commit()
        isDone.signal()
      }
      #expect(isDone.wait(timeout: .now() + 60) == .success)
      #expect(otherDelegate.journal.lines == SourceHubConcurrencyTests.expected(1))
    }
    source.delegate = delegate
    // Not on a thread that tasks need.
    await waitOnOwnThread { source.commit() }
    #expect(delegate.journal.lines == SourceHubConcurrencyTests.expected(1))
  }
}

extension DataSourceDelegate {
  /// The number of lines a journaling delegate wrote.
  var journaled: Int { (self as? JournalingDelegate)?.journal.lines.count ?? 0 }
}
