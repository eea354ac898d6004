internal import Dispatch
internal import Synchronization

/// A read for which nobody waits longer than a given time: it comes to its end by itself.
///
/// It holds up the end of the store as every read does.
final class BoundedRead<Value: Sendable>: Sendable {
  // MARK: - Mutable state
  //
  // - `outcome`: guarded by its mutex; set once, before `isOver` is signalled.
  private let outcome = Mutex<Result<Value, any Error>?>(nil)
  private let isOver = DispatchSemaphore(value: 0)
  private let call: AccessRegistry.Call

  /// Creates a read that is on its way.
  init(_ call: consuming AccessRegistry.Call) { self.call = call }

  /// Reads, where GRDB has come to it; called once.
  func run(_ body: () throws -> Value) {
    let result = Result { try call.run(body) }
    outcome.withLock { $0 = result }
    isOver.signal()
  }

  /// Waits for what was read.
  ///
  /// - Parameter time: For how long to wait; a day at most.
  /// - Returns: What was read; nil where it takes longer.
  /// - Throws: What reading threw.
  func value(within time: Duration) throws -> Value? {
    _ = isOver.wait(timeout: .now() + min(time, .seconds(86_400)) / .seconds(1))
    return try outcome.withLock { $0 }?.get()
  }
}
