import Dispatch
import SectileCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct CallbackDeliveryTests {
  actor Listener {
    private(set) var lines: [String] = []
    private var token: DataSourceObservation?
    let journal: Journal

    init(_ journal: Journal) {
      self.journal = journal
    }

    func start(_ source: CountingSource) {
      token = source.observe(on: self) { listener, event in listener.receive(line(event)) }
    }

    func receive(_ line: String) {
      lines.append(line)
      journal.note(line)
    }
  }

  @Test func immediateDeliveryHappensBeforeTheCallReturns() {
    let source = CountingSource()
    let journal = Journal()
    let token = source.observe { journal.note(line($0)) }
    source.load()
    #expect(journal.lines == ["will", "did 0→1", "finish"])
    withExtendedLifetime(token) {}
  }

  @Test func actorReceivesEventsInOrder() async {
    let source = CountingSource()
    let journal = Journal()
    let listener = Listener(journal)
    await listener.start(source)
    for _ in 0..<50 { source.commit() }
    await journal.wait(for: 150)
    let lines = await listener.lines
    #expect(lines == (0..<50).flatMap { ["will", "did \($0)→\($0 + 1)", "finish"] })
  }

  @Test func actorThatOwnsItsObservationIsReleased() async {
    let source = CountingSource()
    weak var released: Listener?
    do {
      let listener = Listener(Journal())
      await listener.start(source)
      released = listener
    }
    #expect(released == nil)
    source.commit()
  }

  @Test func mainActorReceivesEventsInOrder() async {
    let source = CountingSource()
    let journal = Journal()
    let token = source.observe(on: MainActor.shared) { event in
      MainActor.assertIsolated()
      journal.note(line(event))
    }
    source.commit()
    source.commit()
    await journal.wait(for: 6)
    #expect(journal.lines == ["will", "did 0→1", "finish", "will", "did 1→2", "finish"])
    withExtendedLifetime(token) {}
  }

  @Test func serialExecutorRunsTheCallbacks() async {
    let queue = DispatchQueue(label: "executor")
    let executor = QueueExecutor(queue)
    let source = CountingSource(delivery: .executor(executor))
    let delegate = JournalingDelegate(Journal()) { _ in
      dispatchPrecondition(condition: .onQueue(queue))
    }
    source.delegate = delegate
    for _ in 0..<20 { source.commit() }
    await delegate.journal.wait(for: 60)
    #expect(delegate.journal.lines == SourceHubConcurrencyTests.expected(20))
  }

  @Test func taskExecutorRunsTheCallbacks() async {
    let queue = DispatchQueue(label: "executor")
    let source = CountingSource(delivery: .taskExecutor(QueueTaskExecutor(queue)))
    let delegate = JournalingDelegate(Journal()) { _ in
      dispatchPrecondition(condition: .onQueue(queue))
    }
    source.delegate = delegate
    for _ in 0..<20 { source.commit() }
    await delegate.journal.wait(for: 60)
    #expect(delegate.journal.lines == SourceHubConcurrencyTests.expected(20))
  }

  @Test func sourceKeepsAdvancingWhenItsActorIsGone() async {
    let journal = Journal()
    var actor: Listener? = Listener(Journal())
    let source = CountingSource(delivery: actor.map { .actor($0) } ?? .immediate)
    actor = nil
    let delegate = JournalingDelegate(journal)
    source.delegate = delegate
    source.commit()
    await journal.wait(for: 3)
    #expect(source.version == 1)
  }
}

private final class QueueExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private final class QueueTaskExecutor: TaskExecutor {
  let queue: DispatchQueue

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
