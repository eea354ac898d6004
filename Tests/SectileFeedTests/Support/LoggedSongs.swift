import SectileCore
import SectileTestSupport
import Synchronization

/// A table of songs with a change log, as several processes see it, one after the other.
final class LoggedSongs: Sendable {
  typealias Sections = [SectionedContents<Int64, Song>.Section]

  private struct State {
    var store: UInt128
    /// Where the salts of the log come from.
    var salts: SeededRandom
    var epoch: UInt64 = 1
    var songs: [Int64: Song] = [:]
    /// The log: the number of the first row is that of what is gone from it, and one.
    var log: [(salt: UInt64, ids: [Int64])] = [(0, [])]
    var prunedTo = 0
    var readers: [LoggedSource] = []
    /// What was there after each row of the log.
    var history: [Int: Sections] = [:]

    var head: Int { prunedTo + log.count - 1 }
  }

  private let state: Mutex<State>

  init(store: UInt128 = 1) {
    let salts = SeededRandom(seed: UInt64(truncatingIfNeeded: store))
    state = Mutex(State(store: store, salts: salts))
    record()
  }

  private func record() { state.withLock { $0.history[$0.head] = Self.sections(of: $0) } }

  /// Has a source be told of what is committed.
  func attach(_ source: LoggedSource) {
    state.withLock { state in
      state.readers.append(source)
      source.contents.submit(Self.sections(of: state))
    }
  }

  /// Changes songs, in one row of the log; nil removes one.
  func commit(_ changes: [Int64: Song?]) {
    let readers = state.withLock { state in
      for (id, song) in changes { state.songs[id] = song }
      state.log.append((state.salts.next(), Array(changes.keys)))
      let sections = Self.sections(of: state)
      state.history[state.head] = sections
      for reader in state.readers { reader.contents.submit(sections) }
      return state.readers
    }
    for reader in readers { reader.contents.events.flush() }
  }

  /// Changes some songs of few, so that they come, go and come back.
  func commit(_ random: inout SeededRandom) {
    var changes: [Int64: Song?] = [:]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let id = Int64.random(in: 1...20, using: &random)
      let song = Song(
        id: id, artist: ["a", "b", "c"].randomElement(using: &random) ?? "a",
        title: ["x", "y", "z"].randomElement(using: &random))
      changes.updateValue(random.chance(0.3) ? nil : song, forKey: id)
    }
    commit(changes)
  }

  /// Ends what a process sees.
  func detach() {
    let readers = state.withLock { state in
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.cancel() }
  }

  // MARK: - What becomes of logs

  /// Leaves only the last row of the log.
  func prune() {
    state.withLock { state in
      state.prunedTo = state.head
      state.log = [state.log[state.log.count - 1]]
    }
  }

  /// Makes the log anew.
  func renewLog() { state.withLock { $0.epoch += 1 } }

  /// Takes back the last row of the log, as restoring a backup does.
  func restore() {
    state.withLock { state in
      _ = state.log.removeLast()
      state.songs = [:]
      for section in state.history[state.head] ?? [] {
        for row in section.rows { state.songs[row.id] = row.item }
      }
    }
  }

  // MARK: - What sources read

  /// What was there after a row of the log.
  func sections(after sequence: Int) -> Sections? { state.withLock { $0.history[sequence] } }

  /// The place of a row of the log that is there.
  func place(_ sequence: Int) -> LogPlace? {
    state.withLock { state in
      let offset = sequence - state.prunedTo
      guard state.log.indices.contains(offset) else { return nil }
      return LogPlace(
        store: state.store, epoch: state.epoch, sequence: UInt64(sequence),
        salt: state.log[offset].salt)
    }
  }

  /// The rows that were touched since a place, and since one that is known to be there.
  func touched(since place: LogPlace, shown: Int) -> Result<[Int64], Refusal> {
    state.withLock { state in
      guard place.store == state.store else { return .failure(Refusal(reason: .otherStore)) }
      guard place.epoch == state.epoch else { return .failure(Refusal(reason: .otherEpoch)) }
      let offset = Int(place.sequence) - state.prunedTo
      guard offset >= 0 else { return .failure(Refusal(reason: .pruned)) }
      guard offset < state.log.count else { return .failure(Refusal(reason: .ahead)) }
      guard state.log[offset].salt == place.salt else {
        return .failure(Refusal(reason: .rewritten))
      }
      let first = min(offset, max(0, shown - state.prunedTo)) + 1
      return .success(state.log[min(first, state.log.count)...].flatMap(\.ids))
    }
  }

  struct Refusal: Error {
    let reason: ResetReason
  }

  /// A section of its own says which row of the log the contents are of; the others are artists.
  private static func sections(of state: State) -> Sections {
    let mark = SourceSection(identity: .null, title: "", footer: "\(state.head)")
    let artists = Dictionary(grouping: state.songs.values, by: \.artist).sorted { $0.key < $1.key }
    return [.init(header: mark)]
      + artists.map { artist, songs in
        let sorted = songs.sorted { ($0.title ?? "", $0.id) < ($1.title ?? "", $1.id) }
        return .init(
          header: SourceSection(
            identity: .text(artist), title: "\(artist): \(songs.count)"),
          rows: sorted.map { .init(id: $0.id, item: $0) })
      }
  }
}

