/// Where an item goes that is moved, in the terms of the sources below all compositions.
package struct ItemGoal: Sendable {
  /// A place in a source.
  package enum Place: Hashable, Sendable {
    /// A path, of the contents without the item that goes there.
    case path(ItemPath)
    /// A section that the source does not show, since it has no items, by its identity there.
    case emptySection(StoredValue)
  }

  /// The source that the item goes into; mostly its own.
  package let source: any DataSource
  /// Where it goes there.
  package let place: Place

  package init(source: any DataSource, place: Place) {
    self.source = source
    self.place = place
  }
}

/// An item that is moved, as the source calls it that holds it.
package struct MovedItem: Sendable {
  /// What tells which item it is.
  package enum Name: Sendable {
    /// Its path now: it must be what the source shows.
    case path(ItemPath)
    /// Its identity, and what it must be; nil for whatever it is.
    case id(any Hashable & Sendable, ifStill: (any Sendable)?)
  }

  /// The source that holds the item, below all compositions.
  package let source: any DataSource
  /// Which item it is.
  package let name: Name

  package init(source: any DataSource, name: Name) {
    self.source = source
    self.name = name
  }
}

/// A source that takes in items at places that no path of its own leads to, and items of other
/// sources: two results of one store, say, which show rows of one table.
package protocol PlaceTaking<ItemID, Item>: ItemMoving, ItemInserting {
  /// Returns whether items of a source, which may be this one, can move to a place.
  func canTake(from source: any DataSource, to place: ItemGoal.Place) -> Bool

  /// Moves an item to a place.
  ///
  /// - Throws: What keeps the source from it. Nothing has changed then.
  func take(_ item: MovedItem, to place: ItemGoal.Place) throws

  /// Inserts an item into a section that the source does not show, since it has no items.
  ///
  /// - Throws: What keeps the source from it. Nothing has changed then.
  func insert(_ item: Item, intoEmptySection identity: StoredValue) throws
}

extension ItemGoal {
  /// Moves an item here.
  ///
  /// - Parameters:
  ///   - path: Where the item is in its own source.
  ///   - source: That source.
  /// - Throws: What keeps the sources from it.
  package func move(from path: ItemPath, of source: any ItemMoving) throws {
    if self.source === source, case .path(let place) = place {
      if place != path { try source.move(from: path, to: place) }
      return
    }
    guard let taker = self.source as? any PlaceTaking else {
      throw DataSourceError.differentSources(source, self.source)
    }
    try taker.take(MovedItem(source: source, name: .path(path)), to: place)
  }
}
