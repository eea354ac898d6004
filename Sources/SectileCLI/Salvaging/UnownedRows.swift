internal import Sectile

/// Saves the rows of leaves that belong to no table, into a table of their own.
///
/// It is called `lost_and_found`, and its columns are those that SQLite's own `.recover` writes.
struct UnownedRows {
  /// What was saved.
  struct Saved {
    /// The table.
    let table: String
    /// How many rows it has.
    let count: Int
  }

  private static let columnLimit = 1990

  private let file: PageFile
  private let target: InspectionConnection

  /// Creates the work.
  init(of file: PageFile, into target: InspectionConnection) {
    self.file = file
    self.target = target
  }

  /// Saves rows.
  ///
  /// - Parameters:
  ///   - pages: The numbers of the leaves.
  ///   - taken: The names that others have, in lower case.
  ///   - checkpoint: Hears the number of rows so far; what it throws ends the work.
  /// - Returns: What was saved; nil for none.
  /// - Throws: ``StoreError`` where the copy cannot be written.
  func save(
    _ pages: [Int], taken: Set<String>, checkpoint: (_ rows: Int) throws -> Void
  ) throws -> Saved? {
    let pages = Set(pages).sorted()
    let width = min(pages.map(valueCount).max() ?? 0, Self.columnLimit)
    if width == 0 { return nil }
    var name = "lost_and_found"
    var number = 0
    while taken.contains(name) {
      name = "lost_and_found_\(number)"
      number += 1
    }
    let columns = (0..<width).map { "c\($0)" }
    let names = ["rootpgno", "pgno", "nfield", "id"] + columns
    let types = ["rootpgno INTEGER", "pgno INTEGER", "nfield INTEGER", "id INTEGER"] + columns
    try target.run("CREATE TABLE \(name)(\(types.joined(separator: ", ")))") { _ in }
    let insertion = try target.prepare(
      "INSERT INTO main.\(name) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))")
    var count = 0
    for number in pages {
      guard let page = file.treePage(number) else { continue }
      for position in 0..<page.cellCount {
        guard let cell = page.cell(at: position), let payload = cell.payload, let id = cell.rowID,
          let bytes = file.bytes(of: payload, on: page),
          let record = StoredRecord(bytes, encoding: file.encoding)
        else { continue }
        let head = [Int64(number), Int64(number), Int64(record.values.count), id]
        try insertion.run(
          head.map(StoredValue.integer) + Array(record.values.prefix(width)),
          invalidText: record.invalidText.filter { $0 < width }.map { $0 + head.count })
        count += 1
        try checkpoint(count)
      }
    }
    return Saved(table: name, count: count)
  }

  /// How many values the longest record of a page has.
  private func valueCount(of number: Int) -> Int {
    guard let page = file.treePage(number) else { return 0 }
    let counts = (0..<page.cellCount).map { (position) -> Int in
      guard let payload = page.cell(at: position)?.payload,
        let bytes = file.bytes(of: payload, on: page)
      else { return 0 }
      return RecordHead(bytes, in: bytes.indices, length: bytes.count)?.types.count ?? 0
    }
    return counts.max() ?? 0
  }
}
