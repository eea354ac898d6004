internal import Foundation
internal import Sectile

/// Saves the rows of leaves that no readable page leads to, by leading to them from a table's first
/// page in a copy of the file.
///
/// A leaf belongs to a table if all of its row ids lie in a range that could not be read there, and
/// its records can be the table's. One that could be of several tables is left out.
final class StrayRows {
  /// A table that lacks rows.
  struct Table {
    let schema: TableSchema
    let rowID: String
    /// The number of its first page.
    let root: Int
    /// What could not be read of it.
    let gaps: [SalvageReport.Gap]
  }

  private let folder: URL
  private let path: String
  private let pages: DatabasePages
  private let source: InspectionConnection

  /// Looks for such leaves.
  ///
  /// - Parameter source: The damaged file, of which no statement runs.
  /// - Throws: ``CommandFailure``, ``StoreError`` and what copying throws, where they cannot be
  ///   looked for.
  init(in source: InspectionConnection) throws {
    self.source = source
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sectile-\(UUID().uuidString)")
    self.folder = folder
    var isReady = false
    defer { if !isReady { try? FileManager.default.removeItem(at: folder) } }
    let path = folder.appendingPathComponent("copy.sqlite").path
    self.path = path
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try FileManager.default.copyItem(atPath: source.path, toPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    if FileIdentity(source.path + "-wal")?.isEmpty == false {
      try FileManager.default.copyItem(atPath: source.path + "-wal", toPath: path + "-wal")
      try InspectionConnection(path: path, access: .readWrite)
        .run("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
    }
    // The copy is read without a log.
    try Self.write([1, 1], at: 18, of: path)
    var roots: [Int] = [1]
    try source.run("SELECT rootpage FROM sqlite_schema WHERE rootpage > 0") { row in
      if case .integer(let number) = row[0] { roots.append(Int(clamping: number)) }
    }
    pages = try DatabasePages(path: path, roots: roots)
    isReady = true
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Saves what belongs to tables.
  ///
  /// - Parameters:
  ///   - tables: The tables that lack rows.
  ///   - save: Reads a table of a file, and writes its rows into the new one; returns what became
  ///     of them.
  /// - Returns: What was found, by the tables' names; what still cannot be read is among it.
  /// - Throws: What the closure throws.
  func save(
    _ tables: [Table],
    _ save: (_ table: Table, _ copy: InspectionConnection) throws -> SalvageReport.Table
  ) throws -> [String: SalvageReport.Table] {
    var leaves: [String: [DatabasePages.Leaf]] = [:]
    for leaf in pages.strayLeaves {
      let owners = tables.filter { Self.canBelong(leaf, to: $0) }
      if owners.count == 1 { leaves[owners[0].schema.name, default: []].append(leaf) }
    }
    var found: [String: SalvageReport.Table] = [:]
    for table in tables {
      let own = Self.disjoint(leaves[table.schema.name] ?? [])
      if own.isEmpty { continue }
      var result = SalvageReport.Table(name: table.schema.name)
      var inner: [SalvageReport.Gap] = []
      var rest = own[...]
      while !rest.isEmpty {
        let count = try lead(from: table.root, to: rest)
        let copy = try InspectionConnection(path: path, toleratesDamage: true)
        let part = try save(table, copy)
        result.savedCount += part.savedCount
        result.refusedCount += part.refusedCount
        inner += part.gaps
        rest = rest.dropFirst(count)
      }
      result.gaps = table.gaps.flatMap { Self.holes(of: $0, without: own) } + inner
      found[table.schema.name] = result
    }
    return found
  }

  /// Writes a table's first page anew, so that it leads to as many leaves as it has room for;
  /// returns how many.
  private func lead(
    from root: Int, to leaves: ArraySlice<DatabasePages.Leaf>
  ) throws -> Int {
    var count = min(leaves.count, pages.usableSize / 7)
    while count > 1 {
      if let page = pages.parent(of: leaves.prefix(count)) {
        try Self.write(page, at: (root - 1) * pages.pageSize, of: path)
        return count
      }
      count = count * 9 / 10
    }
    try Self.write(
      pages.parent(of: leaves.prefix(1)) ?? [], at: (root - 1) * pages.pageSize, of: path)
    return 1
  }

  // MARK: - What belongs where

  private static func canBelong(_ leaf: DatabasePages.Leaf, to table: Table) -> Bool {
    let columns = table.schema.storedColumns
    guard leaf.columnCount <= columns.count else { return false }
    for (position, column) in columns.enumerated() {
      // A row id by another name is NULL in the record.
      let isRowID = column.name == table.schema.rowIDColumn
      if isRowID && leaf.filledColumns.contains(position) { return false }
      if !isRowID && column.isNotNull && leaf.nullColumns.contains(position) { return false }
    }
    return table.gaps.contains { gap in
      let (first, last) = (leaf.rowIDs.lowerBound, leaf.rowIDs.upperBound)
      return (bound(gap.after).map { $0 < first } ?? true)
        && (bound(gap.before).map { last < $0 } ?? true)
    }
  }

  private static func bound(_ text: String?) -> Int64? { text.flatMap { Int64($0) } }

  /// Leaves in the order of their rows; of two with the same row ids one is an old one, so neither
  /// stays.
  private static func disjoint(_ leaves: [DatabasePages.Leaf]) -> [DatabasePages.Leaf] {
    let sorted = leaves.sorted { $0.rowIDs.lowerBound < $1.rowIDs.lowerBound }
    var end: Int64?
    var isClear = sorted.map { _ in true }
    for place in sorted.indices {
      if place > 0, let end, sorted[place].rowIDs.lowerBound <= end {
        isClear[place] = false
        isClear[place - 1] = false
      }
      end = max(end ?? .min, sorted[place].rowIDs.upperBound)
    }
    return zip(sorted, isClear).filter(\.1).map(\.0)
  }

  /// How many holes are told one by one.
  private static let toldHoles = 8

  /// What is left of a range that could not be read.
  private static func holes(
    of gap: SalvageReport.Gap, without leaves: [DatabasePages.Leaf]
  ) -> [SalvageReport.Gap] {
    let end = bound(gap.before)
    var last = bound(gap.after)
    var holes: [SalvageReport.Gap] = []
    for leaf in leaves {
      let first = leaf.rowIDs.lowerBound
      if let last, first <= last { continue }
      if let end, first >= end { break }
      if last.map({ $0 < first - 1 }) ?? true {
        holes.append(SalvageReport.Gap(after: last.map { "\($0)" }, before: "\(first)"))
      }
      last = leaf.rowIDs.upperBound
    }
    if let last, let end, last >= end - 1 {
      // Nothing is left.
    } else {
      holes.append(
        SalvageReport.Gap(after: last.map { "\($0)" }, before: end.map { "\($0)" }))
    }
    guard holes.count > toldHoles, let first = holes.first, let final = holes.last else {
      return holes
    }
    return [SalvageReport.Gap(after: first.after, before: final.before, isPart: true)]
  }

  private static func write(_ bytes: [UInt8], at offset: Int, of path: String) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data(bytes))
  }
}
