import SectileCore
import Synchronization
import Testing

@testable import SectileStore

/// Who listens for commits hears of them, as long as it is kept.
@Suite(.timeLimit(.minutes(60))) struct CommitBellTests {
  private final class Count: Sendable {
    let value = Atomic(0)
    func add() { value.add(1, ordering: .relaxed) }
    var now: Int { value.load(ordering: .relaxed) }
  }

  @Test func whoListensIsCalledUntilReleased() {
    let (bell, first, second) = (CommitBell(), Count(), Count())
    bell.ring()
    var listening: CommitListening? = bell.listen(watching: nil) { first.add() }
    let other = bell.listen(watching: nil) { second.add() }
    bell.ring()
    #expect(first.now == 1)
    withExtendedLifetime(listening) {}
    listening = nil
    bell.ring()
    #expect(first.now == 1)
    #expect(second.now == 2)
    withExtendedLifetime(other) {}
  }

  @Test func aListenerMayEndItselfWhileItIsCalled() {
    final class Holder: Sendable {
      let listening = Mutex<CommitListening?>(nil)
    }
    let (bell, holder, count) = (CommitBell(), Holder(), Count())
    holder.listening.withLock { listening in
      listening = bell.listen(watching: nil) {
        count.add()
        let last = holder.listening.withLock { exchange(&$0, with: nil) }
        withExtendedLifetime(last) {}
      }
    }
    bell.ring()
    bell.ring()
    #expect(count.now == 1)
  }

  @Test func commitsOfTheStoreAreTold() throws {
    let store = try Store.inMemory()
    let count = Count()
    let listening = store.listenForCommits { count.add() }
    try store.write { try $0.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)") }
    #expect(count.now > 0)
    withExtendedLifetime(listening) {}
  }
}
