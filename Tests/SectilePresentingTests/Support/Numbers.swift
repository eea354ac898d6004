import SectileCore
import SectilePresenting
import SectileRemote
import Synchronization

/// A service that counts, in pages, and fails when told so.
final class Numbers: RandomAccessPageLoader {
  struct Number: Identifiable, Hashable, Sendable {
    let id: Int
  }

  struct Unreachable: Error {}

  private struct State {
    var count: Int
    var log: [Int] = []
    var isFailing = false
  }

  let firstPage = 0
  let size: Int
  private let state: Mutex<State>

  init(_ count: Int, size: Int) {
    self.size = size
    state = Mutex(State(count: count))
  }

  /// The pages that were asked for.
  var log: [Int] { state.withLock { $0.log } }

  var count: Int {
    get { state.withLock { $0.count } }
    set { state.withLock { $0.count = newValue } }
  }

  var isFailing: Bool {
    get { state.withLock { $0.isFailing } }
    set { state.withLock { $0.isFailing = newValue } }
  }

  func loadPage(_ page: Int) async throws -> LoadedPage<Number, Int> {
    try state.withLock { state in
      state.log.append(page)
      if state.isFailing { throw Unreachable() }
      let ids = min(page * size, state.count)..<min((page + 1) * size, state.count)
      return LoadedPage(
        items: ids.map { Number(id: $0) }, nextPage: ids.upperBound < state.count ? page + 1 : nil,
        total: state.count)
    }
  }

  func place(ofRank rank: Int) -> PagePlace<Int> {
    PagePlace(page: rank / size, firstRank: rank / size * size)
  }

  func source() -> PaginatedDataSource<Number, Int> {
    PaginatedDataSource(
      name: "numbers", loader: self, configuration: RemoteConfiguration(retry: .never))
  }
}

/// A list view that shows some rows at a time, and asks for the cells of these alone.
final class ListWindow<ItemID: Hashable & Sendable>: PresentationTarget {
  typealias Cell = String

  private struct State {
    var contents: (any PresentedContents<ItemID, String>)?
    var ranks: Range<Int>
    var cells: [String] = []
    var failures: [any Error] = []
    var drawsFailures = false
  }

  private let state: Mutex<State>

  init(_ ranks: Range<Int>) {
    state = Mutex(State(ranks: ranks))
  }

  /// The cells that were drawn last.
  var cells: [String] { state.withLock { $0.cells } }
  var failures: [any Error] { state.withLock { $0.failures } }
  var count: Int { state.withLock { $0.contents }?.numberOfItems ?? 0 }

  /// Whether a failure lets it draw its rows anew.
  var drawsFailures: Bool {
    get { state.withLock { $0.drawsFailures } }
    set { state.withLock { $0.drawsFailures = newValue } }
  }

  func scroll(to ranks: Range<Int>) {
    state.withLock { $0.ranks = ranks }
    draw()
  }

  func reload(_ contents: any PresentedContents<ItemID, String>) {
    state.withLock { $0.contents = contents }
    draw()
  }

  func update(_ update: PresentationUpdate<ItemID, String>) { reload(update.contents) }

  func didFail(with error: any Error) {
    state.withLock { $0.failures.append(error) }
    if drawsFailures { draw() }
  }

  private func draw() {
    let (contents, ranks) = state.withLock { ($0.contents, $0.ranks) }
    guard let contents else { return }
    let cells = ranks.clamped(to: 0..<contents.numberOfItems).map { rank in
      (try? contents.item(at: contents.path(atRank: rank))) ?? "?"
    }
    state.withLock { $0.cells = cells }
  }
}
