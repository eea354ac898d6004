extension RequestExplanation {
  /// How the aggregates of a section are worked out anew, where the changed rows do not tell them.
  ///
  /// That is so after the smallest or largest value has gone, for counts of different values, and
  /// after commits of others. Counts, sums and averages follow the store's own commits, whatever is
  /// said here.
  ///
  /// ```swift
  /// let request = FetchRequest<Package>().sectioned(by: \.section).aggregating(.maximum(\.size))
  /// print(try store.explain(request).sectionRecount!)
  /// // by keys: No index leads to the rows of a section. …
  /// ```
  public struct SectionRecount: Hashable, Sendable, Codable {
    /// Where the rows of a section are found.
    public enum Kind: String, Hashable, Sendable, Codable {
      /// An index has them, with all that is looked at; nothing is read from the table.
      case coveringIndex
      /// An index leads to them, and they are read from the table.
      case index
      /// They are found one by one, by the keys in memory.
      case keys
      /// They are all rows.
      case allRows
    }

    /// Where the rows are found.
    public let kind: Kind
    /// The index that leads to them; nil where none does.
    public let index: String?
    /// An index that would lead to them, or have all that is looked at; nil where none is needed,
    /// or none is sure to be used.
    public let suggestedIndex: IndexSuggestion?

    init(kind: Kind, index: String? = nil, suggestedIndex: IndexSuggestion? = nil) {
      self.kind = kind
      self.index = index
      self.suggestedIndex = suggestedIndex
    }
  }
}

extension RequestExplanation.SectionRecount {
  /// What that means, in a sentence or two.
  public var reason: String {
    switch kind {
    case .coveringIndex: "All that is looked at is read from index \(index ?? "")."
    case .index:
      "\(index.map { "Index \($0)" } ?? "The table's key") leads to the rows of a section; they are read "
        + "from the table."
    case .keys:
      "No index leads to the rows of a section. They are read one by one, those of a section that is more than "
        + "a quarter of all in one pass over the table."
    case .allRows: "There are no sections: all rows are read."
    }
  }
}

extension RequestExplanation.SectionRecount: CustomStringConvertible {
  /// The way, and the reason: `by keys: No index leads to the rows of a section. …`.
  public var description: String {
    let way =
      switch kind {
      case .coveringIndex: "covering index"
      case .index: "index"
      case .keys: "keys"
      case .allRows: "all rows"
      }
    return "by \(way): \(reason)"
  }
}
