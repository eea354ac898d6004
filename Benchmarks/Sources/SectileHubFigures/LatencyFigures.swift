#if Postgres
  internal import Sectile
  internal import SectileHub
  internal import SectilePostgres
  internal import Synchronization

  /// How soon a commit of the hub is in a replica, and told, and how soon an own write is seen.
  struct LatencyFigures {
    let world: HubWorld
    let count: Int

    func measure() async throws {
      let hub = try world.hub("latency")
      try await hub.install(["parcel", "large"])
      let replica = try await world.open("latency", of: "parcel", hub)
      try await commits(of: replica)
      try await ownWrites(in: replica)
      try await world.end(replica, hub)
    }

    /// Somebody else commits, one after the other: when they are answered, when the file has it, when the diff is told.
    private func commits(of replica: Replica) async throws {
      let writer = try world.hub("writer")
      let results = try replica.store.results(
        of: FetchPlan(table: "parcel", keyColumns: ["id"], itemColumns: ["id", "state"]))
      let watch = Watch()
      results.delegate = watch
      try await results.load()
      var (answers, files, diffs): ([Duration], [Duration], [Duration]) = ([], [], [])
      for number in 1...count {
        watch.begin()
        let before = replica.status.appliedTransactionCount
        let begin = ContinuousClock.now
        let change = RowMutation.update(
          table: "parcel", key: [.integer(Int64(number))], revision: nil,
          values: ["state": .text("s\(number)")])
        _ = try await writer.perform(
          Mutation(id: MutationID(client: "figures", number: Int64(number)), changes: [change]))
        answers.append(ContinuousClock.now - begin)
        while replica.status.appliedTransactionCount == before { await Task.yield() }
        files.append(ContinuousClock.now - begin)
        diffs.append(try await watch.wait() - begin)
      }
      results.cancel()
      await writer.close()
      Figure.line("a commit is answered to who made it", answers)
      Figure.line("  it is in the replica's file", files)
      Figure.line("  its diff is told", diffs)
    }

    private func ownWrites(in replica: Replica) async throws {
      var durations: [Duration] = []
      for number in 1...count {
        durations.append(
          try await Figure.time {
            try await replica.write { changes in
              try changes.update("parcel", key: number, set: ["state": "own"], ifRevision: .any)
            }
          })
      }
      Figure.line("an own write is seen (Replica.write)", durations)
    }
  }

  /// When a changeset was last told.
  private final class Watch: DataSourceDelegate {
    // MARK: - Mutable state
    //
    // - `time`: nil since the last beginning; guarded by its mutex.
    private let time = Mutex<ContinuousClock.Instant?>(nil)

    func begin() { time.withLock { $0 = nil } }

    func dataSource(
      _ source: any DataSource<PlanItem.ID, PlanItem>,
      didPartiallyLoad changes: Changeset<PlanItem.ID, PlanItem>
    ) {
      time.withLock { $0 = .now }
    }

    /// Waits until one was told since the beginning.
    func wait() async throws -> ContinuousClock.Instant {
      while true {
        if let time = time.withLock({ $0 }) { return time }
        await Task.yield()
      }
    }
  }
#endif
