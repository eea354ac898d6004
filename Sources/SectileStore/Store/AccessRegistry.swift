internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Which threads are inside a closure of `read` or `write`, and whether the store is closed.
///
/// The closures are synchronous, also those of the `async` variants, so a closure never changes its
/// thread, and a call from inside it comes from the same thread.
final class AccessRegistry: Sendable {
  private struct State {
    var isClosed = false
    var threads: [UInt] = []
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; no code of others runs under it.
  private let state = Mutex(State())
  private let file: String?

  init(file: String?) {
    self.file = file
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Refuses a call from inside a closure of the same store, and any call after closing.
  func check() throws(StoreError) {
    let (isClosed, isInside) = state.withLock { state in
      (state.isClosed, state.threads.contains(Self.currentThread))
    }
    if isInside {
      throw StoreError(
        .reentrantAccess,
        message: "\(file ?? "The store"): read or write was called inside read or write",
        hint: "Use the transaction handed to the closure.")
    }
    if isClosed {
      throw .closed(file: file)
    }
  }

  /// Notes that this thread enters a closure.
  func enter() throws(StoreError) {
    try check()
    state.withLock { $0.threads.append(Self.currentThread) }
  }

  /// Notes that this thread leaves it.
  func leave() {
    state.withLock { state in
      if let position = state.threads.lastIndex(of: Self.currentThread) {
        state.threads.swapAt(position, state.threads.count - 1)
        state.threads.removeLast()
      }
    }
  }

  /// Closes; returns false if that had been done.
  func close() -> Bool {
    state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
  }

  private static var currentThread: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
