/// Where a source makes its callbacks, or an observer receives them.
///
/// With ``immediate`` callbacks are made on the thread that caused them, before the call that
/// caused them returns: a `write` returns after its changeset was delivered. Every other delivery
/// hands over to somewhere else and returns at once.
///
/// Order never depends on the place. A hop carries no event: it takes the next one out of a queue,
/// and there is one hop under way at a time. So even a place that runs jobs concurrently, or out of
/// order, receives everything in the order in which it happened.
///
/// ```swift
/// let token = results.observe(on: .mainActor) { event in … }
/// let other = results.observe(on: CallbackDelivery { job in pool.submit(job) }) { event in … }
/// ```
///
/// A thread must not wait for a callback that has to run on it: the main thread waits forever for
/// one that is delivered on the main queue or the main actor.
public struct CallbackDelivery: Sendable {
  /// What runs a job somewhere else; nil where jobs run at once.
  package let run: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

  private init() {
    run = nil
  }

  /// Creates a delivery that hands each job to a closure.
  ///
  /// - Parameter run: Arranges that the job runs soon, exactly once, and returns without having
  ///   run it. A job that is never run holds up everything behind it.
  public init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.run = run
  }

  /// Callbacks are made on the thread that caused them, before the causing call returns.
  public static let immediate = CallbackDelivery()
}
