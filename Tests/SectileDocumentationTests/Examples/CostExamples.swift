#if Macros
  import Sectile
  import Testing

  @Suite struct CostExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func aRequestIsExplained() throws {
      let store = try Package.store()
      // example: costs-explain
      let request = FetchRequest<Package>().sectioned(by: \.section).sort(by: \.name)
      print(try store.explain(request))
      // example: end
      #expect(
        transcript.lines.last
          == #"An index would help: CREATE INDEX "package_on_section_name" ON "package" ("section", "name")"#
      )
    }

    @Test func resultsCountWhatTheyDo() throws {
      let store = try Package.smallStore()
      let results = try store.results(of: Package.bySection)
      try results.load()
      try store.write { try $0.insert(Package(id: 4, name: "awk", section: "utils")) }
      // example: costs-statistics
      print(try results.strategy.kind == .searching)  // true: no index has the order
      let statistics = results.statistics
      print("\(statistics.commitCount) \(statistics.rereadRowCount) \(statistics.resyncCount)")
      // example: end
      #expect(transcript.lines == ["true", "1 1 0"])
    }
  }
#endif
