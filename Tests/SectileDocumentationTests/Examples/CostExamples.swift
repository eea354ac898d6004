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
      let article = try Article.text("Sources/Sectile/Sectile.docc/Articles/Costs.md")
      #expect(article.contains("```\n\(transcript.lines.joined(separator: "\n"))\n```"))
    }

    @Test func resultsCountWhatTheyDo() throws {
      let store = try Package.smallStore()
      let results = try store.results(of: Package.bySection)
      try results.load()
      try store.write { try $0.insert(Package(id: 4, name: "awk", section: "utils")) }
      // example: costs-statistics
      print(try results.strategy.kind == .binarySearch)  // true: no index has the order
      let statistics = results.statistics
      print("\(statistics.commitCount) \(statistics.rereadRowCount) \(statistics.resyncCount)")
      // example: end
      #expect(transcript.lines == ["true", "1 1 0"])
    }
  }
#endif
