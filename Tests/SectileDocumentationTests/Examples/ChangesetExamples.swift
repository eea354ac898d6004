#if Macros
  import Sectile
  import Testing

  @Suite struct ChangesetExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func aRowThatChangesItsSectionMoves() throws {
      let store = try Package.smallStore()
      // example: changeset-move
      let results = try store.results(
        of: FetchRequest<Package>().sectioned(by: \.section).sort(by: \.name))
      try results.load()
      let observation = results.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      try store.write { tx in
        try tx.execute("UPDATE package SET section = 'utils' WHERE name = 'sed'")
      }
      // S- 1 (editors)
      // R> [1,0]→[1,1] #2*
      // example: end
      observation.cancel()
      #expect(transcript.lines == ["S- 1 (editors)", "R> [1,0]→[1,1] #2*"])
    }

    @Test func appliedToTheOldContentsItGivesTheNewOnes() throws {
      let store = try Package.smallStore()
      let results = try store.results(of: Package.bySection)
      try results.load()
      // example: changeset-apply
      let before = results.snapshot
      try store.write { tx in
        try tx.insert(Package(id: 4, name: "awk", section: "utils"))
      }
      let changes = results.snapshot.changes(since: before)
      let after = try before.materialized().applying(changes)
      print(after == (try results.contents()))  // true
      // example: end
      #expect(transcript.lines == ["true"])
    }

    @Test func otherRenderingsSayTheSame() throws {
      let store = try Package.smallStore()
      let results = try store.results(of: Package.bySection)
      try results.load()
      let before = results.snapshot
      try store.write { tx in
        try tx.execute("UPDATE package SET section = 'utils' WHERE name = 'sed'")
      }
      // example: changeset-renderings
      let changes = results.snapshot.changes(since: before)
      for edit in changes.sequentialEdits { print(edit) }  // one index after the other
      for batch in changes.batches { print("\(batch)\n--") }  // for strict list views
      // example: end
      #expect(changes.sequentialEdits.count >= 2)
      #expect(transcript.lines.filter { $0 == "--" }.count == changes.batches.count)
    }
  }
#endif
