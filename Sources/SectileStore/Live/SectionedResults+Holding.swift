internal import SectileCore

extension SectionedResults: SnapshotHolding {
  /// Returns the newest contents, whose rows are held on a file as a load's are.
  ///
  /// As long as they are held the log cannot begin anew: hence for a while only.
  package func heldSnapshot(for duration: Duration) async throws -> ResultsSnapshot<Item> {
    try checkUsable()
    let views = LoadViews()
    let snapshot = try await writer.blockingCalls.run {
      try CurrentContents(tracker: tracker, items: items, writer: writer).snapshot(holding: views)
    }
    Task.detached {
      try? await Task.sleep(for: duration)
      views.end()
    }
    return snapshot
  }
}
