#if Server
  internal import Sectile
  internal import SectileFeed

  /// A window of the rows of one version, as JSON.
  struct RowsAnswer {
    /// How many rows are read by one query.
    private static let batch = 64
    /// How often the newest version is read where rows of it are changed just then.
    private static let attempts = 4

    let view: LiveView
    let limits: ViewLimits

    /// Reads the rows.
    ///
    /// - Parameters:
    ///   - version: Of which version; nil for the newest.
    ///   - position: What the client was told last, whose versions these are to be; nil where it
    ///     does not say.
    ///   - from: The rank of the first.
    ///   - count: How many.
    /// - Returns: The JSON.
    /// - Throws: ``Refusal`` where the version is not held any more, and where it is one of other
    ///   contents than the client's; `StoreError`.
    func json(
      of version: Int?, after position: String?, from: Int, count: Int
    ) async throws -> [UInt8] {
      for attempt in 0..<Self.attempts {
        let edition = view.edition
        try edition.requireFollower(at: position)
        let snapshot = try edition.snapshot(version)
        do {
          return try await json(of: snapshot, edition.plan, from: from, count: count)
        } catch let error as StoreError where error.code == .itemChangedElsewhere {
          // Somebody has overwritten a row: there is a newer version, which clients are told of as
          // well.
          try await view.look()
          if let version { throw view.edition.gone(version) }
          guard attempt == Self.attempts - 2 else { continue }
          do {
            return try await steadyJSON(after: position, from: from, count: count)
          } catch let error as StoreError where error.code == .itemChangedElsewhere {
            // What is held has a row that is not there: the next look fetches everything again.
            try await view.look()
          }
        }
      }
      throw Refusal(.busy, "the rows are written all the time", hint: "Try again in a second.")
    }

    /// Reads the rows of the newest version in a state of the file that is held for a moment.
    private func steadyJSON(
      after position: String?, from: Int, count: Int
    ) async throws -> [UInt8] {
      let edition = view.edition
      try edition.requireFollower(at: position)
      let snapshot = try await edition.results.heldSnapshot(for: .milliseconds(500))
      return try await json(of: snapshot, edition.plan, from: from, count: count)
    }

    private func json(
      of snapshot: ResultsSnapshot<UntypedRow>, _ plan: FetchPlan, from: Int, count: Int
    ) async throws -> [UInt8] {
      let total = snapshot.numberOfItems
      let end = min(total, from + min(count, limits.rowsPerAnswer))
      var bytes = Array(
        "{\"format\":2,\"version\":\(snapshot.version),\"from\":\(from),\"total\":\(total),\"columns\":"
          .utf8)
      // One by one: the encoder takes a list for what it is.
      bytes += try ExactJSON.encode(plan.itemColumns)
      bytes += ",\"rows\":[".utf8
      var rank = from
      while rank < end, bytes.count < limits.answerBytes {
        let paths = (rank..<min(end, rank + Self.batch)).map { snapshot.path(atRank: $0) }
        for row in try await snapshot.cutRows(at: paths[...], showing: plan.itemColumns.count) {
          guard bytes.count < limits.answerBytes else { break }
          if rank > from { bytes.append(UInt8(ascii: ",")) }
          try CellJSON.append(row, to: &bytes)
          rank += 1
        }
      }
      bytes += "]}".utf8
      return bytes
    }
  }
#endif
