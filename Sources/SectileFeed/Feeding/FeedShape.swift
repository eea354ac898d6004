internal import SectileCore

/// What clients of a ``Feed`` see of each item, and the encoding that they share.
///
/// A shape rewrites items; it leaves none out, since paths would not fit then. Who may see some
/// rows only gets a feed of a source that has no others: another request, or `source.filter { … }`.
///
/// ```swift
/// let forGuests = FeedShape<Int64, Package>("guest") { PublicPackage(name: $0.name) }
/// let whole = FeedShape<Int64, Package>("whole")
/// ```
///
/// What a changeset is in a shape is encoded once for all clients that have *this* shape: make one
/// of each kind and hand it out again. Two shapes share nothing, whatever their names are, so that
/// what was encoded for one client never reaches another of a shape of its own; each of them costs
/// an encoding, though. The name is part of a ``FeedPosition``: a client goes on where it was in a
/// shape of the same name, which has to mean the same to it.
///
/// A *structural* shape tells no items at all, and none is read for it: sections with their counts,
/// and where rows come, go and move. It is for clients that ask for the rows that they show, by
/// their places: see ``structural(_:)``.
public final class FeedShape<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// What tells positions in this shape from those in others.
  public let name: String
  private let changeset: @Sendable (Changeset<ItemID, Item>) throws -> [UInt8]
  let contents: Contents

  /// How contents are told, and what became of their rows.
  enum Contents: Sendable {
    /// With their items.
    case items(
      keyed: @Sendable (KeyedChanges<ItemID, Item>) throws -> [UInt8],
      row: @Sendable (ItemID, Item, inout [UInt8]) throws -> Void)
    /// Without.
    case structure(keyed: @Sendable (KeyedChanges<ItemID, NoItem>) throws -> [UInt8])
  }

  private init(
    _ name: String, _ contents: Contents,
    changeset: @escaping @Sendable (Changeset<ItemID, Item>) throws -> [UInt8]
  ) {
    self.name = name
    self.contents = contents
    self.changeset = changeset
  }

  /// Creates a shape.
  ///
  /// - Parameters:
  ///   - name: What tells positions in this shape from those in others.
  ///   - shaped: Returns what clients see of an item. It is called outside of every lock, by the
  ///     client that needs it first. What it throws makes that changeset unreadable: all get a
  ///     reset.
  public convenience init<Shaped: Encodable & Sendable>(
    _ name: String, _ shaped: @escaping @Sendable (Item) throws -> Shaped
  ) where ItemID: Encodable {
    let contents = Contents.items(
      keyed: { changes in
        try ExactJSON.encode(changes.shaped { ShapedItem(item: $0, shaped: shaped) })
      },
      row: { id, item, bytes in
        bytes += "{\"id\":".utf8
        try ExactJSON.append(id, to: &bytes)
        bytes += ",\"item\":".utf8
        try ExactJSON.append(try shaped(item), to: &bytes)
        bytes.append(UInt8(ascii: "}"))
      })
    self.init(name, contents) { changes in
      try ExactJSON.encode(changes.shaped { ShapedItem(item: $0, shaped: shaped) })
    }
  }

  /// Creates a shape that shows items as they are.
  ///
  /// - Parameter name: What tells positions in this shape from those in others.
  public convenience init(_ name: String = "whole") where ItemID: Encodable, Item: Encodable {
    self.init(name) { $0 }
  }

  /// Creates a shape without items, for clients that keep sections and counts, and ask for the rows
  /// that they show.
  ///
  /// A reset is ``FeedEvent/Kind/sections`` instead of ``FeedEvent/Kind/rows``: its size is that of
  /// the sections, however many rows they have. Changesets, and what became of rows by key, have
  /// their paths and identities, and no member `item`. No item is read for it. Positions, merging
  /// and whatever else is as in other shapes, and a position in it is none in a shape with items of
  /// the same name.
  ///
  /// ```swift
  /// let structure = FeedShape<Int64, Package>.structural()
  /// let feed = Feed(of: results) { (client: Client) in client.wantsItems ? whole : structure }
  /// ```
  ///
  /// - Parameter name: What tells positions in this shape from those in others.
  /// - Returns: The shape.
  public static func structural(_ name: String = "structure") -> FeedShape
  where ItemID: Encodable {
    let contents = Contents.structure { try ExactJSON.encode(KeyedStructure($0)) }
    return FeedShape(name, contents) { try ExactJSON.encode(ChangesetStructure($0)) }
  }

  /// Whether clients are told no items.
  var isStructural: Bool {
    if case .structure = contents { true } else { false }
  }

  func encode(_ changes: Changeset<ItemID, Item>) throws -> [UInt8] { try changeset(changes) }

  /// Returns what became of rows, read from the contents now, and what encodes it.
  ///
  /// - Throws: What reading the items throws, where they are told.
  func answer<Snapshot: DataSourceSnapshot>(
    to snapshot: Snapshot, touching identities: [ItemID]
  ) throws -> @Sendable () throws -> [UInt8]
  where Snapshot.ItemID == ItemID, Snapshot.Item == Item {
    switch contents {
    case .items(let keyed, _):
      let changes = try KeyedChanges(to: snapshot, touching: identities)
      return { try keyed(changes) }
    case .structure(let keyed):
      let changes = try KeyedChanges<ItemID, NoItem>(to: snapshot, touching: identities) { paths in
        Array(repeating: NoItem(), count: paths.count)
      }
      return { try keyed(changes) }
    }
  }
}

/// An item that takes its shape when it is encoded.
private struct ShapedItem<Item: Sendable, Shaped: Encodable & Sendable>: Encodable, Sendable {
  let item: Item
  let shaped: @Sendable (Item) throws -> Shaped

  func encode(to encoder: any Encoder) throws { try shaped(item).encode(to: encoder) }
}
