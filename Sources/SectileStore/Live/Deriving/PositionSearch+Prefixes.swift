import SectileCore

extension PositionSearch {
  /// Narrows the ranks among which a row belongs, by what is known of the rows there.
  ///
  /// - Parameters:
  ///   - ranks: The ranks of rows of its section, which stay or are taken out.
  ///   - ordering: The row's values of the complete order.
  ///   - context: Knows the contents before, and reads rows.
  /// - Returns: An empty range at the row's place, or the ranks that are left.
  /// - Throws: What reading rows throws.
  func narrow(
    _ ranks: Range<Int>, for ordering: UnsafeBufferPointer<RawColumn>,
    in context: borrowing DerivationContext
  ) throws -> Range<Int> {
    guard let rule = context.reader.queries.prefixRule else { return ranks }
    if context.reader.queries.predecessors == nil { context.prefixes.readWhereMet() }
    guard !context.prefixes.isEmpty else { return ranks }
    let prefix = rule.prefix(of: ordering[rule.position])
    guard prefix != 0 else { return ranks }
    let left = try narrow(ranks, prefix, rule, in: context)
    if context.prefixes.readsWhereMet, context.reader.queries.predecessors != nil {
      context.prefixes.countSearch(isDecided: left.isEmpty)
    }
    return left
  }

  private func narrow(
    _ ranks: Range<Int>, _ prefix: SortPrefix, _ rule: SortPrefixRule,
    in context: borrowing DerivationContext
  ) throws -> Range<Int> {
    var left = ranks
    while true {
      let found = context.prefixes.narrow(left, to: prefix, in: context.base.index)
      left = found.ranks
      guard !left.isEmpty, context.prefixes.readsWhereMet, let handle = found.unknown,
        let rank = context.base.index.rank(of: handle), run(around: rank) == nil
      else { break }
      let other = try context.reader.withOrdering(of: context.base.keys.key(of: handle)) {
        rule.prefix(of: $0[rule.position])
      }
      guard other != 0 else { break }
      context.prefixes.set(other, of: handle)
    }
    // The row may have the prefix that it had.
    guard let own = onlyRemoved, left.contains(own),
      own == ranks.lowerBound || side(of: prefix, from: own - 1, in: context) == .behind,
      own + 1 == ranks.upperBound || side(of: prefix, from: own + 1, in: context) == .before
    else { return left }
    return own..<own
  }

  /// On which side of the row at a rank one with another prefix belongs.
  @inline(__always)
  private func side(
    of prefix: SortPrefix, from rank: Int, in context: borrowing DerivationContext
  ) -> PlaceSide? {
    context.prefixes.side(of: prefix, from: context.base.index.handle(atRank: rank))
  }

  /// Takes note of what a row is sorted by after the commit.
  @inline(__always)
  func notePrefix(
    of key: RowKey, _ ordering: UnsafeBufferPointer<RawColumn>,
    in context: borrowing DerivationContext
  ) {
    guard let rule = context.reader.queries.prefixRule, !context.prefixes.isEmpty else {
      return
    }
    context.prefixes.note(key, rule.prefix(of: ordering[rule.position]))
  }

  /// Counts that a place was sought, and reads what the next rows are sorted by where that is worth
  /// it by now.
  ///
  /// Rows that are taken out are left out: of these the database has the values after.
  ///
  /// - Parameter context: Knows the contents before, and reads rows.
  /// - Throws: What reading rows throws.
  func readPrefixes(in context: borrowing DerivationContext) throws {
    do {
      try readMorePrefixes(in: context)
    } catch is StaleContents {
      // A row that the place does not depend on is not there.
      context.prefixes.forget()
    }
  }

  private func readMorePrefixes(in context: borrowing DerivationContext) throws {
    let queries = context.reader.queries
    guard let rule = queries.prefixRule, let query = queries.predecessors else { return }
    context.prefixes.countSearch(among: context.base.count)
    guard let unread = context.prefixes.unreadRank else { return }
    let reader = context.reader
    let end = min(unread, context.base.count)
    let ranks = max(0, end - SortPrefixes.readCost)..<end
    let handles = context.base.index.handles(in: ranks)
    // The rows before this one in the list of handles are still to be read.
    var next = handles.count
    var knownCount = 0
    var cost = 0
    while next > 0, cost < SortPrefixes.readCost {
      next -= 1
      cost += SortPrefixes.lookUpCost
      guard run(around: ranks.lowerBound + next) == nil else { continue }
      try reader.withOrdering(of: context.base.keys.key(of: handles[next])) { ordering in
        knownCount += 1
        context.prefixes.set(rule.prefix(of: ordering[rule.position]), of: handles[next])
        guard let passing = query.passingSteps(whereNull: { ordering[$0].isNull }) else { return }
        for (number, step) in passing.steps.enumerated() where cost < SortPrefixes.readCost {
          try reader.forEachPredecessor(of: ordering, step, passing.firstNumber + number) {
            key, value in
            cost += 1
            guard let handle = context.base.keys.handle(of: key) else { return true }
            // Rows come in the order of the list, but for those that the transaction writes.
            var position = next - 1
            while position >= 0, handles[position] != handle { position -= 1 }
            if position >= 0, run(around: ranks.lowerBound + position) == nil {
              next = position
              knownCount += 1
              context.prefixes.set(rule.prefix(of: value()), of: handle)
            }
            return next > 0 && cost < SortPrefixes.readCost
          }
        }
      }
    }
    context.prefixes.countRead(knownCount, downTo: ranks.lowerBound + next, for: cost)
  }
}
