internal import GRDB
public import SectileCore
internal import Synchronization

extension Store {
  /// Returns live results of a request, empty until they are loaded.
  ///
  /// ```swift
  /// let results = try store.results(of: FetchRequest<Package>().sort(by: \.name))
  /// try results.load()
  /// ```
  ///
  /// Edits by results may be kept from filling a section more than a row of another table says:
  ///
  /// ```swift
  /// let cards = try store.results(
  ///   of: FetchRequest<Card>().sectioned(by: \.laneId).reorderable(by: \.position),
  ///   sectionLimit: { lane, transaction in
  ///     guard case .integer(let id) = lane else { return nil }
  ///     return try transaction.fetchOne(Lane.self, key: id)?.cardLimit
  ///   })
  /// ```
  ///
  /// - Parameters:
  ///   - request: What to fetch, in which order and sections.
  ///   - delivery: Where the delegate is called.
  ///   - allows: Returns whether an item may be edited in a way: see
  ///     ``SectionedResults/allows(_:at:)``; nil allows everything.
  ///   - sectionLimit: Returns how many rows a section may have, by its identity; nil for any
  ///     number. An edit that would bring one more into it, by these results, is refused with
  ///     `sectionFull`: the rows are counted in the transaction that writes. The closure is asked
  ///     inside of it, when the row is there, and may read limits from the file by what it is
  ///     handed; it must not use the store. What it throws, the edit throws, and nothing was
  ///     written then. What else is written is not counted.
  /// - Returns: The results, not loaded yet.
  /// - Throws: A ``StoreError``: `invalidRequest` for a request that makes no sense.
  public func results<E: Entity>(
    of request: FetchRequest<E>, delivery: CallbackDelivery = .immediate,
    allows: (@Sendable (EditingCapability, ItemPath, E?) -> Bool)? = nil,
    sectionLimit: (@Sendable (StoredValue, StoreReadTransaction) throws -> Int?)? = nil
  ) throws -> SectionedResults<E> {
    let results: SectionedResults<E> = makeResults(
      of: try request.makePlan(), as: .entity, delivery: delivery, allows, sectionLimit)
    results.tracker.noteRequest(request)
    return results
  }

  /// Returns live results of a plan, on a table that no Swift type describes.
  ///
  /// - Parameters:
  ///   - plan: What to fetch, by table and column names and SQL.
  ///   - delivery: Where the delegate is called.
  ///   - allows: Returns whether an item may be edited in a way: see
  ///     ``SectionedResults/allows(_:at:)``; nil allows everything.
  ///   - sectionLimit: Returns how many rows edits may bring into a section, by its identity; nil
  ///     for any number. See above.
  /// - Returns: The results, not loaded yet.
  /// - Throws: A ``StoreError``: `invalidRequest` for a plan that makes no sense.
  public func results(
    of plan: FetchPlan, delivery: CallbackDelivery = .immediate,
    allows: (@Sendable (EditingCapability, ItemPath, UntypedRow?) -> Bool)? = nil,
    sectionLimit: (@Sendable (StoredValue, StoreReadTransaction) throws -> Int?)? = nil
  ) throws -> SectionedResults<UntypedRow> {
    let plan = try plan.readyForItems()
    return makeResults(
      of: plan, as: .untyped(keyColumns: plan.keyColumns, columns: plan.itemColumns),
      delivery: delivery, allows, sectionLimit)
  }

