import Dispatch
import SectileCore

/// The end of what some results have to deliver, by whichever thread is at it.
enum DeliveryEnd {
  /// Delivers what waits, and returns when it is delivered, also where another thread is at it.
  ///
  /// Inside a callback nobody waits: what is to come comes when the callback has returned.
  ///
  /// - Parameter hubs: Where it waits.
  static func reach(in hubs: [HubCore]) {
    guard !HubCore.isInsideCallback else { return DrainScope.flush(hubs) }
    let busy = hubs.filter(\.isAtWork)
    guard !busy.isEmpty else { return }
    let ends = DispatchGroup()
    for hub in busy {
      ends.enter()
      let leave: @Sendable () -> Void = { ends.leave() }
      hub.submitEnd(leave, onDropped: leave)
    }
    DrainScope.flush(busy)
    ends.wait()
  }
}
