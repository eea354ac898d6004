/// A source that reads all it shows in one state of what is beneath it, whoever writes there.
package protocol ContentsReading: DataSource {
  /// Reads everything.
  ///
  /// The version may be ahead of the source's, and what leads there is delivered next.
  ///
  /// - Returns: The contents.
  /// - Throws: What reading throws; `CancellationError`.
  func contents() async throws -> SectionedContents<ItemID, Item>
}

/// How a version is read that somebody may overwrite meanwhile.
private enum Rereading {
  /// How often a newer version is read where the one before could not be.
  static let attemptLimit = 8
  /// How often it is looked whether there is a newer one, and after which time each.
  static let lookCount = 20
  static let pause = Duration.milliseconds(25)
}

extension DataSource {
  /// Reads everything that the source shows, all of one version.
  ///
  /// - Returns: The contents.
  /// - Throws: What reading throws, where no newer version comes that can be read;
  ///   `CancellationError`.
  func wholeContents() async throws -> SectionedContents<ItemID, Item> {
    if let source = self as? any ContentsReading,
      let contents = try await Self.contents(of: source)
    {
      return contents
    }
    for _ in 1..<Rereading.attemptLimit {
      let snapshot = snapshot
      do {
        return try await Self.read(snapshot)
      } catch {
        // What was overwritten is told soon; what cannot be read stays as it is.
        guard try await isFollowed(snapshot.version) else { throw error }
      }
    }
    return try await Self.read(snapshot)
  }

  private static func contents(
    of source: some ContentsReading
  ) async throws -> SectionedContents<ItemID, Item>? {
    try await source.contents() as? SectionedContents<ItemID, Item>
  }

  private static func read(
    _ snapshot: Snapshot
  ) async throws -> SectionedContents<ItemID, Item> {
    try await BlockingCalls.shared.run { try snapshot.materialized() }
  }

  /// Waits for a version after another one, for a while.
  private func isFollowed(_ version: Int) async throws -> Bool {
    for _ in 0..<Rereading.lookCount {
      if self.version != version { return true }
      try await Task.sleep(for: Rereading.pause)
    }
    return false
  }
}
