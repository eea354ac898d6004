import Synchronization
import Testing

@testable import SectileCore

struct LoadEndTests {
  private struct Broken: Error, Equatable { let number: Int }

  /// What the waiting ended with, each time that it did: nil for no error.
  private final class Ends: Sendable {
    let all = Mutex<[Broken?]>([])
    var seen: [Broken?] { all.withLock { $0 } }

    func end() -> LoadEnd {
      LoadEnd { error in self.all.withLock { $0.append(error as? Broken) } }
    }
  }

  @Test func loadThatEndedWhenItsMarkIsReachedIsOver() {
    let ends = Ends()
    let end = ends.end()
    end.noteEnd(nil)
    #expect(ends.seen == [])
    end.reach(isLoading: false)
    #expect(ends.seen == [nil])
  }

  @Test func changesBeforeALoadThatIsOpenDoNotEndIt() {
    let ends = Ends()
    let end = ends.end()
    end.noteEnd(nil)
    end.noteEnd(nil)
    end.reach(isLoading: true)
    #expect(ends.seen == [])
    end.noteEnd(Broken(number: 1))
    #expect(ends.seen == [Broken(number: 1)])
  }

  @Test func loadThatBeginsAfterTheCallIsWaitedFor() {
    let ends = Ends()
    let end = ends.end()
    end.reach(isLoading: false)
    #expect(ends.seen == [])
    end.noteEnd(nil)
    #expect(ends.seen == [nil])
  }

  @Test func failureIsKeptWhereChangesFollowIt() {
    let ends = Ends()
    let end = ends.end()
    end.noteEnd(Broken(number: 1))
    end.noteEnd(nil)
    end.reach(isLoading: false)
    #expect(ends.seen == [Broken(number: 1)])
  }
}
