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
    let end = LoadEnd { error in continuation.finish(throwing: error) }
    let token = observe { event in
      switch event {
      case .willLoad, .didPartiallyLoad: break
      case .didFinishLoading: end.noteEnd(nil)
      case .didFail(let error): end.noteEnd(error)
      }
    }
    let giveUp: @Sendable () -> Void = { continuation.finish(throwing: CancellationError()) }
    let cancellation = events.observeCancellation(giveUp)
    try await BlockingCalls.shared.run(evenIfCancelled: true) { try load() }
    // Other threads may have changes to deliver before what the load has submitted.
    events.core.submitEnd(
      { [core = events.core] in end.reach(isLoading: core.isLoading) }, onDropped: giveUp)
    events.flush()
    for try await _ in ends {}
    try Task.checkCancellation()
    withExtendedLifetime((token, cancellation)) {}
  }
}
