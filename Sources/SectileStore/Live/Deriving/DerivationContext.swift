import SectileCore

/// What a change of one plan's contents is worked out from, and with: the contents before, what
/// rows were then, and the means to read them in the committing transaction.
///
/// Changes nothing, and knows none of the ways to a change, which are the ``Derivation``s. What
/// they share are steps, which each takes as it needs them:
///
/// ```text
/// AffectedKeys      which rows may have changed, as touched rows of any table tell
/// RowComparison     a row that is read again, next to what it was before
/// PositionSearch    where a row goes
/// ```
///
/// It refers to many things, is handed on to whoever needs it, and is gone with the transaction:
/// therefore it is neither copied nor an object.
struct DerivationContext: ~Copyable {
  let reader: PlanReader
  let items: any ItemSink
  /// The contents before.
  let base: PlanContents
  /// What the rows of the base table were when the contents before were read.
  let rowsBefore: RowsBefore
  /// What is known of the order of the contents before.
  let prefixes: SortPrefixes

  init(
    reader: PlanReader, items: any ItemSink, base: PlanContents, rowsBefore: RowsBefore,
    prefixes: SortPrefixes = SortPrefixes()
  ) {
    self.reader = reader
    self.items = items
    self.base = base
    self.rowsBefore = rowsBefore
    self.prefixes = prefixes
  }

  var memory: RowMemory { reader.queries.memory }

  func readItem(_ cursor: PlanCursor) throws -> Int {
    try items.readItem(cursor.statement, firstColumn: cursor.columns.item.lowerBound)
  }
}
