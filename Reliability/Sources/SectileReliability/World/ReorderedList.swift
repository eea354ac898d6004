internal import Foundation
internal import Sectile
internal import SectileTestSupport

/// A row of two lists that several processes bring into another order all the time.
struct ListedRow: Entity, Hashable {
  var id: Int64
  var list: String
  var position: Int64

  static let schema = EntitySchema<ListedRow>(
    "listed_row", primaryKey: "id",
    attributes: .init("id", \.id), .init("list", \.list), .init("position", \.position))
}

extension ListedRow {
  init(row: inout RowReader) throws {
    (id, list, position) = try (row.next(), row.next(), row.next())
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(list)
    try row.append(position)
  }
}

/// The lists, and one of the processes that reorder them.
enum ReorderedList {
  static let rowCount = 40

  /// What all processes show.
  static let request = FetchRequest<ListedRow>().sectioned(by: \.list)
    .reorderable(by: \.position)

  /// No column is UNIQUE: nothing but the moves themselves keeps the order total.
  private static let migrations = Migrations.inline([
    "V0001_create_listed_row.sql": """
    CREATE TABLE listed_row (id INTEGER PRIMARY KEY, list TEXT NOT NULL, position INTEGER);
    INSERT INTO listed_row WITH RECURSIVE n (i) AS (
        SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
      SELECT i, char(65 + i % 2), i FROM n;
    """
  ])

  static func open(_ path: String) throws -> Store {
    var configuration = StoreConfiguration()
    configuration.busyTimeout = .seconds(60)
    configuration.synchronous = .off
    configuration.externalChangePolling = .milliseconds(20)
    // Without a change log no lock guards checkpoints: SQLite could lose commits at them.
    configuration.automaticCheckpointPageCount = 0
    return try Store.open(at: path, configuration: configuration, migrations: migrations)
  }

  /// The lists as one text: `A 3 1 | B 2 4`.
  static func text(_ snapshot: some DataSourceSnapshot<Int64, ListedRow>) -> String {
    (0..<snapshot.numberOfSections).map { section in
      let ids = (0..<snapshot.numberOfItems(in: section)).map {
        "\(snapshot.id(at: ItemPath(section: section, item: $0)))"
      }
      return ([snapshot.sections[section].title] + ids).joined(separator: " ")
    }.joined(separator: " | ")
  }

  /// Moves rows until the time has passed; says how many moves were made, and how many refused;
  /// once it is told that all have ended, says what it shows then.
  static func reorder(at path: String, seed: UInt64, seconds: Int) throws {
    let store = try open(path)
    let results = try store.results(of: request)
    let recorder = ChangeRecorder<Int64, ListedRow>()
    results.delegate = recorder
    try results.load()
    var random = SeededRandom(seed: seed)
    var (moved, refused) = (0, 0)
    let end = Date().timeIntervalSince1970 + Double(seconds)
    while Date().timeIntervalSince1970 < end {
      let (source, target) = move(in: results.snapshot, &random)
      do {
        try results.move(from: source, to: target)
        moved += 1
      } catch let error as StoreError where error.code == .editConflict {
        refused += 1
      } catch let error as DataSourceError where error.code == .noSuchPath {
        // The other process was faster.
        refused += 1
      }
      if random.chance(0.02) { usleep(20_000) }
    }
    Child.say("\(moved) \(refused)")
    _ = readLine()
    try store.checkForExternalChanges()
    // The thread that looks by itself may have read the last change, and deliver it still.
    let limit = Date().timeIntervalSince1970 + 60
    while Date().timeIntervalSince1970 < limit,
      recorder.isLoading || recorder.contents.version != results.version
    { usleep(1_000) }
    try recorder.check(against: results)
    Child.say(text(results.snapshot))
    try store.close()
  }

  private static func move(
    in snapshot: some DataSourceSnapshot<Int64, ListedRow>, _ random: inout SeededRandom
  ) -> (ItemPath, ItemPath) {
    let section = Int.random(in: 0..<snapshot.numberOfSections, using: &random)
    let source = ItemPath(
      section: section,
      item: Int.random(in: 0..<snapshot.numberOfItems(in: section), using: &random))
    // A list without rows would be gone for good.
    let isSmall = snapshot.numberOfItems(in: section) < 6
    let goal =
      isSmall ? section : Int.random(in: 0..<snapshot.numberOfSections, using: &random)
    let room = snapshot.numberOfItems(in: goal) - (goal == section ? 1 : 0)
    // Often the same place, where numbers are used up.
    let item = random.chance(0.5) ? room / 2 : Int.random(in: 0...room, using: &random)
    return (source, ItemPath(section: goal, item: item))
  }
}
