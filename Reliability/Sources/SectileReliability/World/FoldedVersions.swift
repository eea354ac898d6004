internal import Sectile
internal import Synchronization

/// The contents after each changeset, as a client that applies them has them.
final class FoldedVersions: Sendable {
  /// What there is of a version.
  struct Version {
    /// The number of the commit whose state it is, by what it shows.
    let commit: Int64
    let fingerprint: Int
  }

  private struct State {
    var contents = SectionedContents<Int64, Entry>()
    var versions: [Version] = []
    var problem: String?
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. A source makes one callback at a time.
  private let state = Mutex(State())

  /// Takes the next changeset.
  func receive(_ event: DataSourceEvent<Int64, Entry>) {
    state.withLock { state in
      do {
        switch event {
        case .didPartiallyLoad(let changes):
          try state.contents.apply(changes)
          state.versions.append(try Self.version(of: state.contents))
        case .didFail(let error): throw error
        case .willLoad, .didFinishLoading: break
        }
      } catch {
        if state.problem == nil { state.problem = "\(error)" }
      }
    }
  }

  /// The versions so far, and the contents of the last one.
  ///
  /// - Throws: The first changeset that did not fit.
  func all() throws -> ([Version], SectionedContents<Int64, Entry>) {
    try state.withLock { state in
      if let problem = state.problem { throw Finding("a changeset does not fit: \(problem)") }
      return (state.versions, state.contents)
    }
  }

  private static func version(of contents: SectionedContents<Int64, Entry>) throws -> Version {
    var (commit, fingerprint): (Int64?, Int) = (nil, 0)
    for section in contents.sections {
      var last: Entry?
      for row in section.rows {
        guard section.header.identity == .integer(row.item.batch), row.id == row.item.id,
          last.map({ ($0.body, $0.id) < (row.item.body, row.item.id) }) ?? true
        else { throw Finding("\(row.item) is out of place behind \(String(describing: last))") }
        last = row.item
        fingerprint ^= CommitOrder.fingerprint(of: row.item)
        if row.id == CommitOrder.counter { commit = Int64(row.item.body) }
      }
    }
    guard let commit else { throw Finding("a version does not show which commit it is of") }
    return Version(commit: commit, fingerprint: fingerprint)
  }
}
