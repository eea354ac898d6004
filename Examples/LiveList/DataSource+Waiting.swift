#if HTTP
  import Sectile

  extension DataSource {
    /// Loads the source, and returns when the load has ended.
    ///
    /// - Throws: The error it ended with.
    func loadAndWait() async throws {
      let (ends, continuation) = AsyncThrowingStream<Void, any Error>.makeStream()
      let token = observe { event in
        switch event {
        case .willLoad, .didPartiallyLoad: break
        case .didFinishLoading: continuation.finish()
        case .didFail(let error): continuation.finish(throwing: error)
        }
      }
      try load()
      for try await _ in ends {}
      token.cancel()
    }
  }
#endif
