private enum ChangesKey: String, CodingKey {
  case format, targetVersion, deletes, upserts, sections, aggregates
}

private enum EntryKey: String, CodingKey {
  case path, id, item, header, count
}

extension KeyedChanges: Encodable where ItemID: Encodable, Item: Encodable {
  /// Encodes the changes for clients, in the format of ``Changeset``.
  ///
  /// All lists are always there, empty or not; headers, identities, paths and items are as in a
  /// changeset. Where there are aggregates of all rows, they follow as `aggregates`.
  ///
  /// ```json
  /// {
  ///   "format": 2,
  ///   "targetVersion": 9,
  ///   "deletes": [5, 7],
  ///   "upserts": [{"path": {"section": 0, "item": 1}, "id": 3, "item": {…}}],
  ///   "sections": [{"header": {"identity": "A", "title": "A"}, "count": 3}]
  /// }
  /// ```
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ChangesKey.self)
    try container.encode(JSONTag.format, forKey: .format)
    try container.encode(targetVersion, forKey: .targetVersion)
    var deleted = container.nestedUnkeyedContainer(forKey: .deletes)
    for id in deletes { try deleted.encode(id) }
    try container.encode(upserts, forKey: .upserts)
    try container.encode(sections, forKey: .sections)
    if !aggregates.isEmpty { try container.encode(aggregates, forKey: .aggregates) }
  }
}

extension KeyedChanges: Decodable where ItemID: Decodable, Item: Decodable {
  /// Decodes what ``encode(to:)`` writes.
  ///
  /// - Throws: ``ChangesetError`` with `unknownFormat` for a format that this version of the
  ///   library does not know, with `inconsistentChanges` or `duplicateIdentity` where the lists
  ///   contradict each other, and what the decoder throws.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ChangesKey.self)
    let format = try container.decode(Int.self, forKey: .format)
    guard JSONTag.readableFormats.contains(format) else {
      throw ChangesetError(
        code: .unknownFormat,
        message: "The keyed changes are in format \(format); this library reads "
          + "\(JSONTag.format) and earlier ones.",
        hint: "Use the library's version that wrote them, or a later one.")
    }
    self.init(
      targetVersion: try container.decode(Int.self, forKey: .targetVersion),
      deletes: try container.decode([ItemID].self, forKey: .deletes),
      upserts: try container.decode([Upsert].self, forKey: .upserts),
      sections: try container.decode([Section].self, forKey: .sections),
      aggregates: try container.decodeIfPresent(AggregateValues.self, forKey: .aggregates) ?? .empty
    )
    try requireCoherence()
  }
}

extension KeyedChanges.Upsert: Encodable where ItemID: Encodable, Item: Encodable {
  /// Encodes the row as an object with `path`, `id` and `item`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: EntryKey.self)
    try container.encode(path, forKey: .path)
    try container.encode(id, forKey: .id)
    try container.encode(item, forKey: .item)
  }
}

extension KeyedChanges.Upsert: Decodable where ItemID: Decodable, Item: Decodable {
  /// Decodes a row.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: EntryKey.self)
    self.init(
      path: try container.decode(ItemPath.self, forKey: .path),
      id: try container.decode(ItemID.self, forKey: .id),
      item: try container.decode(Item.self, forKey: .item))
  }
}

extension KeyedChanges.Section: Codable {
  /// Encodes the section as an object with `header` and `count`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: EntryKey.self)
    try container.encode(header, forKey: .header)
    try container.encode(count, forKey: .count)
  }

  /// Decodes a section.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: EntryKey.self)
    self.init(
      header: try container.decode(SourceSection.self, forKey: .header),
      count: try container.decode(Int.self, forKey: .count))
  }
}
