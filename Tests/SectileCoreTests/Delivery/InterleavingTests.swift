import SectileCore
import Synchronization
import Testing

/// Every order in which a source can be committed to, cancelled, loaded and observed while its
/// delivery goes on step by step.
@Suite(.timeLimit(.minutes(60))) struct InterleavingTests {
  private enum Action: Int, CaseIterable {
    /// A change is appended; its delivery waits.
    case commit
    case cancel
    case load
    /// An observer comes, or the last one that came goes.
    case observe
    case leave
    /// The delivery takes one step.
    case step
  }

  /// Where deliveries run: when the test says so.
  private final class Steps: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    var delivery: CallbackDelivery {
      CallbackDelivery { [self] step in waiting.withLock { $0.append(step) } }
    }

    func takeOne() -> Bool {
      guard let step = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
        return false
      }
      step()
      return true
    }
  }

  /// What somebody hears of a source, judged as it comes.
  private final class Listener: Sendable {
    private struct State {
      var version: Int?
      var isOpen = false
      var problems: [String] = []
    }

    private let state = Mutex(State())

    var version: Int? { state.withLock { $0.version } }
    var problems: [String] { state.withLock { $0.problems } }

    /// Takes note of an event; `seen` is the version that readers see at that moment.
    func hear(_ event: DataSourceEvent<Int, Int>, seen: Int) {
      state.withLock { state in
        func expect(_ isRight: Bool, _ problem: String) {
          if !isRight {
            state.problems.append(
              "\(problem): sees \(seen), was told \(String(describing: state.version))")
          }
        }
        switch event {
        case .willLoad:
          if let version = state.version { expect(version == seen, "willLoad") }
          state.isOpen = true
        case .didPartiallyLoad(let changes):
          expect(state.isOpen, "a change outside of a load")
          expect(changes.targetVersion == seen, "a change to \(changes.targetVersion)")
          if let version = state.version {
            expect(changes.sourceVersion == version, "a change from \(changes.sourceVersion)")
          }
          state.version = changes.targetVersion
        case .didFinishLoading, .didFail:
          expect(state.isOpen, "an end outside of a load")
          state.isOpen = false
        }
      }
    }
  }

  /// A source, what happens to it, and who hears of it.
  private final class World {
    let source: CountingSource
    let steps = Steps()
    let first = Listener()
    var later: [(listener: Listener, token: DataSourceObservation)] = []
    private let token: DataSourceObservation

    init() {
      source = CountingSource(delivery: steps.delivery)
      token = Self.listen(first, to: source)
    }

    private static func listen(
      _ listener: Listener, to source: CountingSource
    ) -> DataSourceObservation {
      source.observe(on: .immediate) { [weak source] event in
        if let source { listener.hear(event, seen: source.version) }
      }
    }

    func perform(_ action: Action) {
      switch action {
      case .commit: source.commit()
      case .cancel: source.cancel()
      case .load: source.load()
      case .observe:
        let listener = Listener()
        later.append((listener, Self.listen(listener, to: source)))
      case .leave: _ = later.popLast()
      case .step: _ = steps.takeOne()
      }
    }

    /// Lets the delivery go on to its end, and returns what was wrong.
    func finish() -> [String] {
      while steps.takeOne() {}
      var problems = first.problems + later.flatMap(\.listener.problems)
      for listener in [first] + later.map(\.listener) {
        if let version = listener.version, version != source.version {
          problems.append("was told \(version) in the end, and readers see \(source.version)")
        }
      }
      return problems
    }
  }

  private func problems(of actions: [Action]) -> [String] {
    let world = World()
    for action in actions { world.perform(action) }
    return world.finish()
  }

  @Test func everyOrderOfSixActions() {
    let all = Action.allCases
    let count = (0..<6).reduce(1) { count, _ in count * all.count }
    var failures: [String] = []
    for number in 0..<count where failures.count < 5 {
      var rest = number
      let actions = (0..<6).map { _ -> Action in
        defer { rest /= all.count }
        return all[rest % all.count]
      }
      let problems = problems(of: actions)
      if !problems.isEmpty { failures.append("\(actions): \(problems)") }
    }
    #expect(failures == [])
  }

  @Test(arguments: 0..<20)
  func longOrders(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    let actions = (0..<400).map { _ in Action.allCases[next(Action.allCases.count)] }
    #expect(problems(of: actions) == [])
  }
}
