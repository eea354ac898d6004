import Dispatch
import SectileCore
import Synchronization

/// The one timer of the process, for all that its stores do at times.
///
/// A thousand timers wake a thread a thousand times, each on its own. What happens again and again
/// is put off to the next of a few moments instead, so that one waking serves many.
///
/// ```text
/// store A      ▼               ▼               ▼
/// store B        ▼               ▼
/// moments  │   │   │   │   │   │   │   │   │   │     eight in an interval
/// ```
final class ProcessTimer: Sendable {
  static let shared = ProcessTimer()

  /// Something that is called when its time has come; it ends with its release.
  final class Alarm: Sendable {
    private let timer: ProcessTimer
    private let id: Int

    fileprivate init(_ timer: ProcessTimer, _ id: Int) {
      self.timer = timer
      self.id = id
    }

    deinit { timer.remove(id) }

    /// Has it called once; a time that was set before counts no more.
    ///
    /// - Parameter time: When, in microseconds of ``ProcessTimer/now``.
    func set(at time: Int64) { timer.set(id, at: time, every: nil) }

    /// Has it called again and again, from the end of the first interval on.
    ///
    /// - Parameter interval: How long to wait, a millisecond at least.
    func `repeat`(every interval: Duration) {
      let microseconds = Int64(interval.waitable / .microseconds(1))
      timer.set(id, at: nil, every: max(microseconds, 1_000))
    }

    /// Has it called no more.
    func cancel() { timer.set(id, at: nil, every: nil) }
  }

  private struct Entry {
    let call: @Sendable () -> Void
    var interval: Int64?
    /// Tells the time that counts from those that were set before.
    var number = 0
  }

  private struct Time: Comparable {
    let due: Int64
    let id: Int
    let number: Int

    static func < (left: Time, right: Time) -> Bool { left.due < right.due }
  }

  private struct State {
    let timer: any DispatchSourceTimer
    var entries: [Int: Entry] = [:]
    var lastID = 0
    var times = MinimumHeap<Time>()
    /// For when the timer is set.
    var armed = Int64.max
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; nobody is called under it.
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "sectile.timer", qos: .utility)

  private init() {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .distantFuture)
    state = Mutex(State(timer: timer))
    state.withLock { state in
      state.timer.setEventHandler { [weak self] in self?.fire() }
      state.timer.activate()
    }
  }

  /// The time, in microseconds.
  static var now: Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000) }

  /// Returns an alarm for which no time is set.
  ///
  /// - Parameter call: Called on the timer's queue, which waits for nobody: it must be short.
  /// - Returns: The alarm.
  func makeAlarm(_ call: @escaping @Sendable () -> Void) -> Alarm {
    let id = state.withLock { state in
      state.lastID += 1
      state.entries[state.lastID] = Entry(call: call)
      return state.lastID
    }
    return Alarm(self, id)
  }

  private func remove(_ id: Int) {
    // Released outside: a closure may hold what sets an alarm when it goes.
    let entry = state.withLock { $0.entries.removeValue(forKey: id) }
    withExtendedLifetime(entry) {}
  }

  private func set(_ id: Int, at time: Int64?, every interval: Int64?) {
    let now = Self.now
    state.withLock { state in
      guard state.entries[id] != nil else { return }
      state.entries[id]?.interval = interval
      state.entries[id]?.number += 1
      if let due = time ?? interval.map({ Self.next(after: now, every: $0) }) {
        push(due, id, &state)
      }
      arm(&state)
    }
  }

  private func push(_ due: Int64, _ id: Int, _ state: inout State) {
    guard let entry = state.entries[id] else { return }
    state.times.insert(Time(due: due, id: id, number: entry.number))
  }

  /// Returns the first moment after an interval.
  private static func next(after now: Int64, every interval: Int64) -> Int64 {
    let moment = max(interval / 8, 1)
    return (now + interval + moment - 1) / moment * moment
  }

  private func arm(_ state: inout State) {
    guard let first = state.times.minimum, first.due != state.armed else { return }
    state.armed = first.due
    state.timer.schedule(
      deadline: DispatchTime(uptimeNanoseconds: UInt64(max(first.due, 0)) * 1_000),
      leeway: .nanoseconds(0))
  }

  private func fire() {
    let now = Self.now
    let due = state.withLock { state in
      var calls: [@Sendable () -> Void] = []
      state.armed = .max
      while let first = state.times.minimum, first.due <= now {
        state.times.removeMinimum()
        guard let entry = state.entries[first.id], entry.number == first.number else { continue }
        calls.append(entry.call)
        if let interval = entry.interval {
          push(Self.next(after: now, every: interval), first.id, &state)
        }
      }
      arm(&state)
      return calls
    }
    for call in due { call() }
  }
}

/// Values of which the least is at hand.
struct MinimumHeap<Element: Comparable> {
  private var elements: [Element] = []

  /// The least one.
  var minimum: Element? { elements.first }

  /// Adds a value.
  ///
  /// - Complexity: O(log *n*).
  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[child] < elements[parent] else { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  /// Removes the least one, if there is one.
  ///
  /// - Complexity: O(log *n*).
  mutating func removeMinimum() {
    guard let last = elements.popLast(), !elements.isEmpty else { return }
    elements[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < elements.count && elements[child] < elements[least] {
        least = child
      }
      guard least != parent else { return }
      elements.swapAt(parent, least)
      parent = least
    }
  }
}
