import Testing

@testable import SectileFeed

/// What a stream does next, without tasks and clocks.
@Suite struct FeedStreamMachineTests {
  private static func machine(
    chunkBytes: Int = 4, asks: Bool = true, interval: Duration = .seconds(30)
  ) -> FeedStreamMachine {
    let options = FeedResponse.Options(
      chunkBytes: chunkBytes, authorizationInterval: interval
    ).sensible
    var machine = FeedStreamMachine(options, asks: asks, answered: .zero, at: .zero)
    // The beginning is written.
    _ = machine.step(at: .zero)
    if interval == .zero { machine.answer(0, isAllowed: true, at: .zero) }
    _ = machine.step(at: .zero)
    machine.comeBack()
    return machine
  }

  @Test func waitingEventsAreOneChunkUpToItsSize() {
    var machine = Self.machine()
    #expect(machine.step(at: .zero) == .wait)
    #expect(machine.hasRoom && !machine.hasStep)
    machine.append([1])
    machine.append([2, 3])
    #expect(machine.hasRoom && machine.hasStep)
    machine.append([4, 5])
    // It is full; an event is never divided.
    #expect(!machine.hasRoom)
    #expect(machine.step(at: .zero) == .write([1, 2, 3, 4, 5]))
    #expect(machine.hasRoom)
    machine.comeBack()
    #expect(machine.step(at: .zero) == .wait)
    machine.append([6])
    machine.complete()
    machine.append([7])
    #expect(machine.step(at: .zero) == .write([6]))
    machine.comeBack()
    #expect(machine.step(at: .zero) == .end)
    #expect(machine.end(.ended) == .ended)
    #expect(machine.end(.stalled) == nil)
  }

  @Test func eachChunkIsAskedAboutWhereAnAnswerIsGoodForNoTime() {
    var machine = Self.machine(interval: .zero)
    for time in 1...3 {
      machine.append([1])
      #expect(machine.step(at: .seconds(time)) == .ask(0))
      machine.answer(0, isAllowed: true, at: .seconds(time))
      #expect(machine.step(at: .seconds(time)) == .write([1]))
      machine.comeBack()
      #expect(machine.step(at: .seconds(time)) == .wait)
    }
  }

  @Test func anAnswerToAnEarlierQuestionIsNotGoodForALaterOne() {
    var machine = Self.machine()
    machine.append([1])
    machine.requestAnswer()
    #expect(machine.step(at: .zero) == .ask(1))
    machine.requestAnswer()
    machine.answer(1, isAllowed: true, at: .zero)
    #expect(machine.step(at: .zero) == .ask(2))
    machine.answer(2, isAllowed: false, at: .zero)
    #expect(machine.step(at: .zero) == .write(FeedStreamEvents.refused))
    machine.comeBack()
    machine.append([2])
    machine.requestAnswer()
    #expect(machine.step(at: .zero) == .end)
    #expect(machine.end(.ended) == .refused)
  }

  /// An answer that was wanted while nothing happened grows old, as any.
  @Test func anAnswerWithoutAnEventGrowsOld() {
    var machine = Self.machine()
    machine.requestAnswer()
    #expect(machine.step(at: .seconds(10)) == .ask(1))
    machine.answer(1, isAllowed: true, at: .seconds(10))
    #expect(machine.step(at: .seconds(10)) == .wait)
    machine.append([1])
    #expect(machine.step(at: .seconds(40)) == .ask(1))
  }

  @Test func timeMakesHeartbeatsAndCutsOff() {
    var machine = Self.machine(asks: false)
    #expect(machine.tick(at: .seconds(5)) == .sleep(.seconds(10), isBeatDue: false))
    #expect(machine.tick(at: .seconds(15)) == .sleep(.seconds(15), isBeatDue: true))
    #expect(machine.hasStep)
    #expect(machine.step(at: .seconds(15)) == .write(FeedStreamEvents.heartbeat))
    #expect(machine.tick(at: .seconds(40)) == .sleep(.seconds(5), isBeatDue: false))
    // What the feed has ended with is not waited for as long.
    machine.noteEnd()
    #expect(machine.tick(at: .milliseconds(15_100)) == .sleep(.milliseconds(200), isBeatDue: false))
    #expect(machine.tick(at: .seconds(40)) == .cutOff(.stalled))
    #expect(machine.end(.stalled) == .stalled)
    #expect(machine.tick(at: .seconds(41)) == .end)
    #expect(machine.step(at: .seconds(41)) == .end)
  }

  @Test func aQuestionThatNobodyAnswersEndsTheStream() {
    var machine = Self.machine()
    machine.requestAnswer()
    #expect(machine.step(at: .zero) == .ask(1))
    #expect(machine.tick(at: .seconds(30)) == .cutOff(.ended))
  }

  @Test func whereNobodyCanSayNothingIsToldAndTheEndHasItsTime() {
    var machine = Self.machine()
    machine.append([1])
    machine.requestAnswer()
    #expect(machine.step(at: .zero) == .ask(1))
    machine.giveUp()
    machine.append([2])
    machine.requestAnswer()
    #expect(machine.step(at: .seconds(1)) == .end)
    #expect(machine.tick(at: .seconds(31)) == .cutOff(.stalled))
    #expect(machine.end(.ended) == .ended)
  }

  @Test func anAnswerIsAsOldAsItsQuestion() {
    var machine = Self.machine()
    machine.append([1])
    #expect(machine.step(at: .seconds(30)) == .ask(0))
    machine.answer(0, isAllowed: true, at: .seconds(50))
    #expect(machine.step(at: .seconds(50)) == .write([1]))
    machine.comeBack()
    machine.append([2])
    #expect(machine.step(at: .seconds(60)) == .ask(0))
  }

  /// Numbers that make no sense end no process.
  @Test func optionsThatMakeNoSenseAreTakenForTheLeast() {
    let options = FeedResponse.Options(
      heartbeat: .seconds(-1), retry: .seconds(Int64.max), writeTimeout: .zero, chunkBytes: -5
    ).sensible
    #expect(options.heartbeat == .milliseconds(1) && options.writeTimeout == .milliseconds(1))
    #expect(options.chunkBytes == 1)
    #expect(!FeedStreamEvents.start(options).isEmpty)
    #expect(
      FeedResponse.Options(heartbeat: .seconds(Int64.max)).sensible.heartbeat < .seconds(1 << 33))
  }
}
