internal import Synchronization

/// The contents of a data source of your own, as an array of sections: what readers see, and what
/// they see next.
///
/// The source says what its contents are from now on; what changed is found by comparing, so that
/// there is no changeset to get wrong. Each submission is one exact changeset, also in
/// compositions.
///
/// ```swift
/// final class Stopwatch: DataSource {
///   let name = "laps"
///   private let contents = LiveContents<Int, Lap>()
///   private let laps = Mutex<[Lap]>([])
///
///   init() { events.bind(self) }
///
///   var events: DataSourceEvents<Int, Lap> { contents.events }
///   var snapshot: ContentsSnapshot<Int, Lap> { contents.snapshot }
///   func load() { contents.load() }
///
///   func stop(_ lap: Lap) {
///     laps.withLock { laps in
///       laps.append(lap)
///       let rows = laps.map { LiveContents<Int, Lap>.Row(id: $0.number, item: $0) }
///       let header = SourceSection(identity: .null, title: "Laps")
///       contents.submit([.init(header: header, rows: rows)])
///     }
///     events.flush()
///   }
/// }
/// ```
///
/// Submitting inside the lock that guards the source's own state keeps submissions in the order of
/// the changes; it calls nobody. Flushing outside of it makes the callbacks.
///
/// A source is live between ``load()`` and its cancellation. What is submitted before or after is
/// kept, and the next load delivers the difference. All members may be used from any thread.
public final class LiveContents<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// A section's header and its rows.
  public typealias Section = SectionedContents<ItemID, Item>.Section
  /// An item and what identifies it.
  public typealias Row = SectionedContents<ItemID, Item>.Row
  private typealias Cycle = LoadCycle<ItemID, Item>
  private typealias Snapshot = ContentsSnapshot<ItemID, Item>

  // MARK: - Mutable state
  //
  // All of it guarded by `state`. What is replaced is released outside, since the last reference to
  // an item runs the user's code. `visible` is replaced only by cycles, one at a time.
  private struct State {
    /// As last submitted.
    var sections: [Section] = []
    var visible = Snapshot()
    var isLoaded = false
  }

  /// What the source tells, for its own ``DataSource/events``.
  public let events: DataSourceEvents<ItemID, Item>
  private let isEqual: @Sendable (Item, Item) -> Bool
  private let state = Mutex(State())

  /// Creates contents without sections.
  ///
  /// - Parameters:
  ///   - delivery: Where callbacks are made.
  ///   - isEqual: Returns whether two items of one identity are the same in every respect.
  public init(
    delivery: CallbackDelivery = .immediate, isEqual: @escaping @Sendable (Item, Item) -> Bool
  ) {
    events = DataSourceEvents(delivery: delivery)
    self.isEqual = isEqual
  }

  /// Creates contents without sections.
  ///
  /// - Parameter delivery: Where callbacks are made.
  public convenience init(delivery: CallbackDelivery = .immediate) where Item: Equatable {
    self.init(delivery: delivery, isEqual: ==)
  }

  /// What a reader sees, for the source's own ``DataSource/snapshot``.
  public var snapshot: ContentsSnapshot<ItemID, Item> { state.withLock { $0.visible } }

  /// Shows what was submitted, and from now on every submission: the source's own
  /// ``DataSource/load()``.
  ///
  /// Listeners hear of a lifecycle, also where nothing changed.
  ///
  /// - Precondition: ``DataSourceEvents/bind(_:)`` was called.
  public func load() {
    events.requireSource()
    state.withLock { state in
      events.resume()
      state.isLoaded = true
      let sections = state.sections
      let first = Cycle.Step(
        prepare: { [weak self] in try self?.steps(to: sections) ?? [] }, flip: { nil })
      events.submit(Cycle([first]))
    }
    events.flush()
  }

  /// Says what the contents are from now on; queues the difference, if the source is live, and
  /// calls nobody.
  ///
  /// Rows and sections are told apart by their identities. Where two share one, listeners hear of a
  /// ``ChangesetError`` with `duplicateIdentity`, and readers go on seeing what they saw.
  ///
  /// - Parameter sections: The sections with their rows, in order.
  /// - Precondition: ``DataSourceEvents/bind(_:)`` was called.
  /// - Complexity: O(1); delivering takes O(*n* log *n*) for *n* rows before and after.
  public func submit(_ sections: [Section]) {
    events.requireSource()
    let former = state.withLock { state in
      defer { state.sections = sections }
      if state.isLoaded {
        // Where nothing changed, nobody is called.
        events.submit(
          Cycle(deriving: { [weak self] in
            do {
              let steps = try self?.steps(to: sections) ?? []
              return steps.isEmpty ? nil : steps
            } catch {
              return [Cycle.Step(flip: { throw error })]
            }
          }))
      }
      return state.sections
    }
    withExtendedLifetime(former) {}
  }

  /// Returns what makes sections visible; nothing where a reader sees them already.
  ///
  /// Called when the change's turn comes, outside every lock: comparing is the user's code.
  private func steps(to sections: [Section]) throws -> [Cycle.Step] {
    let former = snapshot.contents
    let contents = SectionedContents(version: former.version + 1, sections: sections)
    try contents.requireDistinctIdentities()
    let changes = Changeset(from: former, to: contents, isEqual: isEqual)
    guard !changes.isEmpty else { return [] }
    let next = Snapshot(contents)
    return [
      Cycle.Step(flip: { [weak self] in
        guard let self else { return nil }
        let former = state.withLock { state in
          defer { state.visible = next }
          return state.visible
        }
        return withExtendedLifetime(former) { changes }
      })
    ]
  }
}

extension SectionedContents {
  /// Refuses contents where two rows, or two sections, share an identity.
  ///
  /// - Throws: ``ChangesetError`` with `duplicateIdentity`.
  fileprivate func requireDistinctIdentities() throws(ChangesetError) {
    var sectionIdentities: Set<StoredValue> = []
    var identities: Set<IdentityKey<ItemID>> = []
    identities.reserveCapacity(count)
    for section in sections {
      let identity = section.header.identity
      guard sectionIdentities.insert(identity).inserted else {
        throw .duplicate("sections", "\(identity)")
      }
      for row in section.rows {
        guard identities.insert(IdentityKey(row.id)).inserted else {
          throw .duplicate("rows", IdentityText.text(of: row.id))
        }
      }
    }
  }
}
