import SectileCore

extension ContentsMaintainer {
  /// Narrows the ranks among which a row belongs, by what is known of the rows there.
  ///
  /// - Parameters:
  ///   - ranks: The ranks of rows of its section, which stay or are taken out.
  ///   - ordering: The row's values of the complete order.
  ///   - search: Knows which rows are taken out.
  /// - Returns: An empty range at the row's place, or the ranks that are left.
  /// - Throws: What reading rows throws.
  func narrow(
    _ ranks: Range<Int>, for ordering: UnsafeBufferPointer<RawColumn>,
    without search: PositionSearch
  ) throws -> Range<Int> {
    guard let rule = reader.queries.prefixRule else { return ranks }
    let prefix = rule.prefix(of: ordering[rule.position])
    return prefix == 0 ? ranks : try narrow(ranks, prefix, rule, without: search)
  }

  private func narrow(
    _ ranks: Range<Int>, _ prefix: SortPrefix, _ rule: SortPrefixRule,
    without search: PositionSearch
  ) throws -> Range<Int> {
    var left = ranks
    while true {
      let found = prefixes.narrow(left, to: prefix, in: base.index)
      left = found.ranks
      guard !left.isEmpty, let handle = found.unknown,
        let rank = base.index.rank(of: handle), search.run(around: rank) == nil
      else { break }
      let known = try reader.withOrdering(of: base.keys.key(of: handle)) {
        rule.prefix(of: $0[rule.position])
      }
      guard known != 0 else { break }
      prefixes.set(known, of: handle)
    }
    // The row may have the prefix that it had.
    guard let own = search.onlyRemoved, left.contains(own),
      own == ranks.lowerBound
        || prefixes.side(of: prefix, from: base.index.handle(atRank: own - 1)) == .behind,
      own + 1 == ranks.upperBound
        || prefixes.side(of: prefix, from: base.index.handle(atRank: own + 1)) == .before
    else { return left }
    return own..<own
  }

  /// Takes note of what a row is sorted by after the commit.
  @inline(__always)
  func notePrefix(of key: RowKey, _ ordering: UnsafeBufferPointer<RawColumn>) {
    guard let rule = reader.queries.prefixRule else { return }
    prefixes.note(key, rule.prefix(of: ordering[rule.position]))
  }
}
