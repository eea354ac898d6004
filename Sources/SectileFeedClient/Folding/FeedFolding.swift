public import SectileCore

/// Folds the events of a feed into contents.
///
/// ```swift
/// var folding = FeedFolding<Int64, Package>()
/// for event in try parser.take(bytes) {
///   if case .changes(let changes) = try folding.take(event) { print(changes) }
/// }
/// print(folding.contents.count)
/// ```
///
/// ``FeedClient`` does this by itself; it is for those who have a connection of their own.
///
/// What does not fit is refused, and leaves the contents as they were: begin anew then, without a
/// position.
public struct FeedFolding<
  ItemID: Hashable & Sendable & Decodable, Item: Sendable & Decodable
>: Sendable {
  /// What the events add up to.
  public typealias Contents = SectionedContents<ItemID, Item>

  /// What an event meant.
  public enum Outcome: Sendable {
    /// Nothing yet, or nothing that is known here.
    case none
    /// A reset began, with its reason.
    case reset(String)
    /// A reset came to its end: the contents are whole.
    case complete
    /// The contents changed.
    case changes(Changeset<ItemID, Item>)
    /// The contents changed, told by the keys of rows.
    case keyed(KeyedChanges<ItemID, Item>)
    /// The service's source failed, with a code.
    case failed(String)
    /// The service's source was read again.
    case recovered
    /// The service lets go of the client.
    case dropped
  }

  /// The contents as last known as a whole.
  public private(set) var contents = Contents()
  /// Whether ``contents`` are what the service has told: false before the first reset has come to
  /// its end, and while another is under way.
  public private(set) var isWhole = false
  /// The format of the last reset.
  private(set) var format: Int?
  private var coming: Coming?
  /// The identities of all rows, so that none comes twice.
  private var known: Set<IdentityKey<ItemID>> = []

  /// Creates empty contents.
  public init() {}

  /// Takes an event in.
  ///
  /// - Parameter event: What the service says; a name that is not known says nothing.
  /// - Returns: What it meant.
  /// - Throws: ``FeedClientError`` with `unknownFormat`, `unreadable`, `noItems` or `inconsistent`;
  ///   with `refused` where the service says that the client is not allowed any more.
  /// - Complexity: O(*n* + *c* log *c*) for *n* rows in the sections that change; that of decoding.
  public mutating func take(
    _ event: EventStreamParser.Event
  ) throws(FeedClientError) -> Outcome {
    switch event.name {
    case "reset": return .reset(try begin(try FeedJSON.head(event)))
    case "rows":
      try append(try FeedJSON.decode(Part.self, event))
      return .none
    case "complete":
      try complete(try FeedJSON.head(event))
      return .complete
    case "changes":
      let changes = try FeedJSON.decode(Changeset<ItemID, Item>.self, event)
      try apply(changes)
      return .changes(changes)
    case "keyed":
      let changes = try FeedJSON.decode(KeyedChanges<ItemID, Item>.self, event)
      try apply(changes)
      return .keyed(changes)
    case "sections": throw .noItems
    case "failed": return .failed(try FeedJSON.head(event).code ?? "unknown")
    case "recovered":
      _ = try FeedJSON.head(event)
      return .recovered
    case "dropped":
      _ = try FeedJSON.head(event)
      return .dropped
    case "refused":
      _ = try FeedJSON.head(event)
      throw .notAllowedAnyMore
    default: return .none
    }
  }

  // MARK: - Resets

  /// Contents that are on their way.
  private struct Coming {
    var contents: Contents
    /// How many rows they have by now.
    var count = 0
    /// How many rows they have in the end.
    let rows: Int?
  }

  private struct Part: Decodable, FormattedJSON {
    struct Section: Decodable {
      let section: Int
      let item: Int
      let header: SourceSection?
      let rows: [Contents.Row]
    }

    let format: Int?
    let version: Int
    let sections: [Section]
  }

  private mutating func begin(_ head: FeedJSON.Head) throws(FeedClientError) -> String {
    guard let version = head.version else { throw .unreadable("reset") }
    isWhole = false
    format = head.format
    coming = Coming(
      contents: Contents(version: version, aggregates: head.aggregates ?? .empty), rows: head.rows)
    return head.reason ?? ""
  }

  private mutating func append(_ part: Part) throws(FeedClientError) {
    guard var next = coming, next.contents.version == part.version else {
      throw .inconsistent()
    }
    // Held once: what is appended to is not copied.
    coming = nil
    for section in part.sections {
      if let header = section.header {
        next.contents.sections.append(Contents.Section(header: header))
      }
      let last = next.contents.sections.count - 1
      guard last >= 0, section.section == last,
        section.item == next.contents.sections[last].rows.count
      else { throw .inconsistent() }
      next.count += section.rows.count
      // One that tells more than it said would have no end.
      guard next.count <= next.rows ?? .max else { throw .inconsistent() }
      next.contents.sections[last].rows += section.rows
    }
    coming = next
  }

  private mutating func complete(_ head: FeedJSON.Head) throws(FeedClientError) {
    guard let coming, head.version == coming.contents.version else { throw .inconsistent() }
    let contents = coming.contents
    guard coming.rows ?? coming.count == coming.count else { throw .inconsistent() }
    var known: Set<IdentityKey<ItemID>> = []
    known.reserveCapacity(coming.count)
    for section in contents.sections {
      for row in section.rows where !known.insert(IdentityKey(row.id)).inserted {
        throw .inconsistent()
      }
    }
    try Self.requireDistinctSections(contents)
    (self.contents, self.known, self.coming, isWhole) = (contents, known, nil, true)
  }

  // MARK: - Changes

  private mutating func apply(_ changes: Changeset<ItemID, Item>) throws(FeedClientError) {
    guard isWhole else { throw .inconsistent() }
    for insert in changes.inserts where known.contains(IdentityKey(insert.id)) {
      throw .inconsistent()
    }
    let next: Contents
    do { next = try contents.applying(changes) } catch { throw .inconsistent(error) }
    if !(changes.sectionInserts.isEmpty && changes.sectionUpdates.isEmpty
      && changes.sectionMoves.isEmpty)
    {
      try Self.requireDistinctSections(next)
    }
    for delete in changes.deletes { known.remove(IdentityKey(delete.id)) }
    for insert in changes.inserts where !known.insert(IdentityKey(insert.id)).inserted {
      // One row comes twice: what is known of identities is of no use any more.
      isWhole = false
      throw .inconsistent()
    }
    contents = next
  }

  private mutating func apply(_ changes: KeyedChanges<ItemID, Item>) throws(FeedClientError) {
    guard isWhole else { throw .inconsistent() }
    do { try contents.apply(changes) } catch { throw .inconsistent(error) }
    for id in changes.deletes { known.remove(IdentityKey(id)) }
    for upsert in changes.upserts { known.insert(IdentityKey(upsert.id)) }
  }

  private static func requireDistinctSections(
    _ contents: Contents
  ) throws(FeedClientError) {
    let identities = Set(contents.sections.map(\.header.identity))
    guard identities.count == contents.sections.count else { throw .inconsistent() }
  }
}
