extension SectionedContents {
  /// Returns the contents that keyed changes lead to.
  ///
  /// See ``apply(_:)-(KeyedChanges<ItemID,Item>)`` for more information.
  public func applying(_ changes: KeyedChanges<ItemID, Item>) throws(ChangesetError) -> Self {
    var contents = self
    try contents.apply(changes)
    return contents
  }

  /// Applies what became of rows, by their identities.
  ///
  /// Rows that are named are removed wherever they stand; all others stay in their section, in
  /// their order. Then the sections are those that the changes list, and the rows that are there
  /// are inserted, ascending by their paths. The contents may be those of any version since which
  /// no other rows were touched, of any process; their ``version`` does not matter.
  ///
  /// ```swift
  /// var list = try decoder.decode(SectionedContents<Int64, Package>.self, from: kept)
  /// try list.apply(decoder.decode(KeyedChanges<Int64, Package>.self, from: event.data))
  /// ```
  ///
  /// - Throws: ``ChangesetError`` with `inconsistentChanges` where a section does not come to have
  ///   as many rows as the changes say, or a row is left in none, and with `duplicateIdentity`
  ///   where one would be there twice. The contents are then as they were.
  /// - Complexity: O(*n* + *c* + *s*) for *n* rows, *c* rows that are named and *s* sections.
  public mutating func apply(_ changes: KeyedChanges<ItemID, Item>) throws(ChangesetError) {
    var seen = try changes.requireCoherence()
    var staying: [StoredValue: [Row]] = [:]
    let named = seen
    for section in sections {
      var rows: [Row] = []
      for row in section.rows where !named.contains(IdentityKey(row.id)) {
        guard seen.insert(IdentityKey(row.id)).inserted else {
          throw .duplicate("rows", IdentityText.text(of: row.id))
        }
        rows.append(row)
      }
      guard staying.updateValue(rows, forKey: section.header.identity) == nil else {
        throw .duplicate("sections", "\(section.header.identity)")
      }
    }
    var upserts = changes.upserts[...]
    var arranged: [Section] = []
    arranged.reserveCapacity(changes.sections.count)
    for (ordinal, section) in changes.sections.enumerated() {
      let rows = staying.removeValue(forKey: section.header.identity) ?? []
      arranged.append(
        Section(
          header: section.header,
          rows: try Self.rows(of: section, at: ordinal, staying: rows, &upserts)))
    }
    if let left = staying.first(where: { !$0.value.isEmpty }) {
      throw .unfit(
        "\(left.value.count) rows stand in the section \(left.key.label), which is not there now.")
    }
    sections = arranged
    aggregates = changes.aggregates
    version = changes.targetVersion
  }

  /// Returns the rows of a section: those that stay, with those that are inserted at their paths.
  private static func rows(
    of section: KeyedChanges<ItemID, Item>.Section, at ordinal: Int, staying: [Row],
    _ upserts: inout ArraySlice<KeyedChanges<ItemID, Item>.Upsert>
  ) throws(ChangesetError) -> [Row] {
    var staying = staying[...]
    var rows: [Row] = []
    while let upsert = upserts.first, upsert.path.section == ordinal {
      let room = upsert.path.item - rows.count
      guard room <= staying.count else {
        throw .unfit("There are too few rows before the one at \(upsert.path).")
      }
      rows += staying.prefix(room)
      staying = staying.dropFirst(room)
      rows.append(Row(id: upsert.id, item: upsert.item))
      upserts.removeFirst()
    }
    rows += staying
    guard rows.count == section.count else {
      throw .unfit(
        "A section comes to have \(rows.count) rows instead of \(section.count).",
        about: "\(section.header.identity)")
    }
    return rows
  }
}

extension KeyedChanges {
  /// Refuses lists that contradict each other, whatever they are applied to.
  ///
  /// - Returns: The identities of all rows that are named.
  /// - Throws: ``ChangesetError`` with `inconsistentChanges` or `duplicateIdentity`.
  @discardableResult
  func requireCoherence() throws(ChangesetError) -> Set<IdentityKey<ItemID>> {
    var identities: Set<StoredValue> = []
    for section in sections {
      guard section.count >= 0 else {
        throw .unfit("A section has \(section.count) rows.")
      }
      guard identities.insert(section.header.identity).inserted else {
        throw .duplicate("sections", "\(section.header.identity)")
      }
    }
    var named: Set<IdentityKey<ItemID>> = []
    named.reserveCapacity(deletes.count + upserts.count)
    for id in deletes {
      guard named.insert(IdentityKey(id)).inserted else {
        throw .duplicate("rows", IdentityText.text(of: id))
      }
    }
    var last: ItemPath?
    for upsert in upserts {
      let path = upsert.path
      guard sections.indices.contains(path.section), path.item >= 0,
        path.item < sections[path.section].count, last.map({ $0 < path }) ?? true
      else { throw .unfit("The path \(path) is out of order, or outside of its section.") }
      guard named.insert(IdentityKey(upsert.id)).inserted else {
        throw .duplicate("rows", IdentityText.text(of: upsert.id))
      }
      last = path
    }
    return named
  }
}

extension ChangesetError {
  fileprivate static func unfit(_ what: String, about identity: String? = nil) -> ChangesetError {
    ChangesetError(
      code: .inconsistentChanges, message: "The keyed changes do not fit the contents. \(what)",
      hint: "Start again from a snapshot of the source.", identity: identity)
  }
}
