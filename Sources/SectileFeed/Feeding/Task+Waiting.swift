extension Task where Failure == any Error {
  /// What the task comes to, for one of several who wait for it: cancelling whoever waits ends the
  /// waiting, and leaves the task alone.
  ///
  /// - Throws: What the task throws; `CancellationError` where the one who waits is cancelled.
  var sharedValue: Success {
    get async throws {
      let (values, continuation) = AsyncThrowingStream<Success, any Error>.makeStream()
      Task<Void, Never>.detached {
        switch await result {
        case .success(let value):
          continuation.yield(value)
          continuation.finish()
        case .failure(let error): continuation.finish(throwing: error)
        }
      }
      for try await value in values { return value }
      throw _Concurrency.CancellationError()
    }
  }
}
