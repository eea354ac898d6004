internal import Dispatch
internal import Synchronization

/// Asynchronous work, waited for on a thread that has nothing else to do.
enum Waiting {
  static func result<T: Sendable>(of body: @escaping @Sendable () async throws -> T) throws -> T {
    let result = Mutex<Result<T, any Error>?>(nil)
    let end = DispatchSemaphore(value: 0)
    Task {
      let found: Result<T, any Error>
      do { found = .success(try await body()) } catch { found = .failure(error) }
      result.withLock { $0 = found }
      end.signal()
    }
    end.wait()
    guard let found = result.withLock({ $0 }) else { throw Finding("nothing was waited for") }
    return try found.get()
  }
}
