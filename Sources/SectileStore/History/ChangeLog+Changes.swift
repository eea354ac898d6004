public import SectileCore

extension Store.ChangeLog {
  /// What happens in a file, as it happens.
  ///
  /// See ``Store/changes(since:)``.
  public struct Changes: AsyncSequence, Sendable {
    private let store: Store
    private let token: ChangeToken?

    init(of store: Store, since token: ChangeToken?) {
      self.store = store
      self.token = token
    }

    /// One thing that happened.
    public enum Element: Hashable, Sendable {
      /// Somebody has committed.
      case transaction(Transaction)
      /// What happened cannot be told: everything has to be read anew. It goes on from the token.
      case reset(ResetReason, ChangeToken)
    }

    /// Starts at the token.
    public func makeAsyncIterator() -> Iterator { Iterator(of: store, since: token) }

    /// Hands out what happened.
    public struct Iterator: AsyncIteratorProtocol {
      /// How often it looks where nothing tells of commits.
      private static let interval = Duration.milliseconds(250)
      /// How far apart looks are at least.
      private static let distance = Duration.milliseconds(1)

      private let store: Store
      private var token: ChangeToken?
      /// What was read and not handed out, the next one last.
      private var elements: [Element] = []
      private var isAtEnd = false
      /// Reasons to look again; from the first look on.
      private var wakes: CommitWakes?

      init(of store: Store, since token: ChangeToken?) {
        self.store = store
        self.token = token
      }

      /// Waits for what happens next; nil when the store is closed or the task cancelled.
      ///
      /// - Throws: A ``StoreError``; the sequence has ended then.
      public mutating func next() async throws -> Element? {
        while !isAtEnd {
          if let element = elements.popLast() { return element }
          let wakes = self.wakes ?? makeWakes()
          self.wakes = wakes
          do {
            let page = try await store.history(since: token)
            token = page.token
            if let reason = page.reset {
              elements.append(.reset(reason, page.token))
            } else {
              elements = page.transactions.reversed().map { .transaction($0) }
            }
            if elements.isEmpty && page.isComplete { try await Self.wait(for: wakes) }
          } catch {
            isAtEnd = true
            if error is CancellationError { return nil }
            if let error = error as? StoreError, error.code == .storeClosed { return nil }
            if Task.isCancelled { return nil }
            throw error
          }
        }
        return nil
      }

      private func makeWakes() -> CommitWakes {
        CommitWakes(every: store.configuration.externalChangePolling ?? Self.interval) { wake in
          store.listenForCommits(wake)
        }
      }

      /// Waits for a reason to look.
      ///
      /// - Throws: `CancellationError`.
      private static func wait(for wakes: CommitWakes) async throws {
        // A commit of another process is told several times, first when it is not complete yet.
        try await Task.sleep(for: distance)
        var reasons = wakes.stream.makeAsyncIterator()
        if await reasons.next() == nil { throw CancellationError() }
      }
    }
  }
}
