internal import Sectile

/// One-row commits to a table with a unique index and another: with a change log in the file or
/// without, in memory and on a file.
///
/// Nobody follows them: what the log adds is not hidden by what a view costs.
struct RowCommitCase<Write: RowWrite, Place: RowPlace, Log: RowLog>: GuardCase {
  static var name: String { Write.name + Place.suffix + Log.suffix }
  static var summary: String {
    "commit one \(Write.what) row, unique index\(Place.what)\(Log.what)"
  }
  // A file's log is copied into it once in some hundred commits: so many that each count has its
  // part of it.
  static var counts: Counts { Place.isFile ? Counts(few: 500, many: 2_500) : .short }
  static var most: MostTimes? {
    Log.isOn ? MostTimes(1.55, RowCommitCase<Write, Place, NoLog>.name) : nil
  }

  private let store: Store
  private let folder: TemporaryFolder?
  private var write: Write

  init() throws {
    folder = Place.isFile ? try TemporaryFolder() : nil
    let (store, tracks) = try TrackStore.make(in: folder)
    try store.write { try $0.execute("CREATE UNIQUE INDEX track_on_title ON track (title)") }
    if Log.isOn { try store.changeLog.enable() }
    self.store = store
    write = Write(tracks)
  }

  mutating func perform() throws { try write.commit(to: store) }

  func verify(performed count: Int) throws {
    let rows = try number("SELECT count(*) FROM track")
    let wanted = TrackStore.size + (Write.addsRows ? count : 0)
    try check(rows == .integer(Int64(wanted)), "the table has \(rows) rows")
    guard Log.isOn else { return }
    let written = try number("SELECT count(*) FROM sectile_log WHERE op IN (1, 2)")
    try check(written == .integer(Int64(count)), "the log has \(written) of \(count) rows")
  }

  private func number(_ sql: String) throws -> StoredValue {
    try store.read { try $0.query(sql)[0].values[0] }
  }
}

// MARK: What is written

/// What a commit does to one row.
protocol RowWrite {
  static var name: String { get }
  static var what: String { get }
  static var addsRows: Bool { get }

  init(_ tracks: [Track])
  mutating func commit(to store: Store) throws
}

struct RowUpdate: RowWrite {
  static let name = "update"
  static let what = "updated"
  static let addsRows = false

  private var changes: TrackChanges

  init(_ tracks: [Track]) { changes = TrackChanges(tracks, count: 100) }

  mutating func commit(to store: Store) throws {
    let track = changes.next()
    try store.write { try $0.update(track) }
  }
}

struct RowInsertion: RowWrite {
  static let name = "insert-row"
  static let what = "inserted"
  static let addsRows = true

  private var id = Int64(TrackStore.size)
  private var generator = TrackGenerator(seed: 11)

  init(_ tracks: [Track]) {}

  mutating func commit(to store: Store) throws {
    id += 1
    let track = generator.track(id: id)
    try store.write { _ = try $0.insert(track) }
  }
}

// MARK: Where, and with what

protocol RowPlace {
  static var suffix: String { get }
  static var what: String { get }
  static var isFile: Bool { get }
}

enum InMemory: RowPlace {
  static let suffix = ""
  static let what = ""
  static let isFile = false
}

enum OnFile: RowPlace {
  static let suffix = "-file"
  static let what = ", on a file"
  static let isFile = true
}

protocol RowLog {
  static var suffix: String { get }
  static var what: String { get }
  static var isOn: Bool { get }
}

enum NoLog: RowLog {
  static let suffix = ""
  static let what = ""
  static let isOn = false
}

enum ChangeLogged: RowLog {
  static let suffix = "-logged"
  static let what = ", with a change log"
  static let isOn = true
}
