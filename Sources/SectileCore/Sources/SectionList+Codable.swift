extension SectionList: Codable {
  /// Encodes the headers as an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for section in self { try container.encode(section) }
  }

  /// Decodes an array of headers.
  public init(from decoder: any Decoder) throws {
    self.init(try [SourceSection](from: decoder))
  }
}
