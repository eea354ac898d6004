import SectileCore
import Synchronization

/// A source of numbers in one section, each commit appending the next one: as little as a source
/// can be, so that what is tested is the hub.
final class CountingSource: DataSource {
  typealias ItemID = Int
  typealias Item = Int

  /// The contents live apart from the source, as `DataSourceEvents` asks: steps hold on to them.
  final class Contents: Sendable {
    let visible = Mutex(0)
    /// What has been submitted, which runs ahead of what is visible.
    let submitted = Mutex(0)
    let dropped = Atomic<Int>(0)

    func flip(to count: Int) -> Changeset<Int, Int> {
      visible.withLock { visible in
        defer { visible = count }
        return CountingSource.changes(from: visible, to: count)
      }
    }
  }

  let name = "numbers"
  let hub: DataSourceEvents<Int, Int>
  let contents = Contents()
  /// What loading does instead of appending and delivering a number, if anything.
  let loading = Mutex<(@Sendable () -> Void)?>(nil)

  init(delivery: CallbackDelivery = .immediate) {
    hub = DataSourceEvents(delivery: delivery)
    hub.bind(self)
  }

  static func changes(from before: Int, to after: Int) -> Changeset<Int, Int> {
    Changeset(
      sourceVersion: before, targetVersion: after,
      inserts: ChangeList(
        (before..<after).map {
          ItemInsert(path: ItemPath(section: 0, item: $0), id: $0, payload: .value($0))
        }))
  }

  /// Appends a number, without delivering.
  func submitNext() {
    contents.submitted.withLock { submitted in
      submitted += 1
      let target = submitted
      let contents = contents
      hub.submit(
        LoadCycle(
          steps: [{ contents.flip(to: target) }],
          onDropped: { contents.dropped.wrappingAdd(1, ordering: .relaxed) }))
    }
  }

  /// Appends a number and delivers it.
  func commit() {
    submitNext()
    hub.flush()
  }

  func fail(_ error: any Error) {
    hub.submit(.failed(error))
    hub.flush()
  }

  var version: Int { contents.visible.withLock { $0 } }
  var snapshot: ContentsSnapshot<Int, Int> {
    let version = version
    let rows = (0..<version).map { SectionedContents<Int, Int>.Row(id: $0, item: $0) }
    let header = SourceSection(identity: .null, title: "numbers")
    return ContentsSnapshot(
      SectionedContents(
        version: version,
        sections: version == 0 ? [] : [SectionedContents.Section(header: header, rows: rows)]))
  }
  func load() {
    hub.resume()
    if let load = loading.withLock({ $0 }) { load() } else { commit() }
  }
  func cancel() { hub.cancel() }
  var events: DataSourceEvents<Int, Int> { hub }
}

/// A list of lines that several threads write, and that a test waits for.
final class Journal: Sendable {
  private struct State {
    var lines: [String] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var lines: [String] { state.withLock { $0.lines } }

  func note(_ line: String) {
    let ready = state.withLock { state in
      state.lines.append(line)
      let count = state.lines.count
      let ready = state.waiters.filter { $0.count <= count }
      state.waiters.removeAll { $0.count <= count }
      return ready
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Returns once so many lines were written.
  ///
  /// The test's time limit is the limit.
  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.lines.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}

/// Writes every callback into a journal, then does what the test wants.
final class JournalingDelegate: DataSourceDelegate {
  typealias ItemID = Int
  typealias Item = Int

  let journal: Journal
  private let prefix: String
  private let action: @Sendable (String) -> Void

  init(
    _ journal: Journal, prefix: String = "", action: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.journal = journal
    self.prefix = prefix
    self.action = action
  }

  private func note(_ line: String) {
    journal.note(prefix + line)
    action(line)
  }

  func dataSourceWillLoad(_ source: any DataSource<Int, Int>) {
    note("will \(source.version)")
  }

  func dataSource(
    _ source: any DataSource<Int, Int>, didPartiallyLoad changes: Changeset<Int, Int>
  ) {
    note("did \(changes.sourceVersion)→\(changes.targetVersion) \(source.version)")
  }

  func dataSourceDidFinishLoading(_ source: any DataSource<Int, Int>) {
    note("finish \(source.version)")
  }

  func dataSource(_ source: any DataSource<Int, Int>, didFailWith error: any Error) {
    note("fail \(error)")
  }
}

/// The line that observers write for an event.
func line(_ event: DataSourceEvent<Int, Int>) -> String {
  switch event {
  case .willLoad: "will"
  case .didPartiallyLoad(let changes): "did \(changes.sourceVersion)→\(changes.targetVersion)"
  case .didFinishLoading: "finish"
  case .didFail(let error): "fail \(error)"
  }
}

extension DrainScope {
  /// Delivers what was submitted to some hubs.
  static func flush(_ hubs: [DataSourceEvents<Int, Int>]) { flush(hubs.map(\.core)) }
}
