import SectileCore
import Synchronization

/// A row with each kind of value, those that JSON has no word for among them.
struct Reading: Encodable, Hashable, Sendable {
  var label: String
  var value: StoredValue = .null
  var total: Int64 = 0
  var factor: Double = 1
  var raw: [UInt8]?
  var isOpen = false
}

/// Tells the changesets that it is given, as they are: what they lead to is what it shows.
final class ScriptedSource: ResumableSource {
  typealias Contents = SectionedContents<Int64, Reading>

  let name = "readings"
  let events = DataSourceEvents<Int64, Reading>()
  /// What it says was touched, whatever the place is that it is asked for; nil where it has no log.
  private let touched: [Int64]?

  // MARK: - Mutable state
  //
  // - `shown`: guarded by its mutex.
  private let shown: Mutex<ContentsSnapshot<Int64, Reading>>

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - contents: What it shows at first.
  ///   - touched: The rows that it says were touched; nil for a source without a log.
  init(_ contents: Contents, touching touched: [Int64]? = nil) {
    self.touched = touched
    shown = Mutex(ContentsSnapshot(contents))
    events.bind(self)
  }

  var snapshot: ContentsSnapshot<Int64, Reading> { shown.withLock { $0 } }

  func load() { events.resume() }

  /// Tells a changeset.
  func tell(_ changes: Changeset<Int64, Reading>) {
    events.submit { [weak self] in try self?.flip(changes) }
    events.flush()
  }

  private func flip(_ changes: Changeset<Int64, Reading>) throws -> Changeset<Int64, Reading> {
    let contents = try snapshot.contents.applying(changes)
    shown.withLock { $0 = ContentsSnapshot(contents) }
    return changes
  }

  /// Fails.
  func fail(_ error: any Error) {
    events.submit(failure: error)
    events.flush()
  }

  /// Has got over a failure, and nothing has changed.
  func recover() {
    events.submit { nil }
    events.flush()
  }

  // MARK: - The log

  var resumableVersion: ResumableVersion? {
    guard touched != nil else { return nil }
    let version = snapshot.version
    let place = LogPlace(store: 1, epoch: 2, sequence: UInt64(version), salt: 5)
    return ResumableVersion(version: version, point: ResumePoint(place: place, request: 3))
  }

  func resume(
    from point: ResumePoint, holdingFor duration: Duration
  ) async throws -> Resumption<ContentsSnapshot<Int64, Reading>> {
    guard let touched else { return .reset(.noLog) }
    return .changes(touching: touched, in: snapshot)
  }
}
