internal import Sectile

/// Search as somebody types, in a full-text table with an index of prefixes.
enum SearchBenchmark: Benchmark {
  static let name = "search"
  static let summary = "a key typed into a search, and a commit that a search follows"
  // A full-text table of titles takes longer to make than all that is measured.
  static let storages = [Storage.memory]

  static func run(_ bench: Bench) throws {
    let sides = [try Contestant(bench, []), try Contestant(bench, [])]
    for side in sides { try makeTextTable(in: side.store) }
    try typeKeys(sides[0].store, bench)
    try followCommits(sides, bench)
  }

  private static func makeTextTable(in store: Store) throws {
    try store.write {
      try $0.execute(
        """
        CREATE VIRTUAL TABLE track_text USING fts5(
          title, content='track', content_rowid='id', prefix='1 2 3');
        CREATE TRIGGER track_text_update AFTER UPDATE OF title ON track BEGIN
          INSERT INTO track_text(track_text, rowid, title) VALUES ('delete', old.id, old.title);
          INSERT INTO track_text(rowid, title) VALUES (new.id, new.title);
        END;
        INSERT INTO track_text(track_text) VALUES ('rebuild');
        """)
    }
  }

  private static func searching(_ text: String) -> FetchRequest<Track> {
    .indexed.searching(text, in: "track_text")
  }

  /// From what one text finds to what the next one finds, delivered as a difference.
  private static func typeKeys(_ store: Store, _ bench: Bench) throws {
    let results = try store.results(of: searching("a"))
    try results.load()
    for (before, after) in [("a", "ab"), ("ab", "abc")] {
      let times = try bench.interleave([
        {
          try results.update(to: searching(before))
          let (time, _) = try Stopwatch.time { try results.update(to: searching(after)) }
          let count = try store.read { try $0.fetchCount(searching(after)) }
          try verify(results.numberOfItems == count, "\(results.numberOfItems) rows, not \(count)")
          return time
        }
      ])
      bench.reportTime("key typed, \(before) to \(after)", times[0])
    }
  }

  private static func followCommits(_ sides: [Contestant], _ bench: Bench) throws {
    let view = try View(searching("abc"), in: sides[1].store)
    let times = try bench.interleave(
      sides.map { side in { try side.commit(bench.commitCount) } })
    bench.reportRatio("1 row, 1 search / none", times[1], to: times[0])
    try view.verifyContents(in: sides[1].store)
    try verify(view.results.statistics.rebuildCount == 0, "everything was read again")
  }
}
