extension SourceSection: Codable {
  private enum CodingKeys: String, CodingKey {
    case identity
    case title
    case indexTitle
    case footer
    case aggregates
  }

  /// Encodes the header as an object with `identity`, `title`, and, where there are such,
  /// `indexTitle`, `footer` and `aggregates`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(identity, forKey: .identity)
    try container.encode(title, forKey: .title)
    try container.encodeIfPresent(indexTitle, forKey: .indexTitle)
    try container.encodeIfPresent(footer, forKey: .footer)
    if !aggregates.isEmpty { try container.encode(aggregates, forKey: .aggregates) }
  }

  /// Decodes a header.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      identity: try container.decode(StoredValue.self, forKey: .identity),
      title: try container.decode(String.self, forKey: .title),
      indexTitle: try container.decodeIfPresent(String.self, forKey: .indexTitle),
      footer: try container.decodeIfPresent(String.self, forKey: .footer),
      aggregates: try container.decodeIfPresent(AggregateValues.self, forKey: .aggregates) ?? .empty
    )
  }
}
