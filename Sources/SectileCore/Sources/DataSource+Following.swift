extension DataSource {
  /// Returns the current version of the contents, and what comes after it: without a gap, and nothing
  /// twice.
  ///
  /// The first changeset applies to the snapshot, each further one to what the one before it gives,
  /// whatever other threads commit meanwhile. This is how a client joins a live list:
  ///
  /// ```swift
  /// let (snapshot, changesets) = results.follow()
  /// try send(snapshot.materialized())
  /// for await changes in changesets { send(changes) }
  /// ```
  ///
  /// The changesets are those of one consumer, which may be as slow as it likes: see
  /// ``ChangesetSequence``.
  ///
  /// - Returns: The contents, and the changesets from them on.
  public func follow() -> (snapshot: Snapshot, changesets: ChangesetSequence<ItemID, Item>) {
    // In this order: what is told after the reader was made is in the ring, and what the snapshot shows
    // already is left out by its version.
    let reader = events.openReader()
    let snapshot = snapshot
    reader.skip(to: snapshot.version)
    return (snapshot, events.sequence(from: reader))
  }
}
