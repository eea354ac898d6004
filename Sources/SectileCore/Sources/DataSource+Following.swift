extension DataSource {
  /// Returns the current version of the contents, and what comes after it: without a gap, and
  /// nothing twice.
  ///
  /// The first changeset applies to the snapshot, each further one to what the one before it gives,
  /// whatever other threads commit meanwhile:
  ///
  /// ```swift
  /// let (snapshot, changesets) = songs.follow()
  /// show(snapshot)
  /// for await changes in changesets { apply(changes) }
  /// ```
  ///
  /// A snapshot of live results reads its items when they are asked for. Where other connections
  /// write, one of its rows may be overwritten by then: who wants all rows, to send them to a
  /// client, calls ``followContents()``.
  ///
  /// The changesets are those of one consumer, which may be as slow as it likes: see
  /// ``ChangesetSequence``.
  ///
  /// - Returns: The contents, and the changesets from them on.
  public func follow() -> (snapshot: Snapshot, changesets: ChangesetSequence<ItemID, Item>) {
    // In this order: what is told after the reader was made is in the ring, and what the snapshot
    // shows already is left out by its version.
    let reader = events.openReader()
    let snapshot = snapshot
    reader.skip(to: snapshot.version)
    return (snapshot, events.sequence(from: reader))
  }
  /// Returns everything that the source shows, all of one version, and what comes after it: without
  /// a gap, and nothing twice.
  ///
  /// This is how a client joins a live list:
  ///
  /// ```swift
  /// let (contents, changesets) = try await results.followContents()
  /// send(contents)
  /// for await changes in changesets { send(changes) }
  /// ```
  ///
  /// The rows of live results are read in one state of the database, whoever writes meanwhile. A
  /// composition of such results reads what it shows, and reads again where somebody has
  /// overwritten a row of that.
  ///
  /// - Returns: The contents, and the changesets from them on: see ``follow()``.
  /// - Throws: What reading the items throws, as what live results have failed with;
  ///   `CancellationError`.
  /// - Complexity: O(*n*) for *n* rows, which are read.
  public func followContents() async throws -> (
    contents: SectionedContents<ItemID, Item>, changesets: ChangesetSequence<ItemID, Item>
  ) {
    // In this order, as in `follow()`.
    let reader = events.openReader()
    let contents = try await wholeContents()
    reader.skip(to: contents.version)
    return (contents, events.sequence(from: reader))
  }
}
