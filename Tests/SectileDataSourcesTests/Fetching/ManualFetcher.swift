import SectileDataSources
import Synchronization

/// A fetcher whose fetches a test conducts, step by step.
final class ManualFetcher: ItemFetcher {
  struct Word: Identifiable, Hashable, Sendable {
    let id: String
    var grade = 0

    /// Reads `id` or `id=grade`.
    init(_ text: Substring) {
      let parts = text.split(separator: "=")
      id = String(parts[0])
      grade = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    }
  }

  struct Broken: Error {}

  /// One fetch that is under way.
  final class Fetch: Sendable {
    fileprivate enum Step: Sendable {
      case batch([Word], CheckedContinuation<(any Error)?, Never>)
      case end((any Error)?)
    }

    fileprivate let steps: AsyncStream<Step>
    fileprivate let continuation: AsyncStream<Step>.Continuation

    fileprivate init() {
      (steps, continuation) = AsyncStream.makeStream()
    }

    /// Hands over words, and returns what was thrown at the fetcher for it.
    @discardableResult
    func send(_ words: String) async -> (any Error)? {
      await withCheckedContinuation { answer in
        let batch = words.split(separator: " ").map { Word($0) }
        if case .terminated = continuation.yield(.batch(batch, answer)) {
          answer.resume(returning: CancellationError())
        }
      }
    }

    func finish() { continuation.yield(.end(nil)) }

    func fail() { continuation.yield(.end(Broken())) }
  }

  private let fetches = AsyncStream<Fetch>.makeStream()
  private let watches = AsyncStream<Void>.makeStream()
  /// How many fetches have ended, and a stream that tells of it.
  let ended = AsyncStream<Void>.makeStream()

  func fetch(_ receive: @escaping @Sendable ([Word]) async throws -> Void) async throws {
    let fetch = Fetch()
    fetches.continuation.yield(fetch)
    defer {
      fetch.continuation.finish()
      ended.continuation.yield()
    }
    for await step in fetch.steps {
      switch step {
      case .batch(let words, let answer):
        do {
          try await receive(words)
          answer.resume(returning: nil)
        } catch {
          answer.resume(returning: error)
          throw error
        }
      case .end(nil): return
      case .end(let error?): throw error
      }
    }
    throw CancellationError()
  }

  func watch(_ changed: @escaping @Sendable () -> Void) async {
    for await _ in watches.stream { changed() }
  }

  /// Tells the watcher that something changed.
  func change() { watches.continuation.yield() }

  /// Waits for the next fetch to begin.
  func next() async -> Fetch? {
    var iterator = fetches.stream.makeAsyncIterator()
    return await iterator.next()
  }

  /// Waits for a fetch to end.
  func waitForEnd() async {
    var iterator = ended.stream.makeAsyncIterator()
    await iterator.next()
  }
}
