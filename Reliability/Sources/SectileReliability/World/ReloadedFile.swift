internal import Sectile

/// A row of the file that others write while results are loaded again.
struct ReloadedRow: Entity, Hashable {
  var id: Int64
  var part: Int64
  var place: Int64
  /// The number of the commit that wrote it.
  var number: Int64

  static let schema = EntitySchema<ReloadedRow>(
    "reloaded_row", primaryKey: "id",
    attributes: .init("id", \.id), .init("part", \.part), .init("place", \.place),
    .init("number", \.number))
}

extension ReloadedRow {
  init(row: inout RowReader) throws {
    (id, part, place, number) = try (row.next(), row.next(), row.next(), row.next())
  }

  func write(to row: inout RowWriter) throws {
    for value in [id, part, place, number] { try row.append(value) }
  }

  /// In the order of every request.
  func comes(before other: ReloadedRow) -> Bool { (place, id) < (other.place, other.id) }

  /// A number that is another one where a value is.
  var fingerprint: UInt64 {
    var mixed: UInt64 = 0
    for value in [id, part, place, number] {
      mixed = (mixed ^ UInt64(bitPattern: value)) &* 0x9E37_79B9_7F4A_7C15
      mixed ^= mixed >> 29
    }
    return mixed
  }
}

/// Commits that number themselves, whoever makes them: what each does follows from its number.
///
/// The row 0 shows the number, and comes first. So each state of the file says which one it is.
enum ReloadedFile {
  static let rowCount: Int64 = 120
  /// How many rows a window has.
  static let windowSize = 40
  private static let placeCount: Int64 = 997
  private static let partSize: Int64 = 200

  static let migrations = Migrations.inline([
    "V0001_create_reloaded_row.sql": """
    CREATE TABLE reloaded_row (id INTEGER PRIMARY KEY, part INTEGER NOT NULL, place INTEGER NOT NULL,
      number INTEGER NOT NULL);
    INSERT INTO reloaded_row VALUES (0, -1, -1, 0);
    INSERT INTO reloaded_row WITH RECURSIVE n (i) AS (
        SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
      SELECT i, i / \(partSize), i, 0 FROM n;
    """
  ])

  static func open(_ path: String, polling: Duration?) throws -> Store {
    try Store.open(at: path, configuration: configuration(polling), migrations: migrations)
  }

  static func configuration(_ polling: Duration?) -> StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.busyTimeout = .seconds(60)
    configuration.synchronous = .off
    configuration.externalChangePolling = polling
    // Programs that take no lock write, too: SQLite could lose commits at checkpoints.
    configuration.automaticCheckpointPageCount = 0
    return configuration
  }

  /// The statements of the next commit.
  static let statements: [String] = {
    let number = "(SELECT number FROM reloaded_row WHERE id = 0)"
    let place = "((\(number) * 48271 + id * 31) % \(placeCount))"
    return [
      "UPDATE reloaded_row SET number = number + 1 WHERE id = 0",
      "UPDATE reloaded_row SET part = \(place) / \(partSize), place = \(place), number = \(number) "
        + "WHERE id IN (1 + \(number) * 7 % \(rowCount), 1 + \(number) * 11 % \(rowCount))",
      "DELETE FROM reloaded_row WHERE id = 1 + \(number) * 13 % \(rowCount) AND \(number) % 3 = 0",
      // One that was deleted half of all turns ago.
      "INSERT OR IGNORE INTO reloaded_row SELECT 1 + (number + 62) * 13 % \(rowCount), "
        + "number % \(placeCount) / \(partSize), number % \(placeCount), number "
        + "FROM reloaded_row WHERE id = 0 AND number % 3 = 1",
    ]
  }()

  /// The next commit as one text.
  static let commit = "BEGIN IMMEDIATE; " + statements.joined(separator: "; ") + "; COMMIT"

  /// What the file holds after so many commits, by their numbers alone.
  struct State {
    private(set) var number: Int64 = 0
    /// In order.
    private(set) var rows: [ReloadedRow]

    init() {
      rows = [ReloadedRow(id: 0, part: -1, place: -1, number: 0)]
      rows += (1...rowCount).map { ReloadedRow(id: $0, part: $0 / partSize, place: $0, number: 0) }
    }

    mutating func advance() {
      number += 1
      rows[0].number = number
      for id in Set([1 + number * 7 % rowCount, 1 + number * 11 % rowCount]) where remove(id) {
        insert(id, at: (number * 48271 + id * 31) % placeCount)
      }
      if number % 3 == 0 { _ = remove(1 + number * 13 % rowCount) }
      let added = 1 + (number + 62) * 13 % rowCount
      if number % 3 == 1, !rows.contains(where: { $0.id == added }) {
        insert(added, at: number % placeCount)
      }
    }

    private mutating func remove(_ id: Int64) -> Bool {
      guard let position = rows.firstIndex(where: { $0.id == id }) else { return false }
      rows.remove(at: position)
      return true
    }

    private mutating func insert(_ id: Int64, at place: Int64) {
      let row = ReloadedRow(id: id, part: place / partSize, place: place, number: number)
      rows.insert(row, at: rows.firstIndex { row.comes(before: $0) } ?? rows.endIndex)
    }
  }
}
