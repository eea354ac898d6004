extension DataSource {
  /// Loads the source, and returns when the load has ended.
  ///
  /// ```swift
  /// try await headlines.loadAndWait()
  /// print(headlines.numberOfItems)
  /// ```
  ///
  /// Where a load is under way already, it returns when that one has ended, or the one it leads to.
  /// Cancelling the task ends the waiting, not the load.
  ///
  /// - Throws: The error the load ended with; what ``load()`` throws; `CancellationError` where the
  ///   task, or the source while it is loading, was cancelled.
  public func loadAndWait() async throws {
    let (ends, continuation) = AsyncThrowingStream<Void, any Error>.makeStream()
    let token = observe { event in
      switch event {
      case .willLoad, .didPartiallyLoad: break
      case .didFinishLoading: continuation.finish()
      case .didFail(let error): continuation.finish(throwing: error)
      }
    }
    let cancellation = events.observeCancellation {
      continuation.finish(throwing: CancellationError())
    }
    try await BlockingCalls.shared.run(evenIfCancelled: true) { try load() }
    for try await _ in ends {}
    try Task.checkCancellation()
    withExtendedLifetime((token, cancellation)) {}
  }
}
