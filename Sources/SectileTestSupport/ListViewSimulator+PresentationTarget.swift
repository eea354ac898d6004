public import SectileCore
public import SectilePresenting

extension ListViewSimulator: PresentationTarget where Cell: Equatable {
  /// Shows everything anew, with all its cells.
  ///
  /// - Throws: What making a cell throws.
  public func reload(_ contents: any PresentedContents<ItemID, Cell>) throws {
    reload(try contents.materialized())
  }

  /// Performs the changes in staged batches, and compares what comes of it with what is to be
  /// shown.
  ///
  /// - Throws: ``ContractViolations`` where a rule was broken, or something else is shown.
  public func update(_ update: PresentationUpdate<ItemID, Cell>) throws {
    let found = perform(update.changes.batches, expecting: update.contents)
    note(found)
    if !found.isEmpty { throw ContractViolations(found) }
  }

  /// Takes note of an error that is no violation of its own.
  public func didFail(with error: any Error) {
    if !(error is ContractViolations) { note(["the adapter tells of an error: \(error)"]) }
  }
}