extension SectionedContents {
  /// The row of the log that the contents of ``LoggedSongs`` are of.
  var logSequence: Int? { sections.first?.header.footer.flatMap { Int($0) } }
}

/// What one process shows of a logged table.
final class LoggedSource: ResumableSource {
  struct Unreadable: Error {}

  private struct Request {
    var number: UInt64 = 1
    var since = 0
  }

  let name = "songs"
  let contents = LiveContents<Int64, Song>()
  let log: LoggedSongs
  /// How often somebody asked to go on.
  let asked = Counter()
  private let hasLog: Bool
  private let refusal: ResetReason?
  private let isBroken: Bool
  private let request = Mutex(Request())

  init(
    _ log: LoggedSongs, hasLog: Bool = true, request: UInt64 = 1,
    refusing refusal: ResetReason? = nil,
    isBroken: Bool = false
  ) {
    self.log = log
    self.hasLog = hasLog
    self.refusal = refusal
    self.isBroken = isBroken
    self.request.withLock { $0.number = request }
    events.bind(self)
    log.attach(self)
    load()
  }

  var events: DataSourceEvents<Int64, Song> { contents.events }
  var snapshot: ContentsSnapshot<Int64, Song> { contents.snapshot }
  func load() { contents.load() }

  /// Says that the contents are of another request from their version on.
  func change(request number: UInt64) {
    request.withLock { $0 = Request(number: number, since: contents.snapshot.version) }
  }

  var resumableVersion: ResumableVersion? {
    guard hasLog else { return nil }
    return request.withLock { request in
      let shown = contents.snapshot.contents
      guard let sequence = shown.logSequence, let place = log.place(sequence) else { return nil }
      return ResumableVersion(
        version: shown.version, requestedSince: request.since,
        point: ResumePoint(place: place, request: request.number))
    }
  }

  func resume(
    from point: ResumePoint, holdingFor duration: Duration
  ) async throws -> Resumption<ContentsSnapshot<Int64, Song>> {
    asked.increment()
    if isBroken { throw Unreadable() }
    guard hasLog else { return .reset(.noLog) }
    if let refusal { return .reset(refusal) }
    guard request.withLock({ $0.number }) == point.request else { return .reset(.otherRequest) }
    let snapshot = contents.snapshot
    switch log.touched(since: point.place, shown: snapshot.contents.logSequence ?? 0) {
    case .success(let ids): return .changes(touching: ids, in: snapshot)
    case .failure(let refusal): return .reset(refusal.reason)
    }
  }
}
