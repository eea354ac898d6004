internal import SectileCore

/// What clients of a ``Feed`` see of each item, and the encoding that they share.
///
/// A shape rewrites items; it leaves none out, since paths would not fit then. Who may see some rows only gets
/// a feed of a source that has no others: another request, or `source.filter { … }`.
///
/// ```swift
/// let forGuests = FeedShape<Int64, Package>("guest") { PublicPackage(name: $0.name) }
/// let whole = FeedShape<Int64, Package>("whole")
/// ```
///
/// What a changeset is in a shape is encoded once for all clients that have *this* shape: make one of each
/// kind and hand it out again. Two shapes share nothing, whatever their names are, so that what was encoded
/// for one client never reaches another of a shape of its own; each of them costs an encoding, though. The
/// name is part of a ``FeedPosition``: a client goes on where it was in a shape of the same name, which
/// has to mean the same to it.
public final class FeedShape<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// What tells positions in this shape from those in others.
  public let name: String
  private let changeset: @Sendable (Changeset<ItemID, Item>) throws -> [UInt8]
  private let keyed: @Sendable (KeyedChanges<ItemID, Item>) throws -> [UInt8]
  private let row: @Sendable (ItemID, Item, inout [UInt8]) throws -> Void

  /// Creates a shape.
  ///
  /// - Parameters:
  ///   - name: What tells positions in this shape from those in others.
  ///   - shaped: Returns what clients see of an item. It is called outside of every lock, by the client
  ///     that needs it first. What it throws makes that changeset unreadable: all get a reset.
  public init<Shaped: Encodable & Sendable>(
    _ name: String, _ shaped: @escaping @Sendable (Item) throws -> Shaped
  ) where ItemID: Encodable {
    self.name = name
    changeset = { changes in
      try ExactJSON.encode(changes.shaped { ShapedItem(item: $0, shaped: shaped) })
    }
    keyed = { changes in
      try ExactJSON.encode(changes.shaped { ShapedItem(item: $0, shaped: shaped) })
    }
    row = { id, item, bytes in
      bytes += "{\"id\":".utf8
      try ExactJSON.append(id, to: &bytes)
      bytes += ",\"item\":".utf8
      try ExactJSON.append(try shaped(item), to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Creates a shape that shows items as they are.
  ///
  /// - Parameter name: What tells positions in this shape from those in others.
  public convenience init(_ name: String = "whole") where ItemID: Encodable, Item: Encodable {
    self.init(name) { $0 }
  }

  func encode(_ changes: Changeset<ItemID, Item>) throws -> [UInt8] { try changeset(changes) }

  func encode(_ changes: KeyedChanges<ItemID, Item>) throws -> [UInt8] { try keyed(changes) }

  func appendRow(_ id: ItemID, _ item: Item, to bytes: inout [UInt8]) throws {
    try row(id, item, &bytes)
  }
}

/// An item that takes its shape when it is encoded.
private struct ShapedItem<Item: Sendable, Shaped: Encodable & Sendable>: Encodable, Sendable {
  let item: Item
  let shaped: @Sendable (Item) throws -> Shaped

  func encode(to encoder: any Encoder) throws { try shaped(item).encode(to: encoder) }
}
