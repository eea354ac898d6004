internal import SectileCore
internal import Synchronization

/// The contents at one version as JSON, in parts: what clients get that come together.
///
/// A part is read and encoded when the first of them asks for it. Parts are at hand for the others
/// up to a cap; beyond it a few of the last, so that no contents are in memory whole that are
/// larger.
///
/// What is divided are *units*: each header is one, and each row. So a part has its size whether
/// sections are empty or long.
///
/// ```text
///  unit   0   1  2  3   4   5  6  7   8
///         A   a  b  c   B   C  d  e   f        parts of four units: A a b c │ B C d e │ f
/// ```
///
/// In a shape without items, headers are the only units.
final class SharedReset<Snapshot: DataSourceSnapshot>: Sendable {
  typealias Shape = FeedShape<Snapshot.ItemID, Snapshot.Item>

  /// How many parts are at hand beyond the cap.
  private static var partLimit: Int { 8 }

  let snapshot: Snapshot
  let shape: Shape
  private let unitsPerPart: Int
  private let byteLimit: Int
  private let sections: SectionList

  // MARK: - Mutable state
  //
  // All of it guarded by `parts`; parts are made outside of it.
  private struct Parts {
    /// Those within the cap.
    ///
    /// None of them goes for another: clients read from the first to the last, and what
    /// went would be asked for again before what came.
    var kept: [Int: Once<[UInt8]>] = [:]
    var bytes = 0
    /// The last ones, the oldest first.
    var last: [(number: Int, json: Once<[UInt8]>)] = []

    mutating func part(_ number: Int) -> Once<[UInt8]> {
      if let known = kept[number] { return known }
      if let known = last.first(where: { $0.number == number }) { return known.json }
      let json = Once<[UInt8]>()
      last.append((number, json))
      if last.count > SharedReset.partLimit { last.removeFirst() }
      return json
    }
  }

  private let parts = Mutex(Parts())

  init(of snapshot: Snapshot, in shape: Shape, _ configuration: FeedConfiguration) {
    self.snapshot = snapshot
    self.shape = shape
    unitsPerPart = configuration.rowsPerPart
    byteLimit = configuration.resetBytes
    sections = snapshot.sections
  }

  private var unitCount: Int {
    sections.count + (shape.isStructural ? 0 : snapshot.numberOfItems)
  }

  /// How many parts there are.
  var partCount: Int { (unitCount + unitsPerPart - 1) / unitsPerPart }

  /// Returns a part as JSON.
  ///
  /// - Parameter number: The part, in `0..<partCount`.
  /// - Returns: Its JSON.
  /// - Throws: What reading and shaping the items throws.
  func part(_ number: Int) async throws -> [UInt8] {
    let part = parts.withLock { $0.part(number) }
    let (json, isNew) = try await part.value { try encode(number) }
    if isNew {
      parts.withLock { parts in
        guard parts.bytes + json.count <= byteLimit else { return }
        parts.kept[number] = part
        parts.bytes += json.count
      }
    }
    return json
  }

  private func encode(_ number: Int) throws -> [UInt8] {
    let units = number * unitsPerPart..<min(unitCount, (number + 1) * unitsPerPart)
    return switch shape.contents {
    case .items(_, let appendRow): try encode(units, appendRow)
    case .structure: try encode(sections: units)
    }
  }

  private func encode(sections numbers: Range<Int>) throws -> [UInt8] {
    var bytes = FeedJSON.partHead(version: snapshot.version)
    for section in numbers {
      if section > numbers.lowerBound { bytes.append(UInt8(ascii: ",")) }
      try FeedJSON.appendSection(
        section, header: sections[section], count: snapshot.numberOfItems(in: section), to: &bytes)
    }
    bytes += "]}".utf8
    return bytes
  }

  private func encode(
    _ units: Range<Int>,
    _ appendRow: (Snapshot.ItemID, Snapshot.Item, inout [UInt8]) throws -> Void
  ) throws -> [UInt8] {
    let end = units.upperBound
    var unit = units.lowerBound
    var bytes = FeedJSON.partHead(version: snapshot.version)
    var section = section(ofUnit: unit)
    while unit < end {
      let start = start(ofSection: section)
      let count = snapshot.numberOfItems(in: section)
      let first = max(0, unit - start - 1)
      let last = min(count, end - start - 1)
      if unit > units.lowerBound { bytes.append(UInt8(ascii: ",")) }
      try FeedJSON.appendSection(
        section, header: unit == start ? sections[section] : nil, from: first, to: &bytes)
      for item in first..<last {
        if item > first { bytes.append(UInt8(ascii: ",")) }
        let path = ItemPath(section: section, item: item)
        try appendRow(snapshot.id(at: path), try snapshot.item(at: path), &bytes)
      }
      bytes += "]}".utf8
      unit = start + 1 + last
      section += 1
    }
    bytes += "]}".utf8
    return bytes
  }

  /// The unit that a section's header is.
  private func start(ofSection section: Int) -> Int {
    snapshot.rank(of: ItemPath(section: section, item: 0)) + section
  }

  private func section(ofUnit unit: Int) -> Int {
    sections.indices.partitioningIndex { start(ofSection: $0) > unit } - 1
  }
}
