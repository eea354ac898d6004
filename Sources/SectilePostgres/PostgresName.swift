#if Postgres
  /// Names and texts as PostgreSQL's SQL has them.
  enum PostgresName {
    /// Quotes a name.
    static func quote(_ name: String) -> String {
      "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        + "\""
    }

    /// Quotes a text.
    static func quote(text: String) -> String {
      "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        + "'"
    }

    /// Quotes a table's name as subscriptions have it: `schema.table`, or `table` alone.
    static func quote(table: String) -> String {
      table.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        .map { quote(String($0)) }.joined(separator: ".")
    }

    /// A block of PL/pgSQL as a statement, whatever its text holds.
    static func block(_ text: String) -> String {
      var (tag, number) = ("$sectile$", 0)
      while text.contains(tag) {
        number += 1
        tag = "$sectile\(number)$"
      }
      return "DO \(tag) \(text) \(tag)"
    }

    /// Names with commas between them.
    static func list(_ names: [String]) -> String {
      names.map { quote($0) }.joined(separator: ", ")
    }
  }
#endif
