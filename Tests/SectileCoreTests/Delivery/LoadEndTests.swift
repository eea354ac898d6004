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

  @Test func cancellationIsThrownThoughAChangeEndedBefore() async {
    let source = CountingSource()
    let observation = Mutex<DataSourceObservation?>(nil)
    source.loading.withLock { loading in
      loading = { [unowned source] in
        source.submitNext()
        // Called after the observer that waits for the end.
        observation.withLock {
          $0 = source.observe(on: .immediate) { event in
            if case .didFinishLoading = event { source.cancel() }
          }
        }
        source.submitNext()
      }
    }
    await #expect(throws: CancellationError.self) { try await source.loadAndWait() }
    #expect(source.version == 1)
    observation.withLock { $0 = nil }
  }
}
