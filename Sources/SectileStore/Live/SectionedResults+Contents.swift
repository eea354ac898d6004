public import SectileCore

extension SectionedResults: ContentsReading {
  /// Reads everything: sections with their identities and items, all of one state of the database,
  /// whoever writes meanwhile.
  ///
  /// It is what a client gets that asks once; one that joins calls ``DataSource/followContents()``,
  /// which has the changesets that lead on from its version, too:
  ///
  /// ```swift
  /// let contents = try results.contents()
  /// send(contents)
  /// ```
  ///
  /// What others have committed is read first, as by `Store.checkForExternalChanges()`, and is
  /// delivered before the call returns; so the contents are those of a commit that was there when
  /// they were asked for, or of a later one. The writer only begins the read: on a file, rows are
  /// read beside it, and others write meanwhile. A snapshot, on the other hand, is of a version
  /// that others may have overwritten already.
  ///
  /// The version may be one that is still on its way to the delegate: called from inside a
  /// callback, or where the ``CallbackDelivery`` is a queue. While a load reads, and after the
  /// results were cancelled, the contents are those that a reader sees; before the first load there
  /// are none.
  ///
  /// - Returns: The contents.
  /// - Throws: A ``StoreError``: `storeClosed`, `reentrantAccess` inside a closure of the store;
  ///   what reading and decoding throw; ``failure``, where there is one that looking has not
  ///   mended. `itemChangedElsewhere` for results that follow nothing, and whose rows others have
  ///   changed.
  /// - Complexity: O(*n* log *n*), whatever was read before.
  public func contents() throws -> SectionedContents<ItemID, Item> {
    try checkUsable()
    return try CurrentContents(tracker: tracker, items: items, writer: writer).read()
  }

  /// Reads everything, without blocking the caller's thread.
  ///
  /// A few such calls read at a time; others wait for their turn, suspended. Cancelling the task
  /// has it throw `CancellationError` where its turn has not come. See `contents()` for more
  /// information.
  public func contents() async throws -> SectionedContents<ItemID, Item> {
    try checkUsable()
    let reading = CurrentContents(tracker: tracker, items: items, writer: writer)
    return try await writer.blockingCalls.run { try reading.read() }
  }
}
