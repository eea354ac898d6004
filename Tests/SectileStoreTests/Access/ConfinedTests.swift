import Dispatch
import Testing

@testable import SectileStore

/// States that are used in one place at a time.
@Suite struct ConfinedTests {
  private struct Sum {
    var total = 0
    var terms: [Int] = []

    mutating func add(_ term: Int) -> Int {
      terms.append(term)
      total += term
      return total
    }
  }

  /// In debug builds this also shows that what runs on the queue passes the check, be it there
  /// through other queues or not.
  @Test func stateIsChangedOnItsQueue() {
    let threads = DispatchQueue(label: "sectile.test-threads", attributes: .concurrent)
    let queue = DispatchQueue(label: "sectile.test-confined", target: threads)
    let sum = Confined(Sum(), to: .queue(queue))
    DispatchQueue.concurrentPerform(iterations: 100) { term in
      queue.async { _ = sum.value.add(term) }
    }
    let (total, terms) = queue.sync { (sum.value.total, sum.value.terms) }
    #expect(total == 4_950)
    #expect(Set(terms) == Set(0..<100))
  }

  @Test func stateThatItsOwnerGuardsIsUsedAnywhere() {
    let sum = Confined(Sum(), to: .owner)
    let first = sum.value.add(2)
    sum.value.terms.removeAll()
    let second = DispatchQueue.global().sync { sum.value.add(3) }
    #expect((first, second) == (2, 5))
    #expect(sum.value.terms == [3])
  }

  /// An object of the state goes with the last who refers to it, on whatever thread.
  @Test func objectsAreReleasedWithTheState() {
    final class Object {}
    weak var object: Object?
    do {
      let queue = DispatchQueue(label: "sectile.test-confined")
      let confined = Confined(Object(), to: .queue(queue))
      object = queue.sync { confined.value }
      #expect(object != nil)
    }
    #expect(object == nil)
  }
}
