package import Dispatch

/// A state that is used in one place at a time, though the compiler cannot see it.
///
/// It holds what no lock guards: who uses it are closures on one serial queue, which debug builds
/// check, or its owner sees to it.
///
/// ```swift
/// private let next: Confined<Int>
///
/// init() { next = Confined(0, to: .queue(queue)) }
///
/// private func goOn() { next.value += 1 }  // called on the queue
/// ```
package final class Confined<Value>: @unchecked Sendable {
  private let confinement: Confinement

  // MARK: - Mutable state
  //
  // - `stored`: confined as `confinement` says, from the end of `init` until nobody refers to the
  //   object any more.
  private var stored: Value

  /// Creates a confined state.
  ///
  /// - Parameters:
  ///   - value: What it is at first; nobody else uses it from then on.
  ///   - confinement: Who uses it.
  package init(_ value: Value, to confinement: Confinement) {
    self.confinement = confinement
    stored = value
  }

  /// The state, read and changed where it is.
  ///
  /// What is called while it is being changed must not use it.
  ///
  /// - Precondition: The caller is one of those that it is confined to.
  package var value: Value {
    @inline(__always) _read {
      assert(confinement.admitsCaller())
      yield stored
    }
    @inline(__always) _modify {
      assert(confinement.admitsCaller())
      yield &stored
    }
  }
}

/// Who uses a ``Confined`` state.
package enum Confinement: Sendable {
  /// What runs on a serial queue.
  case queue(DispatchQueue)
  /// Whoever owns it, in one place at a time, by a rule of its own; it is not checked.
  case owner

  /// Returns true; ends the process where the caller is not one of them.
  fileprivate func admitsCaller() -> Bool {
    if case .queue(let queue) = self { dispatchPrecondition(condition: .onQueue(queue)) }
    return true
  }
}
