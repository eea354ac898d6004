public import Dispatch
public import SectileCore

extension CallbackDelivery {
  /// Callbacks are made on a dispatch queue, in order even where the queue is concurrent.
  ///
  /// ```swift
  /// let token = results.observe(on: .queue(.main)) { event in … }
  /// ```
  public static func queue(_ queue: DispatchQueue) -> CallbackDelivery {
    CallbackDelivery { job in queue.async(execute: job) }
  }
}
