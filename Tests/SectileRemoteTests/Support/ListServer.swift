import SectileRemote
import Synchronization

/// A list behind a service that answers when the test says so, and as badly as it says.
final class ListServer: PageLoader {
  typealias Loaded = LoadedPage<Song, PageToken>

  /// How pages are named.
  enum Style: CaseIterable, Sendable {
    case number
    case offset
    /// The cursor says after which song the page begins, so that nothing is missed or repeated.
    case key
  }

  /// A request that waits for its answer.
  struct Request: Sendable {
    let number: Int
    let page: PageToken
    fileprivate let answer: CheckedContinuation<Loaded, any Error>
  }

  private struct State {
    var songs: [Song]
    var requests: [Request] = []
    var quitters: Set<Int> = []
    var log: [PageToken] = []
  }

  let style: Style
  let size: Int
  let tellsTotal: Bool
  /// Whether requests go on when nobody wants their answer any more.
  let isDeaf: Bool
  private let state: Mutex<State>

  init(
    _ songs: [Song], style: Style = .number, size: Int = 3, tellsTotal: Bool = true,
    isDeaf: Bool = false
  ) {
    self.style = style
    self.size = size
    self.tellsTotal = tellsTotal
    self.isDeaf = isDeaf
    state = Mutex(State(songs: songs))
  }

  // MARK: - The list

  /// The truth.
  var songs: [Song] {
    get { state.withLock { $0.songs } }
    set { state.withLock { $0.songs = newValue } }
  }

  func change(_ body: (inout [Song]) -> Void) {
    var songs = songs
    body(&songs)
    self.songs = songs
  }

  /// The page as it is right now.
  func page(_ page: PageToken) -> Loaded {
    let songs = songs
    let start: Int
    switch style {
    case .number: start = min(songs.count, ((page.number ?? 1) - 1) * size)
    case .offset: start = min(songs.count, page.offset ?? 0)
    case .key:
      let last = page.cursor.flatMap { Int($0) } ?? .min
      start = songs.firstIndex { $0.id > last } ?? songs.count
    }
    let items = Array(songs[start..<min(songs.count, start + size)])
    let isLast = start + items.count >= songs.count
    let next: PageToken? = isLast ? nil : following(page, items)
    return Loaded(items: items, nextPage: next, total: tellsTotal ? songs.count : nil)
  }

  private func following(_ page: PageToken, _ items: [Song]) -> PageToken? {
    switch style {
    case .number: .number((page.number ?? 1) + 1)
    case .offset: .offset((page.offset ?? 0) + items.count)
    case .key: items.last.map { .cursor(String($0.id)) }
    }
  }

  // MARK: - Requests

  var firstPage: PageToken {
    switch style {
    case .number: .number(1)
    case .offset: .offset(0)
    case .key: .start
    }
  }

  /// The requests that wait, first come first.
  var requests: [Request] { state.withLock { $0.requests } }

  /// The pages that were asked for so far.
  var log: [PageToken] { state.withLock { $0.log } }

  func loadPage(_ page: PageToken) async throws -> Loaded {
    let number = state.withLock { state in
      state.log.append(page)
      return state.log.count
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isLate = state.withLock { state in
          if state.quitters.remove(number) != nil { return true }
          state.requests.append(Request(number: number, page: page, answer: continuation))
          return false
        }
        if isLate { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      guard !isDeaf else { return }
      if let request = take(number) {
        request.answer.resume(throwing: CancellationError())
      } else {
        state.withLock { _ = $0.quitters.insert(number) }
      }
    }
  }

  private func take(_ number: Int) -> Request? {
    state.withLock { state in
      state.requests.firstIndex { $0.number == number }.map { state.requests.remove(at: $0) }
    }
  }

  /// Answers a request truthfully, unless told otherwise.
  func answer(_ request: Request, _ change: (inout Loaded) -> Void = { _ in }) {
    var loaded = page(request.page)
    change(&loaded)
    take(request.number)?.answer.resume(returning: loaded)
  }

  func fail(_ request: Request, _ error: any Error) {
    take(request.number)?.answer.resume(throwing: error)
  }
}
