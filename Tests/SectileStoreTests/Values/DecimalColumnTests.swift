import Foundation
import SectileCore
import SectileStore
import SectileTestSupport
import Testing

/// A sale, with numbers of two scales, and one that is text.
private struct Sale: Entity, Equatable {
  var id: Int64
  var shop: Int64
  var price: Decimal
  var weight: Decimal?
  var label: Decimal?

  static let schema = EntitySchema<Sale>(
    "sale", primaryKey: "id",
    attributes: .init("id", \.id), .init("shop", \.shop),
    .init("price", \.price, as: .decimal(scale: 2)),
    .init("weight", \.weight, as: .decimal(scale: 3)), .init("label", \.label))

  init(id: Int64, shop: Int64 = 1, _ price: Decimal, weight: Decimal? = nil) {
    (self.id, self.shop, self.price, self.weight) = (id, shop, price, weight)
  }

  init(row: inout RowReader) throws {
    (id, shop, price) = try (row.next(), row.next(), row.next())
    (weight, label) = try (row.next(), row.next())
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(shop)
    try row.append(price)
    try row.append(weight)
    try row.append(label)
  }
}

private struct Shop: Entity, Equatable {
  var id: Int64

  struct Relationships: EntityRelationships {
    let sales = ToMany<Sale>("shop")
    init() {}
  }

  static let schema = EntitySchema<Shop>(
    "shop", primaryKey: "id", attributes: .init("id", \.id))

  init(row: inout RowReader) throws { id = try row.next() }
  func write(to row: inout RowWriter) throws { try row.append(id) }
}

/// What is worked out of the sales of a shop.
private struct Totals: Identifiable, Equatable {
  var id: Int64
  var sum: Decimal?
  var average: Decimal?
  var least: Decimal?
}

private typealias Sales = SectileStore.FetchRequest<Sale>

