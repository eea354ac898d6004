import SectileCore
import Synchronization

/// A source whose contents a test sets as a whole: what changed is worked out, with sections that
/// move, and empty ones.
final class ContentsSource<ID: Hashable & Sendable, Value: Equatable & Sendable>: DataSource {
  typealias ItemID = ID
  typealias Item = Value
  typealias Contents = SectionedContents<ID, Value>

  private struct State {
    var target: Contents
    var visible = Contents()
    var isLive = false
  }

  let name: String
  let hub = DataSourceEvents<ID, Value>()
  private let state: Mutex<State>

  init(name: String = "contents", _ contents: Contents = Contents()) {
    self.name = name
    state = Mutex(State(target: contents))
    hub.bind(self)
  }

  var snapshot: ContentsSnapshot<ID, Value> { ContentsSnapshot(state.withLock { $0.visible }) }

  func set(_ contents: Contents) {
    let isLive = state.withLock { state in
      state.target = contents
      return state.isLive
    }
    if isLive { show() }
  }

  func load() {
    hub.resume()
    state.withLock { $0.isLive = true }
    show()
  }

  func fail(_ error: any Error) {
    hub.submit(.failed(error))
    hub.flush()
  }

  func cancel() {
    state.withLock { $0.isLive = false }
    hub.cancel()
  }

  private func show() {
    hub.submit(LoadCycle(steps: [{ [self] in flip() }]))
    hub.flush()
  }

  private func flip() -> Changeset<ID, Value>? {
    state.withLock { state in
      var target = state.target
      target.version = state.visible.version + 1
      let differ = ContentsDiffer(
        old: state.visible, new: target, isEqual: ==, isOrderKeyChanged: { _ in true },
        isSectionOrderChanged: { _ in true })
      let changes = differ.changeset()
      guard !changes.isEmpty else { return nil }
      state.visible = target
      return changes
    }
  }

  var events: DataSourceEvents<ID, Value> { hub }
}
