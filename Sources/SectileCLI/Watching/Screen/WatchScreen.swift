internal import Dispatch
internal import Foundation
internal import Sectile
internal import Synchronization

/// The screen of a watch at work: the file is followed on a thread of its own, this one draws and
/// listens to keys.
final class WatchScreen {
  /// How long to wait at most before looking at the terminal's size, and at what has faded.
  private static let tick = 100
  /// How many rows are searched before looking at the keys again.
  private static let searchedRows = 500
  /// How long rows are searched before looking at the keys again.
  private static let searchTime = Duration.milliseconds(50)

  /// How long a comparison of many rows may go on after the screen was closed; the file is only
  /// read.
  private static let patience = DispatchTimeInterval.seconds(1)

  private let screen: CursesScreen
  private let stop: StopSignal
  private let reporter: ScreenReporter
  /// The way of a condition that is typed to the watch.
  let filter: WatchFilter
  private let start = ContinuousClock.now
  private var model = ScreenModel()
  private var version: (ObjectIdentifier, Int)?

  /// Takes the terminal over.
  init(stop: StopSignal) throws {
    screen = try CursesScreen()
    self.stop = stop
    let wake = screen.makeWaker()
    reporter = ScreenReporter(wake: wake)
    filter = WatchFilter(wakesWatch: { stop.wake() }, wakesScreen: wake)
  }

  /// Who hears of the watch.
  var reporting: any WatchReporting { reporter }

  /// Gives the terminal back; may be called twice.
  func close() {
    screen.close()
  }

  /// Shows the watch until it ends, a key quits it, or a signal comes.
  ///
  /// - Parameter watch: Follows the file; runs on another thread.
  /// - Throws: What the watch throws; the terminal is given back by then.
  func run(_ watch: @escaping @Sendable () throws -> Void) throws {
    let wake = screen.makeWaker()
    let end = WatchEnd()
    Thread.detachNewThread {
      end.finish(Result { try watch() })
      wake()
    }
    defer { screen.close() }
    draw()
    while !end.isReached, !stop.hasStopped {
      screen.wait(milliseconds: model.isSearching ? 0 : Self.tick)
      var isNew = takeNews()
      let size = screen.size
      if size != model.size {
        model.resize(columns: size.columns, lines: size.lines)
        isNew = true
      }
      while let input = screen.nextInput() {
        model.take(input)
        isNew = true
      }
      if model.isQuitting { stop.stop() }
      if let wish = model.takeWantedFilter() { filter.ask(for: wish) }
      if model.isSearching {
        let deadline = ContinuousClock.now + Self.searchTime
        model.searchOn(upTo: Self.searchedRows) { .now < deadline }
        isNew = true
      }
      if model.hasHighlights {
        model.expireHighlights(at: now)
        isNew = true
      }
      if isNew || !isComplete { draw() }
    }
    stop.stop()
    screen.close()
    try end.wait(for: Self.patience).get()
  }

  private var isComplete = true

  private var now: Double { (ContinuousClock.now - start) / .seconds(1) }

  private func draw() {
    let size = screen.size
    if size != model.size { model.resize(columns: size.columns, lines: size.lines) }
    let picture = model.draw(at: now)
    isComplete = picture.isComplete
    screen.show(picture.lines)
  }

  /// Brings the model up to date; returns whether there was news.
  private func takeNews() -> Bool {
    let answer = filter.takeAnswer()
    if let answer { model.filtered(answer) }
    let news = reporter.take()
    guard let results = news.results else { return answer != nil }
    var isNew = answer != nil || news.status != model.status
    model.status = news.status
    if let request = news.request {
      model.begin(
        columns: request.columns, key: request.key, hasHeads: request.sectionBy != nil)
    }
    let snapshot = results.snapshot
    let next = (ObjectIdentifier(results), snapshot.version)
    if version.map({ $0 != next }) ?? true {
      version = next
      model.show(SnapshotContents(snapshot: snapshot, columns: model.columns))
      isNew = true
    }
    if !news.changed.isEmpty || news.deletes > 0 {
      model.highlight(news.changed, deletes: news.deletes, at: now)
      isNew = true
    }
    return isNew
  }
}

/// How a watch on another thread ended.
private final class WatchEnd: Sendable {
  // MARK: - Mutable state
  //
  // - `result`: guarded by its mutex; set once, before the semaphore is signalled.
  private let result = Mutex<Result<Void, any Error>?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  var isReached: Bool { result.withLock { $0 != nil } }

  func finish(_ result: Result<Void, any Error>) {
    self.result.withLock { $0 = result }
    semaphore.signal()
  }

  /// Waits for the end, but not for ever.
  func wait(for patience: DispatchTimeInterval) -> Result<Void, any Error> {
    _ = semaphore.wait(timeout: .now() + patience)
    return result.withLock { $0 } ?? .success(())
  }
}
