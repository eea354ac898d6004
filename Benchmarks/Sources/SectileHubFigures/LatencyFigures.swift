#if Postgres
  internal import Sectile
  internal import SectileHub
  internal import SectilePostgres

  /// How soon a commit of the hub is in a replica, and told, and how soon an own write is seen.
  struct LatencyFigures {
    let world: HubWorld
    let count: Int

    func measure() async throws {
      let hub = try world.hub("latency")
      try await hub.install(["parcel", "large"])
      let replica = try await world.open("latency", of: "parcel", hub)
      try await measureCommits(of: replica)
      try await measureOwnWrites(in: replica)
      try await measureConcurrentWrites(in: replica)
      try await world.end(replica, hub)
    }

    /// Somebody else commits, one after the other, each when the one before it was told.
    private func measureCommits(of replica: Replica) async throws {
      let writer = try world.hub("writer")
      let results = try replica.store.results(
        of: FetchPlan(table: "parcel", keyColumns: ["id"], itemColumns: ["id", "state"]))
      let watch = ChangesetWatch()
      results.delegate = watch
      try await results.load()
      var times = watch.times.makeAsyncIterator()
      _ = await times.next()
      var (answers, files, diffs): ([Duration], [Duration], [Duration]) = ([], [], [])
      for number in 1...count {
        let begin = ContinuousClock.now
        try await world.change(number, to: "s\(number)", by: "figures", writer)
        let answer = ContinuousClock.now
        guard let told = await times.next() else { break }
        answers.append(answer - begin)
        files.append(told.committed - begin)
        diffs.append(told.told - begin)
      }
      results.cancel()
      await writer.close()
      Figure.line("from asking to: the hub has answered", answers)
      Figure.line("  the replica's file has it", files)
      Figure.line("  its diff is told", diffs)
      Figure.line("from the hub's answer to the diff", zip(diffs, answers).map(-))
    }

    private func measureOwnWrites(in replica: Replica) async throws {
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

    /// Many tasks write at once, until the hub has each write.
    private func measureConcurrentWrites(in replica: Replica) async throws {
      let taskCount = 60
      let (parcelCount, perTask) = (count, max(1, count / taskCount))
      let duration = try await Figure.time {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for task in 0..<taskCount {
            group.addTask {
              for number in 0..<perTask {
                let parcel = (task + number * taskCount) % parcelCount + 1
                try await replica.write(until: .hub) { changes in
                  try changes.update(
                    "parcel", key: parcel, set: ["state": "at once"], ifRevision: .any)
                }
              }
            }
          }
          try await group.waitForAll()
        }
      }
      Figure.line(
        "own writes of \(taskCount) tasks at once, at the hub",
        Double(taskCount * perTask) / duration.seconds, "a second")
    }
  }
#endif
