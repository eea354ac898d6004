#if Macros
  import Sectile
  import SectileTestHelpers
  import Testing

  // example: database-wrong
  @Entity("customer")
  struct Buyer: Identifiable {
    var id: Int64
    var fullName: String  // the table has no such column
  }
  // example: end

  @Suite struct ExistingFileExamples: ExampleSuite {
    let transcript = Transcript()

    /// Makes a file that some other program might have made: without Sectile's tables.
    private func makeFile(_ folder: TemporaryFolder) throws -> String {
      let path = folder.file("shop.sqlite")
      let store = try Store.open(at: path)
      try store.write { tx in
        try tx.execute(
          """
          CREATE TABLE customer (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
          INSERT INTO customer VALUES (1, 'Ada', 'uk'), (2, 'Bob', 'us');
          """)
      }
      try store.close()
      return path
    }

    @Test func aFileOfAnotherProgramIsLive() throws {
      let folder = try TemporaryFolder()
      let path = try makeFile(folder)
      // example: database-open
      let store = try Store.open(at: path)  // applies no migration
      let customers = try store.results(
        of: FetchRequest<Customer>().sectioned(by: \.country).sort(by: \.name))
      try customers.load()
      print(customers.sections.map(\.title))  // ["uk", "us"]
      // example: end
      #expect(transcript.lines == [#"["uk", "us"]"#])
      let tables = try store.read {
        try $0.query("SELECT count(*) AS tables FROM sqlite_schema WHERE type = 'table'")
      }
      #expect(tables[0]["tables"] == .integer(1))
      try store.close()
    }

    @Test func aStructThatDoesNotFitIsRefused() throws {
      let folder = try TemporaryFolder()
      let store = try Store.open(at: makeFile(folder))
      // example: database-mismatch
      do {
        _ = try store.read { try $0.fetchAll(FetchRequest<Buyer>()) }
      } catch let error as StoreError {
        print(error.message)
      }
      // The table customer has no column full_name, which Buyer declares.
      // example: end
      #expect(
        transcript.lines == ["The table customer has no column full_name, which Buyer declares."])
      #expect(errorCode { try store.results(of: FetchRequest<Buyer>()).load() } == "schemaMismatch")
      try store.close()
    }

    @Test func aRowOfTwoTables() throws {
      let store = try SeveralTablesExamples().makeStore()
      // example: database-two-tables
      struct Bill: Identifiable {
        var id: Int64
        var placedOn: String
        var customer: String
      }
      let bills = FetchRequest<Purchase>()
        .selecting({ ($0.id, $0.placedOn, $0.customer.name) }, as: Bill.init)
      // example: end
      let results = try store.results(of: bills)
      try results.load()
      let recorder = try results.recorded()
      try store.write { try $0.execute("UPDATE customer SET name = 'Ada L.' WHERE id = 1") }
      #expect(try recorder.news() == ["R~ [0,0]→[0,0] #1\nR~ [0,2]→[0,2] #3"])
      #expect(try results[0, 2].customer == "Ada L.")
    }
  }
#endif