  /// Makes results of a plan whose items are read by their keys from the plan's own rows, or from
  /// those of another SELECT that has all of them.
  func makeResults<Item>(
    of plan: FetchPlan, as format: RowFormat<Item>, readBy select: SQLFragment? = nil,
    delivery: CallbackDelivery,
    _ allows: (@Sendable (EditingCapability, ItemPath, Item?) -> Bool)?,
    _ sectionLimit: SectionLimit? = nil
  ) -> SectionedResults<Item> {
    pollForExternalChanges()
    let reading = ReadAccess(blockingCalls, monitor) { [self] view, body in try read(in: view, body)
    }
    var itemPlan = plan
    itemPlan.query = select ?? plan.query
    let items = ItemDelivery(plan: itemPlan, format: format, delivery: delivery, access: reading)
    let tracker = ResultsTracker(plan: plan, items: items)
    resultsHubs.add(items.hub, of: tracker)
    return SectionedResults(
      name: plan.table, tracker: tracker, items: items,
      writer: WriterAccess(
        commits: commits, followed: followed, digests: digests, reading: reading, views: views
      ) { [self] body in try useWriter(body) },
      editing: EditingAccess(
        isReadOnly: configuration.isReadOnly,
        write: { [self] body in
          try write { (transaction: StoreTransaction) in try body(transaction) }
        },
        writeUndoably: { [self] body in
          try writeUndoably { (transaction: StoreTransaction) in try body(transaction) }.undo
        }),
      allowing: allows, sectionLimit: sectionLimit,
      checkUsable: { [self] () throws(StoreError) in try accesses.check() })
  }

  /// When results take digests of their rows, so as to notice what others write.
  private var digests: ForeignChangeDigests {
    // Whatever is written to a store that is read-only, others write, and maybe all the time.
    if configuration.isReadOnly { return .withLoad }
    if let pool = writer as? DatabasePool { return .afterLoad(pool) }
    return isPrivate && !isWriterExposed.load(ordering: .relaxed) ? .whenSchemaChanges : .withLoad
  }

  /// Whether no other connection reaches the database.
  private var isPrivate: Bool { !isAdopted && (writer as? DatabaseQueue)?.path == ":memory:" }

  /// Takes note that somebody else uses the writer from now on, and may do what the recorder does
  /// not see.
  func exposeWriter() {
    commits.isWriterShared.store(true, ordering: .relaxed)
    guard isPrivate, !isWriterExposed.exchange(true, ordering: .relaxed) else { return }
    // Inside a closure of the store there is no way to read; results that are loaded later remember
    // their rows.
    try? useWriter { db in
      try db.inTransaction(.deferred) {
        followed.rememberContents(in: db)
        return .commit
      }
    }
  }

  /// Reads what a view shows, unless that has ended; without one, what the file holds.
  private func read(in view: HeldView?, _ body: (Database) throws -> Void) throws {
    guard let view else { return try read { try body($0.db) } }
    let call = try accesses.begin()
    do {
      _ = try view.read { db in try call.run { try body(db) } }
    } catch {
      throw StoreError.translating(error, file: path)
    }
  }

  /// Runs a closure on the writer, outside of a transaction, after the writes that came before.
  func useWriter(_ body: (Database) throws -> Void) throws {
    let call = try accesses.begin()
    do {
      try writer.unsafeReentrantWrite { db in
        try call.run { try body(db) }
      }
    } catch {
      throw StoreError.translating(error, file: path)
    }
  }

  private func pollForExternalChanges() {
    guard let path, let interval = configuration.externalChangePolling else { return }
    let stillness = makeStillness()
    commits.poll(
      every: interval, watching: watchedPath,
      isStill: { [followed] isWatched in
        !followed.needsLook && stillness?.isStill(logIsWatched: isWatched) == true
      }
    ) { [weak self] in
      guard let self else { return .end }
      // While the store is being closed, which may fail: the next look tells.
      guard let call = try? accesses.begin() else { return .done }
      do {
        let audit = configuration.changeLogAudit
        let mark = stillness?.mark()
        let failedCount = monitor.failedPollCount.load(ordering: .relaxed)
        var hasNews = false
        let outcome: ExternalChangePoller.LookOutcome
        do {
          // Also where reading has failed after something was published.
          defer { if hasNews { commits.deliver() } }
          outcome = try writer.unsafeReentrantWrite { db in
            try call.run {
              growth.look(in: db)
              return try commits.catchUp(in: db, auditingEvery: audit, hasNews: &hasNews)
            }
          }
        }
        followChangeLog()
        if let mark { stillness?.didLook(at: mark) }
        // What reading met is told to the results, and not thrown.
        if monitor.failedPollCount.load(ordering: .relaxed) == failedCount {
          monitor.lookFailure.withLock { $0 = nil }
        }
        return outcome
      } catch {
        // What reading meets is delivered to the results; a lock of others goes away.
        stillness?.didFail()
        monitor.lookFailed(.wrapping(error, file: path))
        return .done
      }
    }
  }

