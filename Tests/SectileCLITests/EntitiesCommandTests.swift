import Foundation
import Sectile
import SectileTestHelpers
import Testing

/// What the command writes for `entities.sql` is compiled, and rows are read by it.
///
/// It stands in `EntitiesByHand.swift` and, in another target, in `GeneratedEntities.swift`.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct EntitiesCommandTests {
  private let folder: TemporaryFolder
  private let path: String
  private let schema: String

  init() throws {
    folder = try TemporaryFolder()
    let url = Bundle.module.url(
      forResource: "entities", withExtension: "sql", subdirectory: "Fixtures")
    let sql = try String(contentsOf: #require(url), encoding: .utf8)
    let rows = try #require(sql.firstRange(of: "-- Rows"))
    schema = String(sql[..<rows.lowerBound])
    path = try Database.make(sql, in: folder)
  }

  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private static func text(_ file: String) throws -> String {
    try String(contentsOf: tests.appendingPathComponent(file), encoding: .utf8)
  }

  private func expectSameLines(_ output: String, _ expected: String) {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, (line, want)) in zip(lines, wanted).enumerated() where line != want {
      Issue.record("line \(number + 1) is\n\(line)\nand not\n\(want)")
      return
    }
    #expect(lines.count == wanted.count)
  }

  // MARK: - Texts

  @Test func structsWithTheMacroAreThoseThatAreCompiled() throws {
    let run = try CommandRun(["entities", path])
    #expect(run.code == 0, "\(run.errors)")
    // The file stands inside of #if Macros, and is indented.
    let file = try Self.text("../SectileTests/Models/GeneratedEntities.swift")
    let lines = file.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "#if Macros")
    #expect(lines.suffix(2) == ["#endif", ""])
    let expected = lines.dropFirst().dropLast(2).map { $0.dropFirst(2) }.joined(separator: "\n")
    expectSameLines(run.output, expected + "\n")
    #expect(try CommandRun(["entities", path]).output == run.output)
  }

  @Test func structsWithoutTheMacroAreThoseThatAreCompiled() throws {
    let run = try CommandRun(["entities", path, "--no-macro"])
    #expect(run.code == 0, "\(run.errors)")
    expectSameLines(run.output, try Self.text("Generating/EntitiesByHand.swift"))
  }

  @Test func onlyTheNamedTablesAreWritten() throws {
    let run = try CommandRun(["entities", path, "--table", "Shipment", "--table", "customer_name"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("struct Shipment {"))
    #expect(!run.output.contains("struct Purchase"))
    #expect(run.output.contains("no relationship"))
    #expect(run.output.contains("// The view `customer_name` is left out"))
    let unknown = try CommandRun(["entities", path, "--table", "nothing"])
    #expect(unknown.code == 65)
    #expect(unknown.errors.contains("there is no table 'nothing'"))
  }

  @Test func largeTablesAreReadAtBothEnds() throws {
    let large = try Database.make(
      """
      CREATE TABLE entry (id INTEGER PRIMARY KEY, made_at INTEGER NOT NULL);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20001)
      INSERT INTO entry SELECT i, iif(i = 10000, 'in the middle', 1700000000 + i) FROM n;
      """, in: folder, as: "large.sqlite")
    let run = try CommandRun(["entities", large])
    #expect(run.output.contains("// 10,000 of 10,000 values are seconds since 1970."))
    try Database.make(
      "UPDATE entry SET made_at = 'at the end' WHERE id = 20001", in: folder, as: "large.sqlite")
    let changed = try CommandRun(["entities", large])
    #expect(changed.output.contains("// Values of several types: 9,999 integers, 1 text."))
    #expect(changed.output.contains("var madeAt: MixedValue\n"))
  }

  @Test func datesOfCoreDataAreFound() throws {
    let file = try Database.make(
      """
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255));
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZMADE TIMESTAMP, ZREAD TIMESTAMP);
      INSERT INTO ZNOTE VALUES (1, 791596799.5, NULL);
      """, in: folder, as: "core.sqlite")
    let run = try CommandRun(["entities", file, "--table", "ZNOTE"])
    #expect(
      run.output.hasSuffix(
        """
        /// A row of the table `ZNOTE`.
        @Entity("ZNOTE")
        struct Znote {
          @Attribute("Z_PK", .primaryKey) var zPk: Int64
          // 1 of 1 values are Core Data's seconds since 2001.
          @Attribute("ZMADE", .referenceSecondsReal) var zmade: Date?
          @Attribute("ZREAD", .referenceSecondsReal) var zread: Date?
        }

        """), "\(run.output)")
  }

  // MARK: - Files

  @Test func aCheckTellsWhenSchemaAndTypesHaveParted() throws {
    for arguments in [[], ["--no-macro"]] {
      let file = folder.file("Entities\(arguments.count).swift")
      let written = try CommandRun(["entities", path, "--output", file] + arguments)
      #expect(written.code == 0, "\(written.errors)")
      #expect(try CommandRun(["entities", path, "--output", file]).code == 1)
      let same = try CommandRun(["entities", path, "--check", file])
      #expect(same.code == 0, "\(same.output)\(same.errors)")
      // Without rows nothing contradicts the file's types.
      let empty = try Database.make(schema, in: folder, as: "empty\(arguments.count).sqlite")
      let quiet = try CommandRun(["entities", empty, "--check", file])
      #expect(quiet.code == 0, "\(quiet.output)\(quiet.errors)")
      try Database.make(
        "ALTER TABLE topic ADD COLUMN colour TEXT", in: folder,
        as: "empty\(arguments.count).sqlite")
      let parted = try CommandRun(["entities", empty, "--check", file])
      #expect(parted.code == 1)
      #expect(parted.output.contains("  var colour: String?\n"), "\(parted.output)")
      #expect(parted.errors.contains("is not what the schema says: "), "\(parted.errors)")
    }
  }

  @Test func aCheckFindsATypeThatValuesContradict() throws {
    let file = folder.file("Entities.swift")
    #expect(try CommandRun(["entities", path, "--output", file]).code == 0)
    try Database.make("UPDATE customer SET token = 'none'", in: folder)
    let run = try CommandRun(["entities", path, "--check", file])
    #expect(run.code == 1)
    #expect(run.output.contains("  var token: UUID?\n"), "\(run.output)")
    #expect(run.output.contains("  var token: String?\n"), "\(run.output)")
    #expect(run.errors.contains("2 lines differ"), "\(run.errors)")
  }

  @Test func whatMakesNoSenseIsRefused() throws {
    #expect(try CommandRun(["entities", path, "--check", "a", "--output", "b"]).code == 64)
    #expect(try CommandRun(["entities", path, "--force"]).code == 64)
    #expect(try CommandRun(["entities", path, "--check", folder.file("none")]).code == 66)
    #expect(try CommandRun(["entities", folder.file("none")]).code == 66)
  }

  // MARK: - Rows

  @Test func rowsAreReadByWhatWasWritten() throws {
    let store = try Store.open(at: path)
    let customers = try store.read { try $0.fetchAll(FetchRequest<Customer>().sort(by: \.id)) }
    #expect(customers.map(\.name) == ["Ada", "Bob"])
    let (ada, date) = (customers[0], Date(timeIntervalSince1970: 1_769_903_999))
    #expect(ada.createdAt == date)
    #expect(ada.seenAt == date)
    #expect(ada.updated == date)
    #expect(ada.isActive)
    #expect(ada.balance == Decimal(string: "12.34"))
    #expect(ada.tags == ["a", "b"])
    #expect(ada.labels == ["k": "v"])
    #expect(ada.token == UUID(uuidString: "550E8400-E29B-41D4-A716-446655440000"))
    #expect(ada.device == ada.token)
    #expect(ada.digest == ada.token)
    #expect(ada.anything?.storedValue == .integer(1))
    #expect(customers[1].anything?.storedValue == .text("text"))
    #expect(ada.class == "gold")
    #expect(ada.selfColumn == "me")
    #expect(customers[1].seenAt == nil)
    let odd = try store.read { try $0.fetchAll(FetchRequest<SayHi>()) }
    #expect(odd.map(\.backSlash) == ["hello"])
    try store.close()
  }

  @Test func relationshipsLeadThroughForeignKeys() throws {
    let store = try Store.open(at: path)
    let purchases = try store.read {
      try $0.fetchAll(FetchRequest<Purchase>().filter { $0.customer.name == "Ada" })
    }
    #expect(purchases.count == 1)
    let paid = try store.read {
      try $0.fetchAll(FetchRequest<Purchase>().filter { $0.payer.name == "Ada" })
    }
    #expect(paid.map(\.customerID) == [2])
    let parts = try store.read {
      try $0.fetchAll(FetchRequest<Product>().filter { $0.parent.name == "Saw" })
    }
    #expect(parts.map(\.name) == ["Blade"])
    let topics = try store.read {
      try $0.fetchAll(
        FetchRequest<Topic>().filter { $0.productTopics.exists { $0.product.name == "Blade" } })
    }
    #expect(topics.map(\.name) == ["steel"])
    let shipments = try store.read {
      try $0.fetchAll(FetchRequest<Shipment>().filter { $0.purchaseLine.quantity == 1 })
    }
    #expect(shipments.map(\.number) == [7])
    let key = PurchaseLine.ID(purchaseID: purchases[0].id, idColumn: 2)
    let line = try store.read { try $0.fetchOne(PurchaseLine.self, key: key) }
    #expect(line?.id == key)
    #expect(line?.product == parts.first?.sku)
    try store.close()
  }

  @Test func rowsAreWrittenInTheFormsTheyHad() throws {
    let sql = """
      SELECT seen_at, visited_at, measured_at, is_active, subscribed, balance, tags, scores, labels,
        token, device, hex(digest), hex(photo), anything, updated, modified
      FROM customer WHERE id = 1
      """
    func row() throws -> [StoredValue] {
      var found: [StoredValue] = []
      try InspectionConnection(path: path).run(sql) { found = $0 }
      return found
    }
    let before = try row()
    let store = try Store.open(at: path)
    let customers = try store.read { try $0.fetchAll(FetchRequest<Customer>()) }
    try store.write { transaction in
      for var customer in customers {
        customer.name += "!"
        try transaction.update(customer)
      }
    }
    #expect(try row() == before)
    try store.close()
  }
}
