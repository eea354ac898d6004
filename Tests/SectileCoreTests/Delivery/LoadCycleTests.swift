import SectileCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct LoadCycleTests {
  /// Returns the one cycle that a source needs for all of its commits.
  static func reusableCycle(
    of source: CountingSource, isStillNeeded: (@Sendable () -> Bool)? = nil
  ) -> LoadCycle<Int, Int> {
    let contents = source.contents
    return LoadCycle(onDropped: { contents.dropped.wrappingAdd(1, ordering: .relaxed) }) {
      guard isStillNeeded?() ?? true else { return nil }
      return [.init(flip: { contents.flip(to: contents.visible.withLock { $0 } + 1) })]
    }
  }

  @Test func cycleMayBeSubmittedAgain() {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal())
    source.delegate = delegate
    let cycle = Self.reusableCycle(of: source)
    source.hub.submit(cycle)
    source.hub.submit(cycle)
    source.hub.flush()
    source.hub.submit(cycle)
    source.hub.flush()
    #expect(delegate.journal.lines == SourceHubConcurrencyTests.expected(3))
  }

  @Test func cycleThatIsNotNeededAnyMoreIsPassedOver() {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal())
    source.delegate = delegate
    let contents = source.contents
    let cycle = Self.reusableCycle(of: source) { contents.visible.withLock { $0 } < 1 }
    for _ in 0..<3 { source.hub.submit(cycle) }
    source.hub.flush()
    #expect(delegate.journal.lines == SourceHubConcurrencyTests.expected(1))
    #expect(contents.dropped.load(ordering: .relaxed) == 0)
  }

  @Test func emptyChangesetIsNotBoxed() {
    #expect(CountingSource.changes(from: 1, to: 1).boxed == nil)
    #expect(CountingSource.changes(from: 1, to: 2).boxed?.changes.targetVersion == 2)
  }

  @Test func stepThatThrowsIsDeliveredAsAFailure() {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal())
    source.delegate = delegate
    source.hub.submit(LoadCycle(flip: { throw SourceHubTests.Trouble() }))
    source.hub.flush()
    source.commit()
    #expect(
      delegate.journal.lines == ["will 0", "fail trouble", "will 0", "did 0→1 1", "finish 1"])
  }

  @Test func cycleThatRanToItsEndIsNotDroppedWhereTheLastCallbackReleasesTheSource() {
    let owner = Mutex<CountingSource?>(CountingSource())
    let delegate = JournalingDelegate(Journal()) { line in
      if line == "finish 1" { owner.withLock { $0 = nil } }
    }
    let (hub, contents): (DataSourceEvents<Int, Int>?, CountingSource.Contents?) = owner.withLock {
      $0?.delegate = delegate
      $0?.submitNext()
      return ($0?.hub, $0?.contents)
    }
    hub?.flush()
    #expect(delegate.journal.lines == SourceHubConcurrencyTests.expected(1))
    #expect(contents?.dropped.load(ordering: .relaxed) == 0)
  }
}
