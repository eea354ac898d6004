#if Postgres
  /// Names and texts as PostgreSQL's SQL has them.
  enum PostgresName {
    /// Quotes a name.
    static func quote(_ name: String) -> String {
      "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        + "\""
    }
  }
#endif
