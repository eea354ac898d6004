import Dispatch
import SectileCore
import Synchronization
import Testing

/// Cycles that nobody listens to flip the contents all the same, in order.
@Suite(.timeLimit(.minutes(60))) struct HubCoreUnheardTests {
  @Test func contentsFlipWithoutListeners() {
    let source = CountingSource()
    let cycle = LoadCycleTests.reusableCycle(of: source)
    for count in 1...3 {
      source.hub.submit(cycle)
      #expect(source.version == count - 1)
      source.hub.flush()
      #expect(source.version == count)
    }
    #expect(source.contents.dropped.load(ordering: .relaxed) == 0)
  }

  @Test func stoppedSourceDropsWhatNobodyHears() {
    let source = CountingSource()
    let cycle = LoadCycleTests.reusableCycle(of: source)
    source.cancel()
    source.hub.submit(cycle)
    source.hub.flush()
    #expect(source.version == 0)
    #expect(source.contents.dropped.load(ordering: .relaxed) == 1)
    source.hub.resume()
    source.hub.submit(cycle)
    source.hub.flush()
    #expect(source.version == 1)
  }

  @Test func cycleIsDroppedWhereItsFlipCancelsTheSource() {
    let source = CountingSource()
    let contents = source.contents
    source.hub.submit(
      LoadCycle<Int, Int>(
        onDropped: { contents.dropped.wrappingAdd(1, ordering: .relaxed) },
        flip: { [weak source] in
          source?.cancel()
          return contents.flip(to: 1).boxed
        }))
    source.hub.flush()
    #expect(contents.dropped.load(ordering: .relaxed) == 1)
    #expect(source.hub.isStopped)
  }

  @Test func whatAFlipCausesIsDeliveredAfterIt() {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal())
    let cycle = LoadCycleTests.reusableCycle(of: source)
    source.hub.submit(
      LoadCycle<Int, Int>(flip: { [weak source] in
        source?.delegate = delegate
        source?.hub.submit(cycle)
        source?.hub.flush()
        #expect(source?.version == 0)
        return nil
      }))
    source.hub.flush()
    #expect(delegate.journal.lines == SourceHubConcurrencyTests.expected(1))
  }

  @Test func delegateThatIsGoneLeavesTheSourceAdvancing() {
    let source = CountingSource()
    source.delegate = JournalingDelegate(Journal())
    let cycle = LoadCycleTests.reusableCycle(of: source)
    source.hub.submit(cycle)
    source.hub.flush()
    #expect(source.version == 1)
  }

  @Test func asynchronousConsumerIsHeardOf() async {
    let source = CountingSource()
    var changesets = source.changesets.makeAsyncIterator()
    source.hub.submit(LoadCycleTests.reusableCycle(of: source))
    source.hub.flush()
    #expect(await changesets.next()?.targetVersion == 1)
  }

  @Test func silentAndHeardSourcesFlipInTheOrderOfSubmission() {
    let silent = CountingSource()
    let heard = CountingSource()
    let versions = Mutex<[Int]>([])
    let delegate = JournalingDelegate(Journal()) { [weak silent] line in
      if line.hasPrefix("will") { versions.withLock { $0.append(silent?.version ?? -1) } }
    }
    heard.delegate = delegate
    let cycle = LoadCycleTests.reusableCycle(of: silent)
    silent.hub.submit(cycle)
    heard.submitNext()
    silent.hub.submit(cycle)
    heard.submitNext()
    DrainScope.flush([heard.hub, silent.hub])
    #expect(versions.withLock { $0 } == [1, 2])
    withExtendedLifetime((silent, delegate)) {}
  }

  @Test func threadsThatCommitUnheardLoseNothing() async {
    let source = CountingSource()
    let cycle = LoadCycleTests.reusableCycle(of: source)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<500 {
        source.hub.submit(cycle)
        source.hub.flush()
      }
    }
    // What another thread still delivers comes before this one.
    let last = Journal()
    let delegate = JournalingDelegate(Journal()) { line in
      if line == "finish 2001" { last.note(line) }
    }
    source.delegate = delegate
    source.hub.submit(cycle)
    source.hub.flush()
    await last.wait(for: 1)
    #expect(source.version == 2_001)
    withExtendedLifetime(delegate) {}
  }
}
