import SectileCore
import Testing

/// The lifecycle of a source as an asynchronous sequence.
@Suite(.timeLimit(.minutes(60))) struct LifecycleSequenceTests {
  private struct Refused: Error {}

  /// Reads so many events.
  private static func lines(
    _ iterator: inout DataSourceEvents<Int, Int>.Iterator, _ count: Int
  ) async -> [String] {
    var lines: [String] = []
    while lines.count < count, let event = await iterator.next() { lines.append(line(event)) }
    return lines
  }

  @Test func eachEventIsHeardByWhoWaits() async {
    let source = CountingSource()
    let received = Journal()
    let events = source.events
    let consumer = Task { for await event in events { received.note(line(event)) } }
    // The consumer is there once it hears of the first.
    while received.lines.isEmpty {
      source.commit()
      await Task.yield()
    }
    let first = source.version
    await received.wait(for: 3)
    source.commit()
    while received.lines.last != "finish" || !received.lines.contains("did \(first)→\(first + 1)") {
      await Task.yield()
    }
    consumer.cancel()
    await consumer.value
    #expect(Array(received.lines.suffix(3)) == ["will", "did \(first)→\(first + 1)", "finish"])
  }

  @Test func failureIsAnEventAndTheSequenceGoesOn() async {
    let source = CountingSource()
    var events = source.events.makeAsyncIterator()
    source.commit()
    source.fail(Refused())
    source.commit()
    let lines = await Self.lines(&events, 8)
    let expected = [
      "will", "did 0→1", "finish", "will", "fail Refused()", "will", "did 1→2", "finish",
    ]
    #expect(lines == expected)
  }

  @Test func lifecyclesThatWereMissedAreOne() async {
    let source = CountingSource()
    var events = source.events.makeAsyncIterator()
    for _ in 0..<100 { source.commit() }
    #expect(await Self.lines(&events, 3) == ["will", "did 0→100", "finish"])
    source.commit()
    #expect(await Self.lines(&events, 3) == ["will", "did 100→101", "finish"])
  }

  @Test func consumerFarBehindGetsOneLifecycle() async {
    let source = CountingSource()
    var events = source.events.makeAsyncIterator()
    for _ in 0..<3000 { source.commit() }
    #expect(await Self.lines(&events, 3) == ["will", "did 0→3000", "finish"])
    source.commit()
    #expect(await Self.lines(&events, 3) == ["will", "did 3000→3001", "finish"])
  }

  @Test func nothingButFailuresIsBoundedToo() async {
    let source = CountingSource()
    source.commit()
    var events = source.events.makeAsyncIterator()
    let count = 2 * ChangeRing.segmentLimit * ChangeRing.changeLimit * 4
    for _ in 0..<count { source.fail(Refused()) }
    source.commit()
    var lines: [String] = []
    while lines.last?.hasPrefix("did") != true, let event = await events.next() {
      lines.append(line(event))
    }
    #expect(lines.last == "did 1→2")
    #expect(lines.filter { $0.hasPrefix("fail") }.count < count / 8)
  }

  @Test func sequenceEndsWithItsSource() async {
    var source: CountingSource? = CountingSource()
    var events = source?.events.makeAsyncIterator()
    source?.commit()
    source = nil
    var lines: [String] = []
    while let event = await events?.next() { lines.append(line(event)) }
    #expect(lines == ["will", "did 0→1", "finish"])
  }

  @Test func waitingConsumerIsReleasedByItsTask() async {
    let source = CountingSource()
    let events = source.events
    let consumer = Task {
      var count = 0
      for await _ in events { count += 1 }
      return count
    }
    await Task.yield()
    consumer.cancel()
    #expect(await consumer.value == 0)
  }
}
