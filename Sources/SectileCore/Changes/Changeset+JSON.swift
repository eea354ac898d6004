private enum ChangesetKey: String, CodingKey {
  case format, sourceVersion, targetVersion, contents, sections, rows
}

private enum KindKey: String, CodingKey {
  case deletes, inserts, moves, updates
}

private enum ChangeKey: String, CodingKey {
  case section, path, source, target, id, item, header, before, contentChanged
}

extension Changeset: Encodable where ItemID: Encodable, Item: Encodable {
  /// Encodes the changeset for clients, in format 2.
  ///
  /// All lists are always there, empty or not. Section ordinals are numbers, paths objects; a
  /// header is an object with `identity`, `title` and perhaps `indexTitle`, `footer` and
  /// `aggregates`. `contents` is there where aggregates of all rows changed. The before/after rule
  /// of ``Changeset`` holds. Identities of sections, and items that are rows without a type, are
  /// tagged where JSON has no word for a value: see ``StoredValue/encode(to:)``.
  ///
  /// ```json
  /// {
  ///   "format": 2,
  ///   "sourceVersion": 7,
  ///   "targetVersion": 8,
  ///   "contents": {"before": {"count": 3}, "after": {"count": 2}},
  ///   "sections": {
  ///     "deletes": [{"section": 1, "header": {"identity": "C", "title": "C"}}],
  ///     "inserts": [{"section": 0, "header": {"identity": null, "title": ""}}],
  ///     "moves": [{"source": 0, "target": 2, "header": {…}}],
  ///     "updates": [{"source": 3, "target": 3, "before": {…}, "header": {…}}]
  ///   },
  ///   "rows": {
  ///     "deletes": [{"path": {"section": 1, "item": 0}, "id": 5}],
  ///     "inserts": [{"path": {"section": 0, "item": 0}, "id": 9, "item": {…}}],
  ///     "moves": [{"source": {…}, "target": {…}, "id": 3, "contentChanged": true, "item": {…}}],
  ///     "updates": [{"source": {…}, "target": {…}, "id": 4, "item": {…}}]
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: What the encoder throws, and what reading a row of a first load throws.
  public func encode(to encoder: any Encoder) throws {
    try encode(to: encoder) { item, values in try values.encode(item.item, forKey: .item) }
  }
}

/// A changeset without its items: what came, went and moved, and where, for clients that ask for
/// items elsewhere.
///
/// No item is read.
package struct ChangesetStructure<ItemID: Hashable & Sendable & Encodable, Item: Sendable>:
  Encodable, Sendable
{
  private let changes: Changeset<ItemID, Item>

  package init(_ changes: Changeset<ItemID, Item>) { self.changes = changes }

  /// Encodes what ``Changeset/encode(to:)`` does, without `item`.
  package func encode(to encoder: any Encoder) throws {
    try changes.encode(to: encoder) { _, _ in }
  }
}

extension Changeset where ItemID: Encodable {
  /// Writes the member that holds an item, or leaves it out.
  fileprivate typealias ItemEncoding =
    (ItemPayload<Item>, inout KeyedEncodingContainer<ChangeKey>) throws -> Void

  fileprivate func encode(to encoder: any Encoder, item: ItemEncoding) throws {
    var container = encoder.container(keyedBy: ChangesetKey.self)
    try container.encode(JSONTag.format, forKey: .format)
    try container.encode(sourceVersion, forKey: .sourceVersion)
    try container.encode(targetVersion, forKey: .targetVersion)
    try container.encodeIfPresent(contentsUpdate, forKey: .contents)
    var sections = container.nestedContainer(keyedBy: KindKey.self, forKey: .sections)
    try encode(sectionDeletes, .deletes, &sections) { change, values in
      try values.encode(change.section, forKey: .section)
      try values.encode(change.header, forKey: .header)
    }
    try encode(sectionInserts, .inserts, &sections) { change, values in
      try values.encode(change.section, forKey: .section)
      try values.encode(change.header, forKey: .header)
    }
    try encode(sectionMoves, .moves, &sections) { change, values in
      try values.encode(change.source, forKey: .source)
      try values.encode(change.target, forKey: .target)
      try values.encode(change.header, forKey: .header)
    }
    try encode(sectionUpdates, .updates, &sections) { change, values in
      try values.encode(change.source, forKey: .source)
      try values.encode(change.target, forKey: .target)
      try values.encode(change.before, forKey: .before)
      try values.encode(change.header, forKey: .header)
    }
    var rows = container.nestedContainer(keyedBy: KindKey.self, forKey: .rows)
    try encodeRows(in: &rows, item)
  }

  private func encodeRows(
    in rows: inout KeyedEncodingContainer<KindKey>, _ item: ItemEncoding
  ) throws {
    try encode(deletes, .deletes, &rows) { change, values in
      try values.encode(change.path, forKey: .path)
      try values.encode(change.id, forKey: .id)
    }
    try encode(inserts, .inserts, &rows) { change, values in
      try values.encode(change.path, forKey: .path)
      try values.encode(change.id, forKey: .id)
      try item(change.payload, &values)
    }
    try encode(moves, .moves, &rows) { change, values in
      try values.encode(change.source, forKey: .source)
      try values.encode(change.target, forKey: .target)
      try values.encode(change.id, forKey: .id)
      try values.encode(change.isContentChanged, forKey: .contentChanged)
      try item(change.payload, &values)
    }
    try encode(updates, .updates, &rows) { change, values in
      try values.encode(change.source, forKey: .source)
      try values.encode(change.target, forKey: .target)
      try values.encode(change.id, forKey: .id)
      try item(change.payload, &values)
    }
  }

