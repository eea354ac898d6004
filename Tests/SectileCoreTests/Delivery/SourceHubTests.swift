import SectileCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct SourceHubTests {
  struct Trouble: Error, CustomStringConvertible {
    let description = "trouble"
  }

  @Test func contentsFlipBetweenWillLoadAndPartialLoad() {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal())
    source.delegate = delegate
    source.load()
    source.commit()
    #expect(
      delegate.journal.lines == [
        "will 0", "did 0→1 1", "finish 1", "will 1", "did 1→2 2", "finish 2",
      ])
  }

  @Test func submitCallsNobodyUntilFlush() {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal())
    source.delegate = delegate
    source.submitNext()
    source.submitNext()
    #expect(delegate.journal.lines.isEmpty)
    source.hub.flush()
    #expect(delegate.journal.lines.count == 6)
    source.hub.flush()
    #expect(delegate.journal.lines.count == 6)
  }

  @Test func stepsOfOneCycleAreDeliveredAsPartialLoads() {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal())
    source.delegate = delegate
    let contents = source.contents
    source.hub.submit(
      LoadCycle(steps: [
        { contents.flip(to: 1) }, { nil }, { contents.flip(to: 1) }, { contents.flip(to: 3) },
      ]))
    source.hub.flush()
    #expect(delegate.journal.lines == ["will 0", "did 0→1 1", "did 1→3 3", "finish 3"])
  }

  @Test func stepsThatStepsReturnRunBeforeTheRemainingOnes() {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal())
    source.delegate = delegate
    let contents = source.contents
    typealias Step = LoadCycle<Int, Int>.Step
    let second = Step(flip: { contents.flip(to: 2) })
    let first = Step(prepare: { [second] }, flip: { contents.flip(to: 1) })
    let third = Step(flip: { contents.flip(to: 5) })
    source.hub.submit(LoadCycle([first, third]))
    source.hub.flush()
    #expect(
      delegate.journal.lines == ["will 0", "did 0→1 1", "did 1→2 2", "did 2→5 5", "finish 5"])
  }

  @Test func failureIsDeliveredOnceAndTheNextChangeIsRelativeToTheLastGoodContents() {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal())
    source.delegate = delegate
    source.load()
    let contents = source.contents
    source.hub.submit(
      LoadCycle(steps: [{ throw Trouble() }, { contents.flip(to: 9) }]))
    source.hub.flush()
    source.fail(Trouble())
    source.commit()
    #expect(
      delegate.journal.lines == [
        "will 0", "did 0→1 1", "finish 1", "will 1", "fail trouble", "will 1", "fail trouble",
        "will 1", "did 1→2 2", "finish 2",
      ])
  }

  @Test func failureOfALaterStepKeepsWhatEarlierStepsDelivered() {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal())
    source.delegate = delegate
    let contents = source.contents
    source.hub.submit(LoadCycle(steps: [{ contents.flip(to: 1) }, { throw Trouble() }]))
    source.hub.flush()
    #expect(delegate.journal.lines == ["will 0", "did 0→1 1", "fail trouble"])
    #expect(source.version == 1)
  }

  // MARK: - Listeners

  @Test func delegateAndObserversHearTheSameInOrder() {
    let source = CountingSource()
    let journal = Journal()
    let delegate = JournalingDelegate(journal, prefix: "d ")
    source.delegate = delegate
    let first = source.observe { journal.note("1 " + line($0)) }
    let second = source.observe { journal.note("2 " + line($0)) }
    source.load()
    #expect(
      journal.lines == [
        "d will 0", "1 will", "2 will", "d did 0→1 1", "1 did 0→1", "2 did 0→1",
        "d finish 1", "1 finish", "2 finish",
      ])
    first.cancel()
    source.commit()
    #expect(journal.lines.count { $0.hasPrefix("1") } == 3)
    #expect(journal.lines.count { $0.hasPrefix("2") } == 6)
    withExtendedLifetime((delegate, second)) {}
  }

  @Test func releasedTokenEndsItsObservation() {
    let source = CountingSource()
    let journal = Journal()
    var token: DataSourceObservation? = source.observe { journal.note(line($0)) }
    source.load()
    #expect(token != nil)
    token = nil
    source.commit()
    #expect(journal.lines.count == 3)
  }

  @Test func listenerThatComesInTheMiddleHearsOfTheNextCycleOnly() {
    let source = CountingSource()
    let journal = Journal()
    let late = JournalingDelegate(Journal())
    let tokens = Mutex<[DataSourceObservation]>([])
    let first = JournalingDelegate(journal) { [weak source] line in
      guard line == "will 0" else { return }
      source?.delegate = late
      let token = source?.observe { late.journal.note(SectileCoreTests.line($0)) }
      tokens.withLock { $0.append(contentsOf: token.map { [$0] } ?? []) }
    }
    source.delegate = first
    source.load()
    #expect(journal.lines == ["will 0"])
    #expect(late.journal.lines.isEmpty)
    source.commit()
    #expect(
      late.journal.lines == ["will 1", "will", "did 1→2 2", "did 1→2", "finish 2", "finish"])
  }

  @Test func releasedDelegateGetsNoCall() {
    let source = CountingSource()
    let journal = Journal()
    var delegate: JournalingDelegate? = JournalingDelegate(journal)
    source.delegate = delegate
    source.load()
    #expect(delegate != nil)
    delegate = nil
    #expect(source.delegate == nil)
    source.commit()
    #expect(journal.lines.count == 3)
    #expect(source.version == 2)
  }

  @Test func delegateReleasedDuringItsCallbackGetsNoFurtherCall() {
    let source = CountingSource()
    let journal = Journal()
    let owner = Mutex<JournalingDelegate?>(nil)
    let observed = source.observe { journal.note("observer " + line($0)) }
    owner.withLock {
      $0 = JournalingDelegate(journal) { line in
        if line == "will 0" { owner.withLock { $0 = nil } }
      }
    }
    source.delegate = owner.withLock { $0 }
    source.load()
    #expect(
      journal.lines == ["will 0", "observer will", "observer did 0→1", "observer finish"])
    withExtendedLifetime(observed) {}
  }

  @Test func sourceReleasedDuringDeliveryMakesNoFurtherCall() {
    let journal = Journal()
    let owner = Mutex<CountingSource?>(CountingSource())
    let delegate = JournalingDelegate(journal) { line in
      if line == "will 0" { owner.withLock { $0 = nil } }
    }
    let (hub, contents): (DataSourceEvents<Int, Int>?, CountingSource.Contents?) = owner.withLock {
      $0?.delegate = delegate
      $0?.submitNext()
      return ($0?.hub, $0?.contents)
    }
    hub?.flush()
    #expect(journal.lines.first == "will 0")
    #expect(!journal.lines.contains { $0.hasPrefix("finish") })
    #expect(contents?.dropped.load(ordering: .relaxed) == 1)
  }
}
