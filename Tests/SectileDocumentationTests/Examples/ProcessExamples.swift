#if Macros
  import Sectile
  import SectileTestHelpers
  import Testing

  @Suite struct ProcessExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func whatOthersCommitIsDelivered() throws {
      let folder = try TemporaryFolder()
      let path = folder.file("packages.sqlite")
      let migrations = Package.migrations
      // example: processes-follow
      var configuration = StoreConfiguration()
      configuration.externalChangePolling = .seconds(1)  // 250 milliseconds unless set; nil: never
      let store = try Store.open(at: path, configuration: configuration, migrations: migrations)
      let results = try store.results(
        of: FetchRequest<Package>().sectioned(by: \.section).sort(by: \.name))
      try results.load()
      // example: end
      let observation = results.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      let other = try Store.open(at: path)
      // example: processes-check
      try other.write { try $0.insert(Package(id: 1, name: "sed", section: "editors")) }
      try store.checkForExternalChanges()  // now, instead of at the next look
      // S+ 0 (editors)
      // R+ [0,0] #1
      // example: end
      observation.cancel()
      #expect(transcript.lines == ["S+ 0 (editors)", "R+ [0,0] #1"])
      // example: processes-close
      try store.close()
      if let reason = store.closeOutcome?.remainingLog, reason == .inUse {
        print("the last of the others removes the log")
      }
      // example: end
      #expect(transcript.lines.last == "the last of the others removes the log")
    }

    @Test func theChangeLogTellsWhoCommitted() throws {
      let folder = try TemporaryFolder()
      let store = try Store.open(
        at: folder.file("packages.sqlite"), migrations: Package.migrations)
      // example: processes-log
      try store.changeLog.enable()
      let results = try store.results(
        of: FetchRequest<Package>().sectioned(by: \.section).sort(by: \.name))
      try results.load()
      try store.write(author: "importer", tag: "night run") {
        try $0.insert(Package(id: 1, name: "sed", section: "editors"))
      }
      let page = try store.history()
      print(page.transactions.last?.author ?? "nobody")  // importer
      // example: end
      #expect(transcript.lines == ["importer"])
      #expect(results.numberOfItems == 1)
      try store.close()
    }
  }
#endif