  private func encode<Changes: Sequence>(
    _ changes: Changes, _ kind: KindKey, _ container: inout KeyedEncodingContainer<KindKey>,
    _ body: (Changes.Element, inout KeyedEncodingContainer<ChangeKey>) throws -> Void
  ) throws {
    var list = container.nestedUnkeyedContainer(forKey: kind)
    for change in changes {
      var values = list.nestedContainer(keyedBy: ChangeKey.self)
      try body(change, &values)
    }
  }
}

extension Changeset: Decodable where ItemID: Decodable, Item: Decodable {
  /// Decodes what ``encode(to:)`` writes.
  ///
  /// What merging needs to see that a row is as it was before is not part of the format: merging
  /// decoded changesets calls a row that was changed back updated.
  ///
  /// - Throws: ``ChangesetError`` with `unknownFormat` for a format other than 1 and 2, with
  ///   `inconsistentChanges` where the lists contradict each other, and what the decoder throws.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ChangesetKey.self)
    let format = try container.decode(Int.self, forKey: .format)
    guard JSONTag.readableFormats.contains(format) else {
      throw ChangesetError(
        code: .unknownFormat,
        message: "The changeset is in format \(format); this library reads "
          + "\(JSONTag.format) and earlier ones.",
        hint: "Use the library's version that wrote it, or a later one.")
    }
    let sections = try container.nestedContainer(keyedBy: KindKey.self, forKey: .sections)
    let rows = try container.nestedContainer(keyedBy: KindKey.self, forKey: .rows)
    self.init(
      sourceVersion: try container.decode(Int.self, forKey: .sourceVersion),
      targetVersion: try container.decode(Int.self, forKey: .targetVersion),
      contentsUpdate: try container.decodeIfPresent(ContentsUpdate.self, forKey: .contents),
      sectionDeletes: try Self.decode(.deletes, sections, Self.sectionDelete),
      sectionInserts: ChangeList(try Self.decode(.inserts, sections, Self.sectionInsert)),
      sectionMoves: try Self.decode(.moves, sections, Self.sectionMove),
      sectionUpdates: try Self.decode(.updates, sections, Self.sectionUpdate),
      deletes: try Self.decode(.deletes, rows, Self.delete),
      inserts: ChangeList(try Self.decode(.inserts, rows, Self.insert)),
      moves: try Self.decode(.moves, rows, Self.move),
      updates: try Self.decode(.updates, rows, Self.update))
    try requireCoherence()
  }

  private typealias Values = KeyedDecodingContainer<ChangeKey>

  private static func decode<Change>(
    _ kind: KindKey, _ container: KeyedDecodingContainer<KindKey>,
    _ body: (Values) throws -> Change
  ) throws -> [Change] {
    var list = try container.nestedUnkeyedContainer(forKey: kind)
    var changes: [Change] = []
    while !list.isAtEnd {
      changes.append(try body(list.nestedContainer(keyedBy: ChangeKey.self)))
    }
    return changes
  }

  private static func sectionDelete(_ values: Values) throws -> SectionDelete {
    SectionDelete(
      section: try values.decode(Int.self, forKey: .section),
      header: try values.decode(SourceSection.self, forKey: .header))
  }

  private static func sectionInsert(_ values: Values) throws -> SectionInsert {
    SectionInsert(
      section: try values.decode(Int.self, forKey: .section),
      header: try values.decode(SourceSection.self, forKey: .header))
  }

  private static func sectionMove(_ values: Values) throws -> SectionMove {
    SectionMove(
      source: try values.decode(Int.self, forKey: .source),
      target: try values.decode(Int.self, forKey: .target),
      header: try values.decode(SourceSection.self, forKey: .header))
  }

  private static func sectionUpdate(_ values: Values) throws -> SectionUpdate {
    SectionUpdate(
      source: try values.decode(Int.self, forKey: .source),
      target: try values.decode(Int.self, forKey: .target),
      before: try values.decode(SourceSection.self, forKey: .before),
      header: try values.decode(SourceSection.self, forKey: .header))
  }

  private static func delete(_ values: Values) throws -> ItemDelete<ItemID> {
    ItemDelete(
      path: try values.decode(ItemPath.self, forKey: .path),
      id: try values.decode(ItemID.self, forKey: .id))
  }

  private static func insert(_ values: Values) throws -> ItemInsert<ItemID, Item> {
    ItemInsert(
      path: try values.decode(ItemPath.self, forKey: .path),
      id: try values.decode(ItemID.self, forKey: .id),
      payload: .value(try values.decode(Item.self, forKey: .item)))
  }

  private static func move(_ values: Values) throws -> ItemMove<ItemID, Item> {
    ItemMove(
      source: try values.decode(ItemPath.self, forKey: .source),
      target: try values.decode(ItemPath.self, forKey: .target),
      id: try values.decode(ItemID.self, forKey: .id),
      isContentChanged: try values.decode(Bool.self, forKey: .contentChanged),
      payload: .value(try values.decode(Item.self, forKey: .item)))
  }

  private static func update(_ values: Values) throws -> ItemUpdate<ItemID, Item> {
    ItemUpdate(
      source: try values.decode(ItemPath.self, forKey: .source),
      target: try values.decode(ItemPath.self, forKey: .target),
      id: try values.decode(ItemID.self, forKey: .id),
      payload: .value(try values.decode(Item.self, forKey: .item)))
  }
}
