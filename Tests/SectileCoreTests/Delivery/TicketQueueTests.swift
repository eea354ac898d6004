import Testing

@testable import SectileCore

@Suite struct TicketQueueTests {
  @Test func smallestTicketComesFirstWhateverTheOrderOfInsertion() {
    let hub = CountingSource().hub.core
    var generator = SplitMix(seed: 26)
    for count in 0...40 {
      var queue = TicketQueue()
      var expected: [UInt64] = []
      for _ in 0..<count {
        let ticket = generator.next() % 30
        queue.insert(TicketQueue.Entry(ticket: ticket, hub: hub))
        expected.append(ticket)
        // Taken out between insertions, too.
        if generator.next() % 4 == 0 {
          expected.sort()
          #expect(queue.popFirst()?.ticket == expected.removeFirst())
        }
      }
      for ticket in expected.sorted() { #expect(queue.popFirst()?.ticket == ticket) }
      #expect(queue.isEmpty)
      #expect(queue.popFirst() == nil)
    }
  }
}