  /// Returns what says whether the file is worth a look; nil where there is no file.
  ///
  /// Whoever calls ``checkForExternalChanges()`` from time to time leaves that out while the file
  /// is still, unless the store ``needsLook``.
  package func makeStillness() -> FileStillness? {
    watchedPath.map { FileStillness(of: $0, lookingEvery: configuration.changeLogAudit) }
  }

  /// Whether the next look has something to do, though nobody may have written.
  package var needsLook: Bool { followed.needsLook }

  /// The file that other processes may write to; nil where there is none.
  private var watchedPath: String? {
    configuration.isImmutable ? nil : path.map { file?.currentPath ?? $0 }
  }

  /// Calls a closure whenever somebody may have committed, this store or another process, until
  /// what is returned is released.
  ///
  /// It is a hint, which may get lost: look from time to time as well.
  ///
  /// - Parameter wake: Called on any thread, the one that commits among them: it must not wait. It
  ///   must not hold the store.
  /// - Returns: What listens.
  package func listenForCommits(_ wake: @escaping @Sendable () -> Void) -> CommitListening {
    commits.bell.listen(watching: watchedPath, wake)
  }

  /// Whether live results follow what others commit by the file's change log.
  ///
  /// Known once some were loaded.
  package var followsChangeLog: Bool { commits.log.publishedPlace != nil }

  /// Does what another process that switched the change log on, or changed the schema below it,
  /// leaves to us.
  private func followChangeLog() {
    guard !configuration.isReadOnly else { return }
    if commits.log.publishedPlace != nil, writerLock.state == .off { writerLock.engage() }
    // Each transaction begins with the repair. What it meets, the next one will meet.
    if commits.log.mayNeedRepair { try? write { _ in } }
  }

  /// Looks whether another process or connection has written, without blocking the caller's thread.
  ///
  /// See `checkForExternalChanges()` for more information.
  public func checkForExternalChanges() async throws {
    try await blockingCalls.run { try checkForExternalChanges() }
  }

  /// Looks whether another process or connection has written, and delivers what that changed.
  ///
  /// Stores on files do so by themselves, as often as ``StoreConfiguration/externalChangePolling``
  /// says; a call makes it happen now. When it returns, whoever asked to be told at once was told
  /// of everything that was committed before the call, be it through GRDB's connection, or found by
  /// another thread: where that is telling still, the call waits for its callbacks. A change log
  /// whose triggers others have taken away is made whole.
  ///
  /// Inside a callback nobody waits: what is found is told when the callback has returned.
  ///
  /// - Throws: A ``StoreError``: `fileReplaced`, which the results hear of, too; `storeClosed`,
  ///   `reentrantAccess`; what reading throws.
  public func checkForExternalChanges() throws {
    var hasNews = false
    var failure: StoreError?
    var hubs: [HubCore] = []
    do {
      // Also where reading has failed after something was published.
      defer { if hasNews { commits.deliver() } }
      try useWriter { db in
        try commits.catchUp(in: db, hasNews: &hasNews)
        failure = commits.fileReplaced(below: db)
        if failure == nil { try commits.noticeLogOfOthers(in: db) }
        hubs = followed.deliveringHubs
      }
    }
    DeliveryEnd.reach(in: hubs)
    if let failure { throw failure }
    followChangeLog()
  }
}
