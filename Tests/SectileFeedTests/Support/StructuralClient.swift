import Foundation
import SectileCore
import SectileFeed

/// A client of a feed without items: it keeps sections with their counts, and the identities that
/// it was told of, and complains of what does not fit.
struct StructuralClient<ItemID: Hashable & Sendable & Decodable>: Sendable {
  /// What a client finds wrong.
  struct Complaint: Error, CustomStringConvertible {
    let description: String
  }

  /// A section; rows whose identities were not told are nil.
  struct Section: Sendable {
    var header: SourceSection
    var rows: [ItemID?]
  }

  /// The version of what is kept; nil before the first reset, and while one is under way.
  private(set) var version: Int?
  private(set) var sections: [Section] = []
  private(set) var aggregates = AggregateValues.empty
  private(set) var position: FeedPosition?
  private(set) var kinds: [FeedEvent.Kind] = []
  private(set) var reasons: [String] = []
  /// How many bytes of JSON came.
  private(set) var byteCount = 0
  /// How often a section moved.
  private(set) var sectionMoveCount = 0
  private var announced = StructuralJSON.Head()

  /// How many rows there are.
  var count: Int { sections.reduce(0) { $0 + $1.rows.count } }
  /// How many identities are known.
  var knownCount: Int { sections.reduce(0) { $0 + $1.rows.count { $0 != nil } } }

  /// Takes in an event.
  mutating func take(_ event: FeedEvent) throws {
    kinds.append(event.kind)
    byteCount += event.json.count
    let data = Data(event.json)
    switch event.kind {
    case .reset:
      announced = try JSONDecoder().decode(StructuralJSON.Head.self, from: data)
      reasons.append(announced.reason ?? "")
      aggregates = announced.aggregates ?? .empty
      (version, sections) = (nil, [])
    case .sections:
      try append(JSONDecoder().decode(StructuralJSON.Part.self, from: data))
    case .complete: try complete(JSONDecoder().decode(StructuralJSON.Head.self, from: data))
    case .changes:
      try apply(JSONDecoder().decode(StructuralJSON.Changes<ItemID>.self, from: data))
    case .keyed: try apply(JSONDecoder().decode(StructuralJSON.Keyed<ItemID>.self, from: data))
    default: throw Complaint(description: "\(event.kind) is not for clients without items")
    }
    guard (event.position != nil) == (version != nil) else {
      throw Complaint(description: "\(event.kind) has a position where it must not, or has none")
    }
    position = event.position
  }

  /// Takes in what comes up to a version.
  mutating func take(_ iterator: inout FeedEvents.Iterator, to target: Int) async throws {
    while version.map({ $0 < target }) ?? true {
      guard let event = await iterator.next() else {
        throw Complaint(description: "it ended before version \(target)")
      }
      try take(event)
    }
  }

  private mutating func append(_ part: StructuralJSON.Part) throws {
    try require(version == nil && part.version == announced.version, "a part of nothing")
    for section in part.sections {
      try require(section.section == sections.count, "section \(section.section) has a gap")
      sections.append(
        Section(header: section.header, rows: Array(repeating: nil, count: section.count)))
    }
  }

  private mutating func complete(_ head: StructuralJSON.Head) throws {
    try require(
      head.version == announced.version && sections.count == announced.sections
        && count == announced.rows, "\(count) rows came of \(announced.rows ?? -1)")
    version = head.version
  }

  private mutating func apply(_ changes: StructuralJSON.Changes<ItemID>) throws {
    try require(version == changes.sourceVersion, "changes of another version")
    let (rows, lists) = (changes.rows, changes.sections)
    let removed = rows.deletes.map { ($0.path, $0.id) } + rows.moves.map { ($0.source, $0.id) }
    for (path, id) in rows.updates.map({ ($0.source, $0.id) }) { try note(id, at: path) }
    for (path, id) in removed.sorted(by: { $0.0 > $1.0 }) {
      try note(id, at: path)
      sections[path.section].rows.remove(at: path.item)
    }
    var moving: [Int: Section] = [:]
    let gone =
      lists.deletes.map { ($0.section, Int?.none) } + lists.moves.map { ($0.source, $0.target) }
    for (ordinal, target) in gone.sorted(by: { $0.0 > $1.0 }) {
      let section = sections.remove(at: ordinal)
      if let target {
        moving[target] = section
      } else {
        try require(section.rows.isEmpty, "section \(ordinal) is gone with rows in it")
      }
    }
    for move in lists.moves { moving[move.target]?.header = move.header }
    for insert in lists.inserts {
      moving[insert.section] = Section(header: insert.header, rows: [])
    }
    for (ordinal, section) in moving.sorted(by: { $0.key < $1.key }) {
      try require(ordinal <= sections.count, "section \(ordinal) has no place")
      sections.insert(section, at: ordinal)
    }
    sectionMoveCount += lists.moves.count
    for update in lists.updates { sections[update.target].header = update.header }
    let added = rows.inserts.map { ($0.path, $0.id) } + rows.moves.map { ($0.target, $0.id) }
    for (path, id) in added.sorted(by: { $0.0 < $1.0 }) {
      try require(
        path.section < sections.count && path.item <= sections[path.section].rows.count,
        "\(path) has no place")
      sections[path.section].rows.insert(id, at: path.item)
    }
    for update in rows.updates { try note(update.id, at: update.target) }
    if let contents = changes.contents { aggregates = contents.after }
    version = changes.targetVersion
  }

