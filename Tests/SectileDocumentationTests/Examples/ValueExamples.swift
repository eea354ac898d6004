#if Macros
  import Foundation
  import Sectile
  import Testing

  // example: values-hand
  struct Tool: Entity {
    var id: Int64
    var name: String

    static let schema = EntitySchema<Tool>(
      "tool", primaryKey: "id", attributes: .init("id", \.id), .init("name", \.name))

    init(row: inout RowReader) throws {
      id = try row.next()
      name = try row.next()
    }

    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(name)
    }
  }
  // example: end

  extension Tool {
    init(id: Int64, name: String) {
      self.id = id
      self.name = name
    }
  }

  // example: values-forms
  enum OrderState: String, StorableValue { case open, paid }

  @Entity("purchase")
  struct Order: Identifiable {
    @Attribute(.uuidBlob) var id: UUID
    @Attribute("placed_at", .unixSeconds) var placedAt: Date
    @Attribute(.json) var tags: [String]
    var state: OrderState
    var note: String?
    @Transient var isSelected = false
  }
  // example: end

  // example: values-decimal
  @Entity
  struct Invoice {
    var id: Int64
    @Attribute(.decimal(scale: 2)) var total: Decimal
  }
  // example: end

  // example: values-own
  struct Celsius: StorableValue {
    var degrees: Double

    init(_ degrees: Double) { self.degrees = degrees }

    init(stored column: StoredColumn) throws(ColumnValueError) {
      degrees = try column.real()
    }

    var storedValue: StoredValue {
      get throws(ColumnValueError) { .real(degrees) }
    }
  }
  // example: end

  @Suite struct ValueExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func anEntityByHandIsStored() throws {
      let store = try Store.inMemory()
      try store.write { tx in
        try tx.execute("CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        try tx.insert(Tool(id: 1, name: "claw"))
        #expect(try tx.fetchOne(Tool.self, key: 1)?.name == "claw")
      }
    }

    private func makeOrders() throws -> Store {
      let store = try Store.inMemory()
      try store.write { tx in
        try tx.execute(
          """
          CREATE TABLE purchase (id BLOB PRIMARY KEY NOT NULL, placed_at INTEGER NOT NULL,
            tags TEXT NOT NULL, state TEXT NOT NULL, note TEXT)
          """)
      }
      return store
    }

    @Test func formsHoldInFilters() throws {
      let store = try makeOrders()
      let id = UUID()
      let monday = Date(timeIntervalSince1970: 1_769_990_400)
      // example: values-filter
      try store.write { tx in
        try tx.insert(Order(id: id, placedAt: monday, tags: ["gift"], state: .open, note: nil))
      }
      let open = FetchRequest<Order>()
        .filter { $0.state == .open && $0.placedAt >= monday }
        .sort(by: \.placedAt, .descending)
      let orders = try store.read { try $0.fetchAll(open) }
      let row = try store.read { try $0.query("SELECT typeof(id), placed_at FROM purchase") }[0]
      print("\(orders.count) \(row.values)")
      // example: end
      #expect(orders.map(\.id) == [id])
      #expect(row.values == [.text("blob"), .integer(1_769_990_400)])
    }

    @Test func decimalNumbersSortAndAddUp() throws {
      let store = try Store.inMemory()
      try store.write { tx in
        try tx.execute("CREATE TABLE invoice (id INTEGER PRIMARY KEY, total INTEGER NOT NULL)")
        try tx.insert(Invoice(id: 1, total: 10))
        try tx.insert(Invoice(id: 2, total: Decimal(905) / 100))
      }
      // example: values-decimal-sum
      let sum = Aggregate.sum(\Invoice.total)
      let invoices = try store.results(
        of: FetchRequest<Invoice>().filter { $0.total > 9 }.sort(by: \.total).aggregating(sum))
      try invoices.load()
      print("\(invoices.aggregates[sum] ?? 0)")  // 19.05
      // example: end
      #expect(transcript.lines == ["19.05"])
    }

    @Test func anErrorNamesTheColumnAndHoldsNoValue() throws {
      let store = try makeOrders()
      try store.write { tx in
        try tx.execute(
          "INSERT INTO purchase VALUES (?, '2026-02-02', '[]', 'open', NULL)", [UInt8](0..<16))
      }
      // example: values-error
      do {
        _ = try store.read { try $0.fetchAll(FetchRequest<Order>()) }
      } catch let error as StoreError {
        print(error.message)  // names the table, the column, the row, and the kind of the value
        print(error.storedValue ?? .null)  // the value itself, for who asks
      }
      // example: end
      #expect(transcript.lines.first?.contains("2026-02-02") == false)
      #expect(transcript.lines.first?.contains("placed_at") == true)
      #expect(transcript.lines.last?.contains("2026-02-02") == true)
    }

    @Test func aTypeOfOnesOwnIsAColumn() throws {
      let store = try Store.inMemory()
      let rows = try store.read { try $0.query("SELECT ? AS degrees", Celsius(36.5)) }
      #expect(rows[0]["degrees"] == .real(36.5))
    }
  }
#endif
