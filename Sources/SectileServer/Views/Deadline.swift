#if Server
  internal import Sectile
  internal import Synchronization

  /// Stops what a store does when it takes too long.
  enum Deadline {
    /// How long after a statement was stopped the next one is.
    private static let distance = Duration.milliseconds(50)

    /// Runs a closure, and ends the statements of a store from a moment on until it returns, or
    /// from when the task is cancelled.
    ///
    /// - Parameters:
    ///   - time: How long it may take; nil for ever.
    ///   - store: The store, which nobody else uses.
    ///   - body: Reads.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws: `interrupted` where it took too long.
    static func run<Value: Sendable>(
      _ time: Duration?, interrupting store: Store, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
      guard let time else { return try await body() }
      let watch = Mutex(interrupting(store, after: time))
      defer { watch.withLock { $0.cancel() } }
      return try await withTaskCancellationHandler {
        try await body()
      } onCancel: {
        watch.withLock { watch in
          watch.cancel()
          watch = interrupting(store, after: .zero)
        }
      }
    }

    /// Closes a store, and ends what it still does.
    static func close(_ store: Store) async {
      let watch = interrupting(store, after: .zero)
      try? await store.close()
      watch.cancel()
    }

    private static func interrupting(_ store: Store, after time: Duration) -> Task<Void, any Error>
    {
      Task.detached {
        try await Task.sleep(for: time)
        // One statement may follow another.
        while !Task.isCancelled {
          store.interrupt()
          try await Task.sleep(for: distance)
        }
      }
    }
  }
#endif
