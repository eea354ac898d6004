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
    if reader.queries.predecessors == nil { prefixes.readWhereMet() }
    guard !prefixes.isEmpty else { return ranks }
    let prefix = rule.prefix(of: ordering[rule.position])
    guard prefix != 0 else { return ranks }
    let left = try narrow(ranks, prefix, rule, without: search)
    if prefixes.readsWhereMet, reader.queries.predecessors != nil {
      prefixes.countSearch(isDecided: left.isEmpty)
    }
    return left
  }

  private func narrow(
    _ ranks: Range<Int>, _ prefix: SortPrefix, _ rule: SortPrefixRule,
    without search: PositionSearch
  ) throws -> Range<Int> {
    var left = ranks
    while true {
      let found = prefixes.narrow(left, to: prefix, in: base.index)
      left = found.ranks
      guard !left.isEmpty, prefixes.readsWhereMet, let handle = found.unknown,
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
    guard let rule = reader.queries.prefixRule, !prefixes.isEmpty else { return }
    prefixes.note(key, rule.prefix(of: ordering[rule.position]))
  }

  /// Counts that a place was sought, and reads what the next rows are sorted by where that is worth
  /// it by now.
  ///
  /// - Parameter search: Knows which rows are taken out: of these the database has the values
  ///   after.
  /// - Throws: What reading rows throws.
  func readPrefixes(without search: PositionSearch) throws {
    do {
      try readMorePrefixes(without: search)
    } catch is StaleContents {
      // A row that the place does not depend on is not there.
      prefixes.forget()
    }
  }

  private func readMorePrefixes(without search: PositionSearch) throws {
    let queries = reader.queries
    guard let rule = queries.prefixRule, let query = queries.predecessors else { return }
    prefixes.countSearch(among: base.count)
    guard let unread = prefixes.unreadRank else { return }
    let ranks = max(0, min(unread, base.count) - SortPrefixes.readCost)..<min(unread, base.count)
    let handles = base.index.handles(in: ranks)
    // The rows before this one in the list of handles are still to be read.
    var next = handles.count
    var knownCount = 0
    var cost = 0
    while next > 0, cost < SortPrefixes.readCost {
      next -= 1
      cost += SortPrefixes.lookUpCost
      guard search.run(around: ranks.lowerBound + next) == nil else { continue }
      try reader.withOrdering(of: base.keys.key(of: handles[next])) { ordering in
        knownCount += 1
        prefixes.set(rule.prefix(of: ordering[rule.position]), of: handles[next])
        guard let passing = query.passingSteps(whereNull: { ordering[$0].isNull }) else { return }
        for (number, step) in passing.steps.enumerated() where cost < SortPrefixes.readCost {
          try reader.forEachPredecessor(of: ordering, step, passing.firstNumber + number) {
            key, value in
            cost += 1
            guard let handle = base.keys.handle(of: key) else { return true }
            // Rows come in the order of the list, but for those that the transaction writes.
            var position = next - 1
            while position >= 0, handles[position] != handle { position -= 1 }
            if position >= 0, search.run(around: ranks.lowerBound + position) == nil {
              next = position
              knownCount += 1
              prefixes.set(rule.prefix(of: value()), of: handle)
            }
            return next > 0 && cost < SortPrefixes.readCost
          }
        }
      }
    }
    prefixes.countRead(knownCount, downTo: ranks.lowerBound + next, for: cost)
  }
}
