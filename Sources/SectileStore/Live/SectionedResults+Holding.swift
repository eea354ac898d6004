internal import SectileCore

extension SectionedResults: SnapshotHolding {
  /// Returns the newest contents, whose rows are held on a file as a load's are.
  ///
  /// As long as they are held the log cannot begin anew: hence as long as somebody has the
  /// snapshot, and for a while only. Where the log is long already, they may not be held at all.
  package func heldSnapshot(for duration: Duration) async throws -> ResultsSnapshot<Item> {
    try checkUsable()
    let views = LoadViews(for: .clients, of: items.reader.table)
    let snapshot = try await writer.blockingCalls.run {
      try CurrentContents(tracker: tracker, items: items, writer: writer).snapshot(holding: views)
    }
    views.end(after: duration)
    return snapshot
  }
}
