/// The whole contents of a source at one version, as a plain value.
///
/// It is what a client keeps that is fed by changesets, and what tests compare with:
///
/// ```swift
/// var contents = SectionedContents<Int64, Package>()
/// for await changeset in results.changesets {
///   try contents.apply(changeset)
/// }
/// ```
public struct SectionedContents<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// An item and what identifies it.
  public struct Row: Sendable {
    /// The item's identity.
    public var id: ItemID
    /// The item.
    public var item: Item

    /// Creates a row.
    public init(id: ItemID, item: Item) {
      self.id = id
      self.item = item
    }
  }

  /// A section's header and its rows.
  public struct Section: Sendable {
    /// The header.
    public var header: SourceSection
    /// The rows, in order.
    public var rows: [Row]

    /// Creates a section.
    public init(header: SourceSection, rows: [Row] = []) {
      self.header = header
      self.rows = rows
    }
  }

  /// The version the contents are at.
  public var version: Int
  /// What is worked out from all rows; none, unless the source was asked for it.
  public var aggregates: AggregateValues
  /// The sections, in order.
  public var sections: [Section]

  /// Creates contents, empty at version zero unless told otherwise.
  public init(
    version: Int = 0, sections: [Section] = [], aggregates: AggregateValues = .empty
  ) {
    self.version = version
    self.aggregates = aggregates
    self.sections = sections
  }

  /// The number of rows in all sections.
  public var count: Int { sections.reduce(0) { $0 + $1.rows.count } }

  /// The row at a path.
  ///
  /// - Precondition: The path exists.
  public subscript(path: ItemPath) -> Row {
    sections[path.section].rows[path.item]
  }
}

extension SectionedContents.Row: Equatable where Item: Equatable {
  /// Returns whether identity and item are the same; texts in the identity, byte by byte.
  public static func == (left: Self, right: Self) -> Bool {
    IdentityKey(left.id) == IdentityKey(right.id) && left.item == right.item
  }
}

extension SectionedContents.Row: Hashable where Item: Hashable {
  /// Feeds identity and item to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(IdentityKey(id))
    hasher.combine(item)
  }
}

extension SectionedContents.Section: Equatable where Item: Equatable {}
extension SectionedContents.Section: Hashable where Item: Hashable {}
extension SectionedContents: Equatable where Item: Equatable {}
extension SectionedContents: Hashable where Item: Hashable {}

extension SectionedContents: CustomStringConvertible {
  /// The sections and the identities of their rows: `A:[#1 #2]; B:[#3]`, or `(empty)`.
  public var description: String {
    if sections.isEmpty { return "(empty)" }
    return sections.map { section in
      let rows = section.rows.map { "#\(IdentityText.text(of: $0.id))" }.joined(separator: " ")
      return "\(section.header.identity.label):[\(rows)]"
    }.joined(separator: "; ")
  }
}
