public import Sectile
import Synchronization

/// A data source written from nothing: the next departures of a station, which a timer keeps up to
/// date.
///
/// Trains stand in sections by platform, in the order in which they leave; those that left are
/// gone. With each tick a minute passes. What changed by that, the library finds out.
///
/// ```swift
/// let board = DepartureBoard(timetable)
/// board.delegate = printer
/// board.load()  // willLoad, didPartiallyLoad, didFinishLoading; and again each minute
/// ```
public final class DepartureBoard: DataSource {
  private typealias Contents = LiveContents<Int, Departure>

  // MARK: - Mutable state
  //
  // Guarded by `state`. Contents are submitted inside, which calls nobody, so that they stand in
  // the order of the ticks; listeners are called outside.
  private struct State {
    var minute = 0
    var timer: Task<Void, Never>?
  }

  /// What a reader would call the source.
  public let name = "departures"
  private let timetable: [TimetableEntry]
  private let interval: Duration
  private let contents = Contents()
  private let state = Mutex(State())

  /// Creates a board.
  ///
  /// - Parameters:
  ///   - timetable: The trains; no two may have the same number.
  ///   - interval: How long a minute takes.
  public init(_ timetable: [TimetableEntry], interval: Duration = .seconds(60)) {
    self.timetable = timetable.sorted { ($0.minute, $0.train) < ($1.minute, $1.train) }
    self.interval = interval
    events.bind(self)
    contents.submit(sections(at: 0))
  }

  deinit { state.withLock { $0.timer }?.cancel() }

  /// What the source tells of its changes.
  public var events: DataSourceEvents<Int, Departure> { contents.events }

  /// What a reader sees.
  public var snapshot: ContentsSnapshot<Int, Departure> { contents.snapshot }

  /// Shows the board, and lets time pass.
  public func load() {
    contents.load()
    state.withLock { state in
      guard state.timer == nil else { return }
      state.timer = Task { [weak self, interval] in
        while (try? await Task.sleep(for: interval)) != nil, let self { self.tick() }
      }
    }
  }

  /// Stops the time.
  ///
  /// The board stays readable, and the next load goes on from there.
  public func cancel() {
    let timer = state.withLock { state in
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
    events.cancel()
  }

  /// Lets a minute pass.
  public func tick() {
    state.withLock { state in
      state.minute += 1
      contents.submit(sections(at: state.minute))
    }
    events.flush()
  }

  /// Returns the departures from a minute on, by platform.
  private func sections(at minute: Int) -> [Contents.Section] {
    let next = timetable.filter { $0.minute >= minute }
    let platforms = Dictionary(grouping: next, by: \.platform).sorted { $0.key < $1.key }
    return platforms.map { platform, entries in
      Contents.Section(
        header: SourceSection(identity: .text(platform), title: "Platform \(platform)"),
        rows: entries.map { entry in
          let departure = Departure(
            train: entry.train, destination: entry.destination, minutes: entry.minute - minute)
          return Contents.Row(id: entry.train, item: departure)
        })
    }
  }
}
