extension RequestExplanation {
  /// An index that would make a request cheaper.
  ///
  /// It was tried on an empty copy of the schema, in memory: there SQLite uses it for what
  /// ``reason`` says. In return every write to the table maintains one more index.
  public struct IndexSuggestion: Hashable, Sendable, Codable {
    /// The index's name, which no other part of the schema has.
    public let name: String
    /// The statement that creates it, without a semicolon.
    public let sql: String
    /// What it is good for.
    public let reason: String

    init(name: String, sql: String, reason: String) {
      self.name = name
      self.sql = sql
      self.reason = reason
    }
  }
}
