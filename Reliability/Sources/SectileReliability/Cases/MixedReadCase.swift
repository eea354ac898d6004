internal import Sectile

/// Reads the order of rows in one statement and their values in another one, with a commit in
/// between: a control, which the check of ``ReloadCase`` must see.
struct MixedReadCase: ReliabilityCase {
  let name = "control-reloads"
  let summary = "order and values of rows of two states of the file"
  let isControl = true

  func run(seed: UInt64, tally: inout Tally) throws {
    let folder = try Folder()
    try ReloadedFile.open(folder.database, polling: nil).close()
    let (reader, writer) = try (
      PlainConnection(path: folder.database), PlainConnection(path: folder.database)
    )
    let states = FileStates()
    for _ in 0...seed % 20 { try writer.run(ReloadedFile.commit) }
    let columns = "id, part, place, number FROM reloaded_row"
    let whole = Self.rows(try reader.texts("SELECT \(columns) ORDER BY place, id"))
    // What one statement reads must pass: whatever were wrong then would be no instrument.
    guard states.problem(whole) == nil else { return }
    let order = try reader.texts("SELECT id FROM reloaded_row ORDER BY place, id")
    try writer.run(ReloadedFile.commit)
    let values = Self.rows(try reader.texts("SELECT \(columns)"))
    tally.cycles += 1
    let mixed = order.compactMap { id in values.first { "\($0.id)" == id[0] } }
    if let problem = states.problem(mixed) { throw Finding(problem) }
  }

  private static func rows(_ texts: [[String]]) -> [ReloadedRow] {
    texts.compactMap { texts in
      let values = texts.compactMap { Int64($0) }
      guard values.count == 4 else { return nil }
      return ReloadedRow(id: values[0], part: values[1], place: values[2], number: values[3])
    }
  }
}
