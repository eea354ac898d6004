internal import SectileCore

/// What a composition shows: rows of its inputs, in an order and in sections of its own.
///
/// An arrangement is a value that never changes. It holds on to the versions of its inputs that it
/// shows, and answers every question by asking them: nothing is copied that they can tell.
protocol Arrangement<ItemID, Item>: Sendable {
  associatedtype ItemID: Hashable & Sendable
  associatedtype Item: Sendable

  /// The headers; those of an input, where they are shown as they are.
  var sections: SectionList { get }
  /// What is worked out from all rows: those of the input, where there is one alone.
  ///
  /// Like headers, they are of the input's rows, also where some of them are not shown.
  var aggregates: AggregateValues { get }
  var numberOfSections: Int { get }
  var numberOfItems: Int { get }
  func numberOfItems(in section: Int) -> Int
  func header(ofSection section: Int) -> SourceSection
  func section(withIdentity identity: StoredValue) -> Int?
  func item(at path: ItemPath) throws -> Item
  func id(at path: ItemPath) -> ItemID
  func path(of id: ItemID) -> ItemPath?
  func rank(of path: ItemPath) -> Int
  func path(atRank rank: Int) -> ItemPath

  /// Calls a closure once for each row, with its rank, in an order that is always the same.
  ///
  /// Of the inputs no row is read that is not shown, unless it was read to arrange them.
  func scan(_ body: (ItemID, Item, Int) throws -> Void) throws

  /// Returns which input the item at a path comes from, and where it is there.
  func origin(at path: ItemPath) -> (input: Int, path: ItemPath)

  /// Returns which section of which input a section shows, whole or in part; nil where that is not
  /// one alone.
  func origin(ofSection section: Int) -> (input: Int, section: Int?)

  /// Returns which section of which input a section would show that is not there, because it has no
  /// items; nil where that is not known.
  func origin(ofAbsentSection identity: StoredValue) -> (input: Int, identity: StoredValue)?
}

extension Arrangement {
  var sections: SectionList {
    SectionList(count: numberOfSections) { header(ofSection: $0) }
  }

  /// None: several inputs do not come to anything together.
  var aggregates: AggregateValues { .empty }

  func scan(_ body: (ItemID, Item, Int) throws -> Void) throws { try scanByRank(body) }

  /// The same section of the only, or first, input.
  func origin(ofSection section: Int) -> (input: Int, section: Int?) { (0, section) }

  /// Not known.
  func origin(ofAbsentSection identity: StoredValue) -> (input: Int, identity: StoredValue)? {
    nil
  }

  /// Calls a closure once for each row, by rank.
  ///
  /// - Complexity: O(*n*) look-ups.
  func scanByRank(_ body: (ItemID, Item, Int) throws -> Void) throws {
    var rank = 0
    for section in 0..<numberOfSections {
      for number in 0..<numberOfItems(in: section) {
        let path = ItemPath(section: section, item: number)
        try body(id(at: path), try item(at: path), rank)
        rank += 1
      }
    }
  }
}

/// The arrangement of a composition that shows nothing yet.
struct EmptyArrangement<ItemID: Hashable & Sendable, Item: Sendable>: Arrangement {
  var numberOfSections: Int { 0 }
  var numberOfItems: Int { 0 }
  func numberOfItems(in section: Int) -> Int { absent(ItemPath(section: section, item: 0)) }
  func header(ofSection section: Int) -> SourceSection {
    absent(ItemPath(section: section, item: 0))
  }
  func section(withIdentity identity: StoredValue) -> Int? { nil }
  func item(at path: ItemPath) throws -> Item { absent(path) }
  func id(at path: ItemPath) -> ItemID { absent(path) }
  func path(of id: ItemID) -> ItemPath? { nil }
  func rank(of path: ItemPath) -> Int { absent(path) }
  func path(atRank rank: Int) -> ItemPath { absent(ItemPath(section: 0, item: rank)) }
  func origin(at path: ItemPath) -> (input: Int, path: ItemPath) { absent(path) }

  private func absent<Value>(_ path: ItemPath) -> Value {
    preconditionFailure("there is nothing at \(path): the source is empty")
  }
}