@Suite(.timeLimit(.minutes(60))) struct DecimalColumnTests {
  private static let script = """
    CREATE TABLE shop (id INTEGER PRIMARY KEY);
    CREATE TABLE sale (id INTEGER PRIMARY KEY, shop INTEGER NOT NULL, price INTEGER NOT NULL,
      weight INTEGER, label TEXT);
    INSERT INTO shop VALUES (1), (2);
    INSERT INTO sale VALUES
      (1, 1, 1000, 1500, '10'), (2, 1, 905, NULL, '9.05'), (3, 2, -5, -1, NULL),
      (4, 2, 1234, 500, '12.34');
    """

  private func withSales(_ body: (Store) throws -> Void) throws {
    for kind in StorageKind.allCases {
      try withStore(kind) { store in
        try store.write { try $0.execute(Self.script) }
        try body(store)
      }
    }
  }

  private func decimal(_ text: String) throws -> Decimal {
    try #require(Decimal(string: text))
  }

  // MARK: - Values

  private static let units: [(String, Int, Int64)] = [
    ("12.34", 2, 1234), ("12.3", 2, 1230), ("-0.05", 2, -5), ("0", 18, 0), ("7", 0, 7),
    ("1200", 1, 12000), ("0.000000000000000001", 18, 1), ("-9.223372036854775808", 18, .min),
    ("92233720368547758.07", 2, .max), ("9223372036854775807", 0, .max),
  ]

  @Test(arguments: units)
  func numbersAreCountedInUnits(_ text: String, _ scale: Int, _ units: Int64) throws {
    let (number, form) = (try decimal(text), ColumnEncoding.decimal(scale: scale))
    #expect(try number.storedValue(in: form) == .integer(units))
    #expect(try Decimal?.some(number).storedValue(in: form) == .integer(units))
    #expect(form.standard(fromStored: .integer(units)) == .text(text))
    #expect(form.stored(fromStandard: .text(text)) == .integer(units))
  }

  @Test(arguments: [
    ("12.345", 2), ("0.5", 0), ("92233720368547758.08", 2), ("-9223372036854775809", 0),
    ("10", 18), ("1000000000000000000000000000000", 0),
  ])
  func whatTheColumnCannotHoldIsRefused(_ text: String, _ scale: Int) throws {
    let (number, form) = (try decimal(text), ColumnEncoding.decimal(scale: scale))
    let error = try #require(throws: ColumnValueError.self) { try number.storedValue(in: form) }
    #expect(error.hint?.contains("scale") == true)
    #expect(!error.reason.contains(text))
    #expect(form.stored(fromStandard: .text(text)) == .text(text))
  }

  @Test func whatIsNoNumberIsRefused() throws {
    #expect(throws: ColumnValueError.self) {
      try Decimal.nan.storedValue(in: .decimal(scale: 2))
    }
    #expect(throws: ColumnValueError.self) { try UUID().storedValue(in: .decimal(scale: 2)) }
    #expect(throws: ColumnValueError.self) { try Date().storedValue(in: .decimal(scale: 2)) }
    #expect(throws: ColumnValueError.self) { try Decimal(1).storedValue(in: .unixSeconds) }
    #expect(ColumnEncoding.decimal(scale: 2).description == ".decimal(scale: 2)")
    #expect(ColumnEncoding.decimal(scale: 2) != .decimal(scale: 3))
  }

  @Test func rowsAreWrittenAndReadExactly() throws {
    try withSales { store in
      let sale = Sale(id: 9, try decimal("0.1"), weight: try decimal("-2.125"))
      try store.write { try $0.insert(sale) }
      #expect(try store.read { try $0.fetchOne(Sale.self, key: 9) } == sale)
      let row = try store.read { try $0.query("SELECT price, weight FROM sale WHERE id = 9") }
      #expect(row.first?.values == [10, -2125])

      let tooExact = try decimal("0.125")
      let error = storeError {
        _ = try store.write { try $0.insert(Sale(id: 10, tooExact)) }
      }
      #expect(error?.code == .encodingFailed)
      #expect(
        error?.message
          == "sale.price cannot be written: the number has more digits behind the point than the "
          + "2 of .decimal(scale: 2).")
      try store.write { try $0.execute("UPDATE sale SET price = '12.5x' WHERE id = 1") }
      let other = storeError { _ = try store.read { try $0.fetchOne(Sale.self, key: 1) } }
      #expect(other?.code == .decodingFailed)
      #expect(other?.hint?.contains("INTEGER column") == true)
    }
  }

  // MARK: - Requests

  @Test func filtersAndSortsAreThoseOfNumbers() throws {
    try withSales { store in
      func expect(
        _ ids: [Int64], _ request: Sales, sourceLocation: SourceLocation = #_sourceLocation
      ) throws {
        let found = try store.read { try $0.fetchAll(request).map(\.id) }
        #expect(found == ids, sourceLocation: sourceLocation)
      }
      let (nine, ten, grams) = (try decimal("9.05"), Decimal(10), try decimal("0.5"))
      try expect([3, 2, 1, 4], Sales().sort(by: \.price))
      try expect([1], Sales().filter { $0.price == ten })
      try expect([2, 3], Sales().filter { $0.price < ten })
      try expect([1, 2], Sales().filter { $0.price.in(nine...ten) })
      try expect([2], Sales().filter { $0.price.in(nine..<ten) })
      try expect([1, 2], Sales().filter { [nine, ten].contains($0.price) })
      try expect([1, 4], Sales().filter { $0.weight >= grams })
      try expect([2], Sales().filter { $0.weight == nil })
      try expect([1, 2, 4], Sales().filter { $0.weight.ifNull(ten) > 0 })
      try expect([2, 3], Sales().filter(#Predicate { $0.price < ten }))
      try expect([4, 1, 2, 3], Sales().sort(by: [SortDescriptor(\.price, order: .reverse)]))
    }
  }

  @Test func twoScalesAreNotMixed() throws {
    try withSales { store in
      let (half, two) = (try decimal("0.125"), Decimal(2))
      let compared = storeError {
        _ = try store.read { try $0.fetchAll(Sales().filter { $0.price == $0.weight ?? two }) }
      }
      #expect(compared?.code == .invalidRequest)
      let exact = storeError {
        _ = try store.read { try $0.fetchAll(Sales().filter { $0.price < half }) }
      }
      #expect(exact?.code == .invalidRequest)
      #expect(exact?.hint?.contains("scale") == true)
      let product = requestError { try Sales().filter(#Predicate { $0.price * two > two }) }
      #expect(product?.code == .unsupportedPredicate)
    }
  }

  @Test func sectionsAreTitledWithNumbers() throws {
    try withSales { store in
      let live = try LiveResults(Sales().sectioned(by: \.price), in: store)
      #expect(live.results.sections.map(\.title) == ["-0.05", "9.05", "10.00", "12.34"])
      #expect(live.results.sections.map(\.identity) == [-5, 905, 1000, 1234])
      let listed = Sales().sectioned(by: \.price, sections: [Decimal(10), Decimal(11)])
      let fixed = try LiveResults(listed, in: store)
      #expect(fixed.results.sections.map(\.title) == ["10.00", "11.00"])
      let fetched = try store.read { try $0.fetchSections(listed) }
      #expect(fetched.map(\.title) == ["10.00", "11.00"])
      #expect(fetched.map(\.count) == [1, 0])
      let titled = try LiveResults(
        Sales().sectioned(by: \.shop) { $0.titled(with: \.price) }, in: store)
      #expect(titled.results.sections.map(\.title) == ["10.00", "-0.05"])
      try titled.expect(["S~ 0→0 (1)", "R- [0,0] #1"]) {
        _ = try store.write { try $0.delete(Sale.self, key: 1) }
      }
      #expect(titled.results.sections[0].title == "9.05")
    }
  }

  /// Other programs may have made a column that keeps 1.0 apart from 1.
  @Test func numbersThatAreOneIdentityHaveOneTitle() throws {
    let script = Self.script.replacingOccurrences(of: "price INTEGER", with: "price")
    for value in ["1000", "1000.0"] {
      try withStore(.memory) { store in
        try store.write {
          try $0.execute(script)
          try $0.execute("UPDATE sale SET price = \(value)")
        }
        let request = Sales().sectioned(by: \.price)
        let sections = try store.read { try $0.fetchSections(request) }
        #expect(sections.map(\.title) == ["10.00"])
      }
    }
  }

  @Test func sectionsOfAveragesAreTitledWithNumbers() throws {
    let groups = Sales().grouped(by: \.shop) { $0.sectioned(by: { $0.price.average() }) }
      .selecting(
        { ($0.shop, $0.price.sum(), $0.price.average(), $0.price.minimum()) }, as: Totals.init)
    try withSales { store in
      let results = try store.results(of: groups)
      try results.load()
      #expect(results.sections.map(\.title) == ["6.145", "9.525"])
    }
  }

  // MARK: - Aggregates

  @Test func aggregatesAreExact() throws {
    let (sum, average) = (Aggregate.sum(\Sale.price), Aggregate.average(\Sale.price))
    let (least, most) = (Aggregate.minimum(\Sale.price), Aggregate.maximum(\Sale.weight))
    let weight = Aggregate.sum(\Sale.weight)
    let real = Aggregate<Sale, Double>.average(\.weight).named("real")
    try withSales { store in
      func expect<Value: Equatable>(
        _ aggregate: Aggregate<Sale, Value>, _ value: Value?, in values: AggregateValues,
        sourceLocation: SourceLocation = #_sourceLocation
      ) {
        #expect(values[aggregate] == value, sourceLocation: sourceLocation)
      }
      let request = Sales().sectioned(by: \.shop)
        .aggregating(sum, average, least, most, weight).aggregating(real)
      let results = try store.results(of: request)
      try results.load()
      expect(sum, try decimal("31.34"), in: results.aggregates)
      expect(average, try decimal("7.835"), in: results.aggregates)
      expect(least, try decimal("-0.05"), in: results.aggregates)
      expect(most, try decimal("1.5"), in: results.aggregates)
      expect(weight, try decimal("1.999"), in: results.aggregates)
      expect(sum, try decimal("19.05"), in: results.sections[0].aggregates)
      expect(real, 1.5, in: results.sections[0].aggregates)
      try store.write { try $0.execute("DELETE FROM sale WHERE shop = 2") }
      expect(average, try decimal("9.525"), in: results.aggregates)
      try store.write { try $0.execute("DELETE FROM sale") }
      expect(sum, nil, in: results.aggregates)
      expect(average, nil, in: results.aggregates)
    }
  }

  @Test func groupsAndRelatedRowsAddUp() throws {
    let (limit, least) = (try decimal("13.5"), try decimal("-0.05"))
    let second = Totals(
      id: 2, sum: try decimal("12.29"), average: try decimal("6.145"), least: least)
    let groups = Sales().grouped(by: \.shop) { groups in
      groups.filter { $0.price.sum() < limit }.filter { $0.price.average() > 6 }
    }
    .selecting(
      { ($0.shop, $0.price.sum(), $0.price.average(), $0.price.minimum()) }, as: Totals.init)
    let shops = SectileStore.FetchRequest<Shop>().sort(by: { $0.sales.sum(\.price) }).selecting(
      { ($0.id, $0.sales.sum(\.price), $0.sales.average(\.price), $0.sales.minimum(\.price)) },
      as: Totals.init)
    try withSales { store in
      let found = try store.read { try $0.fetchAll(groups) }
      #expect(found == [second])
      let totals = try store.read { try $0.fetchAll(shops) }
      #expect(totals.map(\.id) == [2, 1])
      #expect(totals.first == second)
      let live = try LiveResults(try store.results(of: shops)) { try store.results(of: shops) }
      try live.expect(["R~ [0,0]→[0,0] #2"]) {
        try store.write { try $0.execute("UPDATE sale SET price = 0 WHERE id = 3") }
      }
    }
  }

  // MARK: - Text

  private func expectRefusal<Request>(
    sourceLocation: SourceLocation = #_sourceLocation, _ plan: () throws -> Request
  ) {
    let error = requestError(plan)
    #expect(error?.code == .invalidRequest, sourceLocation: sourceLocation)
    #expect(error?.hint?.contains(".decimal(scale:)") == true, sourceLocation: sourceLocation)
  }

  @Test func orderOfTextIsRefused() {
    let ten = Decimal(10)
    expectRefusal { try Sales().sort(by: \.label).makePlan() }
    expectRefusal { try Sales().sort(by: [SortDescriptor(\.label)]).makePlan() }
    expectRefusal { try Sales().filter { $0.label < ten }.makePlan() }
    expectRefusal { try Sales().filter { $0.label >= $0.label }.makePlan() }
    expectRefusal { try Sales().filter { $0.label.in(ten...ten) }.makePlan() }
    expectRefusal { try Sales().filter { $0.label.in(ten..<ten) }.makePlan() }
    expectRefusal { try Sales().filter { ($0.label ?? ten) > ten }.makePlan() }
    expectRefusal { try Sales().filter { $0.label.ifNull(ten) <= ten }.makePlan() }
    expectRefusal { try Sales().filter(#Predicate { ($0.label ?? ten) < ten }).makePlan() }
    expectRefusal { try Sales().sectioned(by: \.shop) { $0.ordered(by: \.label) }.makePlan() }
    expectRefusal { try Sales().reorderable(by: \.label).makePlan() }
  }

  @Test func sumsAndExtremesOfTextAreRefused() {
    expectRefusal { try Sales().aggregating(Aggregate.sum(\Sale.label)).makePlan() }
    expectRefusal { try Sales().aggregating(Aggregate.average(\Sale.label)).makePlan() }
    expectRefusal {
      try Sales().aggregating(Aggregate<Sale, Double>.average(\.label)).makePlan()
    }
    expectRefusal { try Sales().aggregating(Aggregate.minimum(\Sale.label)).makePlan() }
    expectRefusal { try Sales().aggregating(Aggregate.maximum(\Sale.label)).makePlan() }
    expectRefusal {
      try Sales().grouped(by: \.shop).selecting({ ($0.shop, $0.label.sum()) }) { $1 }.makePlan()
    }
    expectRefusal {
      try SectileStore.FetchRequest<Shop>().sort(by: { $0.sales.maximum(\.label) }).makePlan()
    }
  }

  @Test func equalityAndSectionsOfTextWork() throws {
    try withSales { store in
      let (ten, nine) = (Decimal(10), try decimal("9.05"))
      let found = try store.read {
        try $0.fetchAll(Sales().filter { $0.label == ten || $0.label.in([nine]) })
      }
      #expect(found.map(\.id) == [1, 2])
      let live = try LiveResults(Sales().sectioned(by: \.label, nulls: .last), in: store)
      #expect(live.results.sections.map(\.title) == ["10", "12.34", "9.05", ""])
      let counted = Aggregate.count(distinct: \Sale.label)
      let results = try store.results(of: Sales().aggregating(counted))
      try results.load()
      #expect(results.aggregates[counted] == 3)
    }
  }

  // MARK: - At random

  @Test(arguments: SeededRandom.batches(debug: 8, release: 40, of: 4))
  func randomTransactionsAreFollowed(_ seeds: Range<UInt64>) async throws {
    for seed in seeds {
      await Task.yield()
      if let problem = try Self.problem(seed: seed) {
        Issue.record("seed \(seed): \(problem)")
        return
      }
    }
  }

  private static func problem(seed: UInt64) throws -> String? {
    var random = SeededRandom(seed: seed)
    let kind = StorageKind.allCases.randomElement(using: &random) ?? .memory
    return try withStore(kind) { store in
      try store.write { try $0.execute(script) }
      let sum = Aggregate.sum(\Sale.price)
      let requests: [Sales] = [
        Sales().sectioned(by: \.price, .descending).sort(by: \.weight),
        Sales().sectioned(by: \.shop).sort(by: \.price)
          .aggregating(sum, Aggregate.average(\Sale.weight)),
        Sales().sectioned(by: \.price, sections: [Decimal(0), Decimal(1)]).sort(by: \.weight),
        Sales().filter { $0.price > 1 }.sort(by: \.price).limit(4),
      ]
      let live = try requests.map { try LiveResults($0, in: store) }
      for commit in 0..<12 {
        try store.write { transaction in
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            try write(at: &random, in: transaction)
          }
        }
        for (number, results) in live.enumerated() where try !results.agrees() {
          return "\(kind), commit \(commit): request \(number)"
        }
        let total = try store.read { try $0.fetchAll(Sales()) }.map(\.price).reduce(0, +)
        if (live[1].results.aggregates[sum] ?? 0) != total {
          return "\(kind), commit \(commit): the sum"
        }
      }
      return nil
    }
  }

  private static func write(
    at random: inout SeededRandom, in transaction: StoreTransaction
  ) throws {
    let id = Int64.random(in: 1...9, using: &random)
    if Int.random(in: 0..<4, using: &random) == 0 {
      try transaction.delete(Sale.self, key: id)
    } else {
      let price = Decimal(Int.random(in: -3...12, using: &random)) / 4
      let weight = Decimal(Int.random(in: -8...8, using: &random)) / 8
      let shop = Int64.random(in: 1...2, using: &random)
      try transaction.save(Sale(id: id, shop: shop, price, weight: weight))
    }
  }
}
