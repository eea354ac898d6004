internal import Sectile
internal import Synchronization

/// Live results, and a replica of them that knows nothing but their changesets.
///
/// Used on one thread, on which the store delivers as well.
final class ReplayedResults {
  typealias Contents = SectionedContents<UntypedRow.ID, UntypedRow>

  /// At most how many differences are told.
  static let differenceLimit = 5

  let plan: FetchPlan
  /// The differences that were found.
  private(set) var differences: [String] = []
  /// Why the results cannot be compared any more; nil while they can.
  private(set) var obstacle: (any Error)?
  /// How many rows there were at the last comparison.
  private(set) var rowCount = 0
  /// How often everything was compared.
  private(set) var comparisonCount = 0
  /// How many changesets the replica went through.
  private(set) var changesetCount = 0
  /// How often the replica had to begin anew, because a row was overwritten before it was read.
  private(set) var restartCount = 0

  /// What results refuse, and a fetch does not: not a mistake of theirs.
  private static let limitations: Set<StoreError.Code> = [
    .duplicateKey, .sectionOrderAmbiguous, .decodingFailed,
  ]

  private let results: SectionedResults<UntypedRow>
  private let events = EventLog()
  private let observation: DataSourceObservation
  private var replica: Contents? = Contents()

  /// Loads the results.
  ///
  /// - Parameters:
  ///   - plan: What to follow.
  ///   - store: A store that does not look for changes by itself.
  /// - Throws: ``StoreError``.
  init(of plan: FetchPlan, in store: Store) throws {
    self.plan = plan
    results = try store.results(of: plan)
    observation = results.observe(on: .immediate) { [events] in events.add($0) }
    do {
      try results.load()
    } catch {
      // What the results have delivered counts when they are compared.
      guard results.failure != nil else { throw error }
    }
    // The first load's own rows, before somebody else overwrites them.
    replay()
  }

  /// Applies the changesets that came.
  func replay() {
    for event in events.take() {
      guard case .didPartiallyLoad(let changeset) = event, var contents = replica else { continue }
      // A copy that is being changed must be the only one.
      replica = nil
      do {
        try contents.apply(changeset)
        changesetCount += 1
        replica = contents
      } catch let error as StoreError where error.code == .itemChangedElsewhere {
        restartCount += 1
      } catch {
        note("a changeset cannot be applied: \(error)")
      }
    }
  }

  /// Compares the results and the replica with what was fetched at the same version.
  func compare(with fetched: Result<Contents, any Error>) {
    replay()
    let fresh: Contents
    do {
      fresh = try fetched.get()
    } catch {
      return obstacle = error
    }
    if let failure = events.failure {
      let code = (failure as? StoreError)?.code
      if let code, Self.limitations.contains(code) { return obstacle = failure }
      // The fetch went well, so the results had no reason to fail.
      return note("the results failed: \(failure)")
    }
    comparisonCount += 1
    rowCount = fresh.count
    compareOrder(with: fresh)
    if let replica {
      for line in Self.differences(of: replica, from: fresh) { note("replayed: \(line)") }
    }
    if replica == nil || !differences.isEmpty {
      replica = fresh
      replica?.version = results.version
    }
  }

  /// Compares sections and identities; the rows themselves are read anew with each access.
  private func compareOrder(with fresh: Contents) {
    let snapshot = results.snapshot
    guard snapshot.numberOfSections == fresh.sections.count else {
      return note(
        "the results have \(CountText.text(snapshot.numberOfSections, "section")), "
          + "a fetch \(fresh.sections.count)")
    }
    for (ordinal, section) in fresh.sections.enumerated() {
      let identity = snapshot.sections[ordinal].identity
      let count = snapshot.numberOfItems(in: ordinal)
      guard identity == section.header.identity, count == section.rows.count else {
        return note(
          "section \(ordinal) is \(identity) with \(CountText.text(count, "row")), in a fetch "
            + "\(section.header.identity) with \(section.rows.count)")
      }
      for (offset, row) in section.rows.enumerated() {
        let id = snapshot.id(at: ItemPath(section: ordinal, item: offset))
        guard id == row.id else {
          return note("at [\(ordinal), \(offset)] is row \(id), in a fetch row \(row.id)")
        }
      }
    }
  }

  private static func differences(of replica: Contents, from fresh: Contents) -> [String] {
    guard replica.sections.count == fresh.sections.count else {
      return [
        "sections: \(replica.sections.count), in a fetch \(fresh.sections.count)"
      ]
    }
    for (ordinal, (mine, other)) in zip(replica.sections, fresh.sections).enumerated() {
      guard mine.header.identity == other.header.identity, mine.rows.count == other.rows.count
      else {
        return [
          "section \(ordinal) is \(mine.header.identity) with "
            + "\(CountText.text(mine.rows.count, "row")), in a fetch "
            + "\(other.header.identity) with \(other.rows.count)"
        ]
      }
      for (offset, (row, expected)) in zip(mine.rows, other.rows).enumerated()
      where row != expected {
        let path = "[\(ordinal), \(offset)]"
        guard row.id == expected.id else {
          return ["at \(path) is row \(row.id), in a fetch row \(expected.id)"]
        }
        let columns = zip(row.item.row.columns, zip(row.item.row.values, expected.item.row.values))
          .filter { $0.1.0 != $0.1.1 }.map(\.0)
        return ["row \(row.id) at \(path) has other values of \(columns.joined(separator: ", "))"]
      }
    }
    return []
  }

  private func note(_ difference: String) {
    if differences.count < Self.differenceLimit { differences.append(difference) }
  }
}

/// The events of one source, until somebody takes them.
private final class EventLog: Sendable {
  typealias Event = DataSourceEvent<UntypedRow.ID, UntypedRow>

  private struct State {
    var events: [Event] = []
    var failure: (any Error)?
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex.
  private let state = Mutex(State())

  func add(_ event: Event) {
    state.withLock { state in
      switch event {
      case .didPartiallyLoad:
        state.events.append(event)
        state.failure = nil
      case .didFail(let error): state.failure = error
      case .willLoad, .didFinishLoading: break
      }
    }
  }

  func take() -> [Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// The last event, where it was a failure.
  var failure: (any Error)? { state.withLock { $0.failure } }
}
