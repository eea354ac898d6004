import SectileCore

/// The change from nothing to the first rows: the first part of a first load.
///
/// Where all rows have to be read for it, be it that SQLite sorts them or for their aggregates, it
/// hands them on to the second part.
struct FirstBatchDerivation: Derivation {
  /// What reading came to.
  struct Outcome {
    /// The change from the contents before; nil where there is none.
    var change: PlanChange?
    /// Whether the contents after are all there is.
    var isComplete = true
    /// All there is, where it had to be read for the first rows.
    var allContents: PlanContents?
  }

  /// How many rows, at most.
  let count: Int

  /// Returns the first rows, and whether they are all there is.
  ///
  /// - Throws: See ``FullDerivation/change(in:)``.
  func change(in context: borrowing DerivationContext) throws -> Outcome {
    InternalChecks.checkIsOneState(context.reader.db)
    if context.reader.queries.aggregates != nil {
      // They are those of all rows: there is no first batch without the others.
      let all = try PlanContents.listed(in: context).aggregated(by: context.reader)
      let rows = try firstRows(of: all, shownIn: all, in: context)
      return Outcome(change: all.growth(reading: rows, in: context))
    }
    // Where SQLite has to sort, it does so once.
    if context.reader.queries.hasToSort { return try sortedBatch(in: context) }
    let read = try ReadContents.rows(upTo: count, in: context)
    return Outcome(
      change: read.contents.growth(reading: Self.arrivals(read), in: context),
      isComplete: read.isComplete)
  }

  /// Reads the keys of all rows, and the items of the first.
  private func sortedBatch(in context: borrowing DerivationContext) throws -> Outcome {
    let all = try PlanContents.listed(in: context)
    let isComplete = all.count <= count
    let batch = isComplete ? all : all.prefix(count)
    let rows = try firstRows(of: all, shownIn: batch, in: context)
    return Outcome(
      change: batch.growth(reading: rows, in: context), isComplete: isComplete,
      allContents: isComplete ? nil : all)
  }

  /// Reads the items of the first rows: an item that cannot be decoded fails the load, not whoever
  /// reads it later.
  ///
  /// - Parameters:
  ///   - all: All rows.
  ///   - shown: The contents after the load's first part, which begin as all rows do.
  ///   - context: Reads rows.
  /// - Returns: The rows.
  /// - Throws: What reading and decoding throw.
  private func firstRows(
    of all: PlanContents, shownIn shown: PlanContents, in context: borrowing DerivationContext
  ) throws -> [PlanTransition] {
    try (0..<min(count, all.count)).map { rank in
      let key = all.keys.key(of: all.index.handle(atRank: rank))
      return PlanTransition(
        key: key, source: nil, target: shown.index.path(atRank: rank), isContentChanged: true,
        item: try context.reader.withRow(key) { try context.readItem($0) })
    }
  }

  private static func arrivals(_ read: ReadContents) -> [PlanTransition] {
    read.met.filter(\.isNew).map { row in
      PlanTransition(
        key: row.key, source: nil, target: read.contents.index.path(of: row.handle),
        isContentChanged: true, after: row.after, item: row.item)
    }
  }
}