  /// Takes sections and counts; where other rows went that were known is not told.
  private mutating func apply(_ changes: StructuralJSON.Keyed<ItemID>) throws {
    try require(version != nil, "keyed changes of nothing")
    sections = changes.sections.map {
      Section(header: $0.header, rows: Array(repeating: nil, count: $0.count))
    }
    for upsert in changes.upserts { try note(upsert.id, at: upsert.path) }
    aggregates = changes.aggregates ?? .empty
    version = changes.targetVersion
  }

  /// Keeps an identity, which must be the one that is known.
  private mutating func note(_ id: ItemID, at path: ItemPath) throws {
    guard sections.indices.contains(path.section),
      sections[path.section].rows.indices.contains(path.item)
    else { throw Complaint(description: "there is no row at \(path)") }
    let known = sections[path.section].rows[path.item]
    try require(known == nil || known == id, "at \(path) is \(known as Any), not \(id)")
    sections[path.section].rows[path.item] = id
  }

  private func require(_ isTrue: Bool, _ complaint: @autoclosure () -> String) throws {
    if !isTrue { throw Complaint(description: complaint()) }
  }

  /// Says how what is kept differs from contents; nil where it does not.
  func difference<Snapshot: DataSourceSnapshot>(from snapshot: Snapshot) -> String?
  where Snapshot.ItemID == ItemID {
    guard version == snapshot.version else { return "version \(version ?? -1)" }
    guard sections.map(\.header) == Array(snapshot.sections) else { return "other sections" }
    guard aggregates == snapshot.aggregates else { return "other aggregates" }
    for (section, kept) in sections.enumerated() {
      guard kept.rows.count == snapshot.numberOfItems(in: section) else {
        return "section \(section) has \(kept.rows.count) rows"
      }
      for (item, id) in kept.rows.enumerated() where id != nil {
        let path = ItemPath(section: section, item: item)
        if snapshot.id(at: path) != id { return "another row at \(path)" }
      }
    }
    return nil
  }
}

/// The JSON of a feed without items, read strictly: a member `item` that is there is a mistake.
enum StructuralJSON {
  struct Head: Decodable {
    var version: Int?
    var reason: String?
    var sections: Int?
    var rows: Int?
    var aggregates: AggregateValues?
  }

  struct Part: Decodable {
    struct Section: Decodable {
      let section: Int
      let header: SourceSection
      let count: Int
    }

    let version: Int
    let sections: [Section]
  }

  struct Keyed<ItemID: Decodable>: Decodable {
    struct Section: Decodable {
      let header: SourceSection
      let count: Int
    }

    let targetVersion: Int
    let deletes: [ItemID]
    let upserts: [Row<ItemID>]
    let sections: [Section]
    let aggregates: AggregateValues?
  }

  struct Changes<ItemID: Decodable>: Decodable {
    struct Sections: Decodable {
      let deletes: [Section]
      let inserts: [Section]
      let moves: [SectionMove]
      let updates: [SectionMove]
    }

    struct Rows: Decodable {
      let deletes: [Row<ItemID>]
      let inserts: [Row<ItemID>]
      let moves: [Move<ItemID>]
      let updates: [Move<ItemID>]
    }

    let sourceVersion: Int
    let targetVersion: Int
    let contents: ContentsUpdate?
    let sections: Sections
    let rows: Rows
  }

  struct Section: Decodable {
    let section: Int
    let header: SourceSection
  }

  struct SectionMove: Decodable {
    let source: Int
    let target: Int
    let header: SourceSection
  }

  struct Row<ItemID: Decodable>: Decodable {
    let path: ItemPath
    let id: ItemID
    let item: Forbidden?
  }

  struct Move<ItemID: Decodable>: Decodable {
    let source: ItemPath
    let target: ItemPath
    let id: ItemID
    let item: Forbidden?
  }

  /// What must not be there.
  struct Forbidden: Decodable {
    init(from decoder: any Decoder) throws {
      throw DecodingError.dataCorruptedError(
        in: try decoder.singleValueContainer(), debugDescription: "an item was told")
    }
  }
}
