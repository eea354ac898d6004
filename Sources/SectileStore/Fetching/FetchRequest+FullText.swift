extension FetchRequest {
  /// Wants only rows that a full-text table finds, besides the conditions so far.
  ///
  /// The table is one of FTS5 whose `rowid` is the entity's integer primary key, such as an
  /// external-content table. A commit is followed by asking about the rows alone that FTS5 indexed
  /// or forgot in it: the costs are those of the query, not of the table.
  ///
  /// ```swift
  /// let found = try store.results(of: request.matching("sqlite OR postgres*", in: "package_text"))
  /// ```
  ///
  /// For a condition beside others, see ``EntityFields/matching(_:in:)``; for what a person types,
  /// ``searching(_:in:bestFirst:)``. A prefix costs least in a table that has an index of prefixes:
  /// `prefix='2 3'`.
  ///
  /// - Parameters:
  ///   - query: The query, in the syntax of FTS5. What is wrong with it, fetching throws.
  ///   - table: The name of the full-text table.
  ///   - bestFirst: Whether rows that match better come before others, as far as the sort keys so
  ///     far leave them equal: see ``EntityFields/fullTextRank(of:in:)``.
  /// - Returns: The refined request.
  public func matching(_ query: String, in table: String, bestFirst: Bool = false) -> Self {
    let found = filter { $0.matching(query, in: table) }
    return bestFirst ? found.sort { $0.fullTextRank(of: query, in: table) } : found
  }

  /// Wants only rows that have all words of a text somebody types, besides the conditions so far.
  ///
  /// The last word may be unfinished, unless a space follows it. Nothing in the text is syntax;
  /// without a word in it all rows are wanted. As it grows, give live results the new request: they
  /// deliver the difference.
  ///
  /// ```swift
  /// try results.update(to: request.searching("swift que", in: "package_text"))
  /// // WHERE "package"."id" IN (
  /// //   SELECT rowid FROM "package_text" WHERE "package_text" MATCH '"swift" "que"*')
  /// ```
  ///
  /// - Parameters:
  ///   - text: What was typed so far.
  ///   - table: The name of the full-text table: see ``matching(_:in:bestFirst:)``.
  ///   - bestFirst: Whether rows that match better come before others, as far as the sort keys so
  ///     far leave them equal. Without a word in the text there is nothing to be better at.
  /// - Returns: The refined request.
  public func searching(_ text: String, in table: String, bestFirst: Bool = false) -> Self {
    FullTextQuery(ofTyped: text).map { matching($0.text, in: table, bestFirst: bestFirst) } ?? self
  }
}

/// A query of full-text search, in the syntax of FTS5.
struct FullTextQuery: Equatable {
  let text: String

  /// Asks for all words of a text, the last of which may be unfinished; nil where there is none.
  init?(ofTyped typed: String) {
    let words = typed.split { $0.isWhitespace || $0 == "\0" }
    guard let last = words.last else { return nil }
    // Between quotes a word is looked for as it is; what is no letter or digit in it, FTS5 passes
    // over.
    let quoted = words.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
    text = quoted.joined(separator: " ") + (last.endIndex == typed.endIndex ? "*" : "")
  }
}
