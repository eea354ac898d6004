import Foundation
import SectileCore
import SectileFeed

/// A client that knows nothing but the bytes it is told, and complains of what does not fit.
struct FeedClient<ItemID: Hashable & Sendable & Decodable, Item: Sendable & Decodable>: Sendable {
  typealias Contents = SectionedContents<ItemID, Item>

  /// What a client finds wrong.
  struct Complaint: Error, CustomStringConvertible {
    let description: String
  }

  private struct Head: Decodable {
    let format: Int
    let version: Int?
    let reason: String?
    let code: String?
    let rows: Int?
  }

  private struct Part: Decodable {
    struct Section: Decodable {
      let section: Int
      let item: Int
      let header: SourceSection?
      let rows: [Contents.Row]
    }

    let version: Int
    let sections: [Section]
  }

  /// The contents; nil before the first reset, and while one is under way.
  private(set) var contents: Contents?
  private(set) var position: FeedPosition?
  private(set) var kinds: [FeedEvent.Kind] = []
  /// Why contents were reset.
  private(set) var reasons: [String] = []
  /// The codes of failures.
  private(set) var codes: [String] = []
  private var coming: Contents?
  private var announced = 0

  /// Takes in an event.
  mutating func take(_ event: FeedEvent) throws {
    let data = Data(event.json)
    kinds.append(event.kind)
    if event.kind == .rows {
      try append(JSONDecoder().decode(Part.self, from: data))
    } else if event.kind == .changes {
      let changes = try JSONDecoder().decode(Changeset<ItemID, Item>.self, from: data)
      guard contents != nil else { throw Complaint(description: "changes of nothing") }
      try contents?.apply(changes)
    } else if event.kind == .keyed {
      let changes = try JSONDecoder().decode(KeyedChanges<ItemID, Item>.self, from: data)
      guard contents != nil else { throw Complaint(description: "keyed changes of nothing") }
      try contents?.apply(changes)
    } else {
      try take(event.kind, JSONDecoder().decode(Head.self, from: data))
    }
    let isWhole = contents != nil
    guard (event.position != nil) == isWhole else {
      throw Complaint(description: "\(event.kind) has a position where it must not, or has none")
    }
    position = event.position
  }

  private mutating func take(_ kind: FeedEvent.Kind, _ head: Head) throws {
    switch kind {
    case .reset:
      reasons.append(head.reason ?? "")
      contents = nil
      coming = Contents(version: head.version ?? -1)
      announced = head.rows ?? -1
    case .complete:
      guard let coming, head.version == coming.version, coming.count == announced else {
        throw Complaint(description: "\(coming?.count ?? -1) rows came of \(announced)")
      }
      contents = coming
      self.coming = nil
    case .failed: codes.append(head.code ?? "")
    default: break
    }
  }

  private mutating func append(_ part: Part) throws {
    guard coming?.version == part.version else { throw Complaint(description: "a part of nothing") }
    for section in part.sections {
      if let header = section.header { coming?.sections.append(.init(header: header)) }
      let count = coming?.sections.count ?? 0
      guard section.section == count - 1,
        coming?.sections[section.section].rows.count == section.item
      else { throw Complaint(description: "section \(section.section) has a gap") }
      coming?.sections[section.section].rows += section.rows
    }
  }

  /// Takes in everything to the end.
  mutating func take(all events: FeedEvents) async throws {
    for await event in events { try take(event) }
  }

  /// Takes in what comes up to a version.
  mutating func take(_ iterator: inout FeedEvents.Iterator, to version: Int) async throws {
    while contents.map({ $0.version < version }) ?? true {
      guard let event = await iterator.next() else {
        throw Complaint(description: "it ended before version \(version)")
      }
      try take(event)
    }
  }
}

typealias SongClient = FeedClient<Int64, Song>

extension FeedPosition {
  /// The text of a position, handed back as a client would.
  var handedBack: FeedPosition? { FeedPosition(description) }
}
