import SectileHub
import Testing

/// What an event of a replica has besides its kind.
@Suite struct ReplicaEventTests {
  private static let error = HubError(.schemaAhead, message: "the hub has tables of version 3")

  @Test func eventsHaveWhatTheirKindSays() {
    let interrupted = ReplicaEvent.interrupted(Self.error, retryAfter: .seconds(1))
    #expect(interrupted.kind == .interrupted)
    #expect((interrupted.error as? HubError)?.code == .schemaAhead)
    #expect(interrupted.retryDelay == .seconds(1))
    #expect(interrupted.rowCount == nil && interrupted.token == nil && interrupted.entry == nil)
    let copied = ReplicaEvent.copied(rowCount: 5, estimate: nil)
    #expect(copied.kind == .copied && copied.rowCount == 5 && copied.rowCountEstimate == nil)
    #expect(copied.error == nil && copied.resync == nil && copied.reason == nil)
    let stopped = ReplicaEvent.stopped(Self.error)
    #expect(stopped.kind == .stopped && (stopped.error as? HubError)?.code == .schemaAhead)
    #expect(stopped.retryDelay == nil)
    #expect(ReplicaEvent.elected.withheldValue == nil)
  }

  @Test func eventsAreSentences() {
    let sentences: [(ReplicaEvent, String)] = [
      (.elected, "this process follows the hub"),
      (.copied(rowCount: 1, estimate: nil), "1 row has come"),
      (.copied(rowCount: 2, estimate: 9), "2 rows have come"),
      (
        .interrupted(Self.error, retryAfter: .seconds(1)),
        "interrupted: the hub has tables of version 3; tries again in 1.0 seconds"
      ),
      (.stopped(Self.error), "stopped: the hub has tables of version 3"),
    ]
    for (event, sentence) in sentences { #expect("\(event)" == sentence) }
    #expect("\(ReplicaEvent.elected.kind)" == "elected")
  }

  @Test func healthHasAReasonWhereThereIsOne() {
    #expect(ReplicaHealth.current.reason == nil)
    #expect(ReplicaHealth.behind("late").kind == .behind)
    #expect(ReplicaHealth.stopped("closed").reason == "closed")
    #expect("\(ReplicaHealth.behind("late"))" == "behind: late")
    #expect("\(ReplicaHealth.current)" == "current")
  }
}
