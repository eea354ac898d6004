private enum ContentsKey: String, CodingKey {
  case format, version, aggregates, sections
}

private enum SectionKey: String, CodingKey {
  case header, rows
}

private enum RowKey: String, CodingKey {
  case id, item
}

extension DataSourceSnapshot where ItemID: Encodable, Item: Encodable {
  /// Encodes the contents for clients, in format 2.
  ///
  /// Headers, identities and items are as in the format of ``Changeset``, so that a client applies
  /// changesets to what it was sent here:
  ///
  /// ```json
  /// {
  ///   "format": 2,
  ///   "version": 8,
  ///   "sections": [
  ///     {
  ///       "header": {"identity": "A", "title": "A"},
  ///       "rows": [{"id": 5, "item": {…}}, {"id": 9, "item": {…}}]
  ///     }
  ///   ]
  /// }
  /// ```
  ///
  /// Where there are aggregates of all rows, they stand before the sections as `aggregates`.
  ///
  /// Items are read one after the other, as they are written.
  ///
  /// - Throws: What the encoder throws, and what ``item(at:)`` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ContentsKey.self)
    try container.encode(JSONTag.format, forKey: .format)
    try container.encode(version, forKey: .version)
    if !aggregates.isEmpty { try container.encode(aggregates, forKey: .aggregates) }
    var list = container.nestedUnkeyedContainer(forKey: .sections)
    for (ordinal, header) in sections.enumerated() {
      var section = list.nestedContainer(keyedBy: SectionKey.self)
      try section.encode(header, forKey: .header)
      var rows = section.nestedUnkeyedContainer(forKey: .rows)
      for offset in 0..<numberOfItems(in: ordinal) {
        let path = ItemPath(section: ordinal, item: offset)
        var row = rows.nestedContainer(keyedBy: RowKey.self)
        try row.encode(id(at: path), forKey: .id)
        try row.encode(try item(at: path), forKey: .item)
      }
    }
  }
}

extension ContentsSnapshot: Encodable where ItemID: Encodable, Item: Encodable {}

extension SectionedContents: Encodable where ItemID: Encodable, Item: Encodable {
  /// Encodes the contents for clients, as a snapshot of them encodes itself.
  ///
  /// See ``DataSourceSnapshot/encode(to:)`` for the format.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try ContentsSnapshot(self).encode(to: encoder)
  }
}

extension SectionedContents: Decodable where ItemID: Decodable, Item: Decodable {
  /// Decodes what ``encode(to:)`` writes.
  ///
  /// - Throws: ``ChangesetError`` with `unknownFormat` for a format other than 1 and 2, and what
  ///   the decoder throws.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ContentsKey.self)
    let format = try container.decode(Int.self, forKey: .format)
    guard JSONTag.readableFormats.contains(format) else {
      throw ChangesetError(
        code: .unknownFormat,
        message: "The contents are in format \(format); this library reads "
          + "\(JSONTag.format) and earlier ones.",
        hint: "Use the library's version that wrote them, or a later one.")
    }
    self.init(
      version: try container.decode(Int.self, forKey: .version),
      sections: try container.decode([Section].self, forKey: .sections),
      aggregates: try container.decodeIfPresent(AggregateValues.self, forKey: .aggregates) ?? .empty
    )
  }
}

extension SectionedContents.Section: Encodable where ItemID: Encodable, Item: Encodable {
  /// Encodes the section as an object with `header` and `rows`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SectionKey.self)
    try container.encode(header, forKey: .header)
    try container.encode(rows, forKey: .rows)
  }
}

extension SectionedContents.Section: Decodable where ItemID: Decodable, Item: Decodable {
  /// Decodes a section.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SectionKey.self)
    self.init(
      header: try container.decode(SourceSection.self, forKey: .header),
      rows: try container.decode([SectionedContents.Row].self, forKey: .rows))
  }
}

extension SectionedContents.Row: Encodable where ItemID: Encodable, Item: Encodable {
  /// Encodes the row as an object with `id` and `item`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: RowKey.self)
    try container.encode(id, forKey: .id)
    try container.encode(item, forKey: .item)
  }
}

extension SectionedContents.Row: Decodable where ItemID: Decodable, Item: Decodable {
  /// Decodes a row.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: RowKey.self)
    self.init(
      id: try container.decode(ItemID.self, forKey: .id),
      item: try container.decode(Item.self, forKey: .item))
  }
}
