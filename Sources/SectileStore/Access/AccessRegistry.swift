internal import Dispatch
internal import Synchronization

/// Which calls are on their way to a connection, which threads are inside a closure of `read` or
/// `write`, and whether the store is closed.
///
/// The closures are synchronous, also those of the `async` variants, so a closure never changes its
/// thread, and a call from inside it comes from the same thread.
///
/// GRDB's queues know of a closure from its beginning on, and close no connection below it. Of a
/// call that has not come so far they know nothing: therefore ``close(waiting:)`` waits for it.
final class AccessRegistry: Sendable {
  private struct State {
    var isClosed = false
    /// Whether calls are refused, too, that were let in before the store was closed.
    var refusesPending = false
    /// How many calls are on their way.
    var pendingCount = 0
    /// Told when none is on its way any more.
    var closing: DispatchSemaphore?
    /// Left when the connections are closed, or could not be; nil while nobody closes them.
    var closingEnd: DispatchGroup?
    var threads: [UInt] = []

    mutating func endPending() {
      pendingCount -= 1
      if pendingCount == 0 { closing.take()?.signal() }
    }
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; no code of others runs under it.
  private let state = Mutex(State())
  private let file: String?
  private let monitor: StoreMonitor

  init(file: String?, _ monitor: StoreMonitor) {
    self.file = file
    self.monitor = monitor
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }
  /// How many calls are on their way.
  var pendingCount: Int { state.withLock { $0.pendingCount } }

  // MARK: Calls

  /// A call on its way to a connection, until it has arrived there or has failed.
  struct Call: ~Copyable, Sendable {
    fileprivate let registry: AccessRegistry
    private let hasArrived = Atomic(false)

    fileprivate init(of registry: AccessRegistry) { self.registry = registry }

    deinit {
      if !hasArrived.load(ordering: .relaxed) { registry.state.withLock { $0.endPending() } }
    }

    /// Runs what is called, inside the closure that GRDB was handed.
    ///
    /// - Throws: What `body` throws; `storeClosed` where the store was closed without waiting.
    func run<T>(_ body: () throws -> T) throws -> T {
      hasArrived.store(true, ordering: .relaxed)
      try registry.enter()
      defer {
        registry.leave()
        registry.monitor.callDidEnd()
      }
      return try body()
    }
  }

  /// Refuses a call from inside a closure of the same store, and any call after closing.
  func check() throws(StoreError) {
    try state.withLock { state throws(StoreError) in try check(state) }
  }

  /// Begins a call, unless it is refused: see ``check()``.
  func begin() throws(StoreError) -> Call {
    try state.withLock { state throws(StoreError) in
      try check(state)
      state.pendingCount += 1
    }
    return Call(of: self)
  }

  /// Does something to the connections that neither waits for them nor uses them, unless the store
  /// is closed.
  func unlessClosed(_ body: () -> Void) {
    let isOpen = state.withLock { state in
      if !state.isClosed { state.pendingCount += 1 }
      return !state.isClosed
    }
    guard isOpen else { return }
    body()
    state.withLock { $0.endPending() }
  }

  private func check(_ state: borrowing State) throws(StoreError) {
    try checkThread(state)
    if state.isClosed {
      throw .closed(file: file)
    }
  }

  private func checkThread(_ state: borrowing State) throws(StoreError) {
    if state.threads.contains(CallingThread.id) {
      throw StoreError(
        .reentrantAccess,
        message: "\(file ?? "The store"): read or write was called inside read or write",
        hint: "Use the transaction handed to the closure.")
    }
  }

  /// Notes that this thread enters a closure.
  private func enter() throws(StoreError) {
    try state.withLock { state throws(StoreError) in
      state.endPending()
      if state.refusesPending { throw .closed(file: file) }
      state.threads.append(CallingThread.id)
    }
  }

  /// Notes that this thread leaves it.
  private func leave() {
    state.withLock { state in
      if let position = state.threads.lastIndex(of: CallingThread.id) {
        state.threads.swapAt(position, state.threads.count - 1)
        state.threads.removeLast()
      }
    }
  }

  // MARK: Closing

  /// Refuses calls from now on; ``endClosing(reopening:)`` follows where it returns true.
  ///
  /// Where another thread closes the connections, it waits for that thread.
  ///
  /// - Parameter waits: Whether to return when those before have arrived or failed; otherwise they
  ///   are refused where they arrive.
  /// - Returns: False if the store is closed already.
  /// - Throws: `reentrantAccess` inside a closure of the store.
  func close(waiting waits: Bool) throws(StoreError) -> Bool {
    let closing = DispatchSemaphore(value: 0)
    while true {
      switch try state.withLock({ state throws(StoreError) in
        try beginClosing(&state, waiting: waits ? closing : nil)
      }) {
      case .isClosed: return false
      case .begins(let hasPending):
        if hasPending { closing.wait() }
        return true
      case .isClosing(let end): end.wait()
      }
    }
  }

  private enum Closing {
    case isClosed
    case isClosing(DispatchGroup)
    case begins(hasPending: Bool)
  }

  private func beginClosing(
    _ state: inout State, waiting closing: DispatchSemaphore?
  ) throws(StoreError) -> Closing {
    if state.isClosed {
      guard let end = state.closingEnd else { return .isClosed }
      // The other thread may wait for this closure.
      try checkThread(state)
      return .isClosing(end)
    }
    try check(state)
    let end = DispatchGroup()
    end.enter()
    state.closingEnd = end
    state.isClosed = true
    state.refusesPending = closing == nil
    guard let closing, state.pendingCount > 0 else { return .begins(hasPending: false) }
    state.closing = closing
    return .begins(hasPending: true)
  }

  /// Lets those go on who wait for the end of closing.
  ///
  /// - Parameter reopens: Whether to take calls again: the connections could not be closed.
  func endClosing(reopening reopens: Bool = false) {
    state.withLock { state in
      if reopens { state.isClosed = false }
      state.closingEnd.take()?.leave()
    }
  }
}
