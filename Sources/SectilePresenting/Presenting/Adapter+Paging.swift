extension Adapter {
  /// Fetches the next page of a paged source by itself, as its last rows are shown.
  ///
  /// Whenever the target asks for a cell behind which fewer than `rows` rows follow, the next page
  /// is fetched, once, and further ones until enough rows follow; at the end of the list nothing
  /// is.
  ///
  /// ```swift
  /// let songs = PaginatedDataSource(name: "songs", loader: service)
  /// let adapter = Adapter(source: songs.filter { $0.isNew }, presenter: presenter, target: list)
  /// adapter.pageAhead(rows: 20)
  /// songs.load()                     // the first page; the others come while the reader scrolls
  /// ```
  ///
  /// The paged source may be ``source`` itself, or below it, through any compositions, and it may
  /// be one that is kept in a store; of several ones the last is fetched from that has
  /// more. Nothing is fetched before the source was loaded. A page that shows no row here, since a
  /// filter wants none of it, is followed by the next, up to 64 in a row; and so is the first one,
  /// since a list without rows has none to ask for. A target that shows everything asks for
  /// everything, and gets all pages.
  ///
  /// A page that fails is a failure of its source, and the target hears of it as of any other.
  /// Nothing is tried again by itself, however often the target draws its rows: only after the
  /// source has changed, or ended a load, is a row near the end an occasion again. Calling this
  /// method tries at once.
  ///
  /// Several adapters on one source fetch each page once. Setting another ``source`` goes on with
  /// that.
  ///
  /// - Parameter rows: How many rows are to follow those that are asked for; zero fetches nothing
  ///   by itself, as is so in the beginning.
  public func pageAhead(rows: Int) {
    store.pageAhead(rows: rows, nil)
  }

  /// Fetches the next page by itself, as the last rows are shown, in a way of the caller's own.
  ///
  /// For a list whose pages come into ``source`` from elsewhere: into results of a store that a
  /// persistent list fills, say.
  ///
  /// ```swift
  /// let adapter = Adapter(source: results, presenter: presenter, target: list)
  /// adapter.pageAhead(rows: 20) { try await !remoteList.loadMore().isComplete }
  /// ```
  ///
  /// See ``pageAhead(rows:)`` for when it is called: one call at a time. What it throws the target
  /// hears of as a failure, except a `CancellationError`.
  ///
  /// - Parameters:
  ///   - rows: How many rows are to follow those that are asked for.
  ///   - fetchMore: Fetches the next page, and returns whether there may be another one.
  public func pageAhead(rows: Int, fetchMore: @escaping @Sendable () async throws -> Bool) {
    store.pageAhead(rows: rows, fetchMore)
  }
}
