internal import SectileCore

/// What a source knows of its items beside their identity.
struct ItemRules<Item: Sendable>: Sendable {
  /// Returns whether two items of one identity are the same in every respect.
  var isEqual: @Sendable (Item, Item) -> Bool
  /// Returns what changesets remember of an item, for merging them.
  var fingerprint: (@Sendable (Item) -> RowFingerprint)?
  /// Returns the section an item belongs to; nil puts all items into one.
  var section: (@Sendable (Item) -> SourceSection)?

  init(
    isEqual: @escaping @Sendable (Item, Item) -> Bool,
    section: (@Sendable (Item) -> SourceSection)? = nil
  ) {
    self.isEqual = isEqual
    self.section = section
  }

  /// Creates rules for items that can be hashed.
  init(hashingWith section: (@Sendable (Item) -> SourceSection)?) where Item: Hashable {
    self.init(isEqual: ==, section: section)
    fingerprint = { RowFingerprint(content: UInt64(bitPattern: Int64($0.hashValue))) }
  }

  /// Returns the section of an item.
  func header(of item: Item) -> SourceSection {
    section?(item) ?? SourceSection(identity: .null, title: "")
  }
}
