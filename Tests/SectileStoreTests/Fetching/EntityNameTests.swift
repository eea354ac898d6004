import SectileCore
import Testing

import class GRDB.DatabaseQueue

@testable import SectileStore

/// An entity whose names need quoting everywhere, with a composite key and a self-relationship.
private struct Odd: Entity {
  struct ID: EntityKey {
    var left: Int64
    var right: String
    var keyValues: [StoredValue] { [.integer(left), .text(right)] }
    init(left: Int64, right: String) { (self.left, self.right) = (left, right) }
    init(keyValues: [StoredValue]) throws {
      var key = KeyReader(keyValues)
      left = try key.next()
      right = try key.next()
    }
  }

  var left: Int64
  var right: String
  var value: String?
  var id: ID { ID(left: left, right: right) }

  struct Relationships: EntityRelationships {
    let parent = ToOne<Odd>("up \"left", "up;right")
    let children = ToMany<Odd>("up \"left", "up;right")
    let broken = ToOne<Odd>("up \"left")
    init() {}
  }

  static let schema = EntitySchema<Odd>(
    "od\"d\n\u{E9}", primaryKey: "le\"ft", "right --", attributes: .init("le\"ft", \.left),
    .init("right --", \.right), .init("?", \.value))
  init(row: inout RowReader) throws {
    left = try row.next()
    right = try row.next()
    value = try row.next()
  }
  func write(to row: inout RowWriter) throws {
    try row.append(left)
    try row.append(right)
    try row.append(value)
  }
}

@Suite(.timeLimit(.minutes(60))) struct EntityNameTests {
  private func keys(_ request: FetchRequest<Odd>) throws -> [Int64] {
    let queue = try DatabaseQueue()
    return try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE "od""d\n\u{E9}" ("le""ft" INTEGER, "right --" TEXT, "?" TEXT,
            "up ""left" INTEGER, "up;right" TEXT, PRIMARY KEY ("le""ft", "right --"));
          """)
      let insert = try RawStatement.prepare(
        "INSERT INTO \"od\"\"d\n\u{E9}\" VALUES (?, ?, ?, ?, ?)", on: db)
      for row: [StoredValue] in [
        [1, "a", "x", nil, nil], [2, "b", "?", 1, "a"], [3, "c", nil, 2, "b"],
      ] {
        try insert.bindAll(row)
        try insert.run()
      }
      return try StoreReadTransaction(db: db, file: nil).fetchAll(request).map(\.left)
    }
  }

  @Test func everyNameIsQuoted() throws {
    let request = FetchRequest<Odd>()
    #expect(try keys(request.filter { $0.value == "?" }) == [2])
    #expect(try keys(request.filter { $0.parent.value == "x" }) == [2])
    #expect(try keys(request.filter { $0.parent.parent.value == "x" }) == [3])
    #expect(try keys(request.filter { $0.children.exists { $0.value.isNull } }) == [2])
    #expect(try keys(request.sort(by: \.parent.value, .descending)) == [2, 3, 1])
    #expect(try keys(request.sectioned(by: \.value, sections: ["?", "x"])) == [2, 1])
  }

  @Test func compositeKeysLeadThroughRowValues() throws {
    let plan = try FetchRequest<Odd>().filter { $0.parent.parent.value == "x" }.makePlan()
    let table = SQLName.quote("od\"d\n\u{E9}")
    #expect(plan.dependencies.count == 2)
    #expect(plan.dependencies.last?.keyColumns == ["le\"ft", "right --"])
    guard case .query(let sql)? = plan.dependencies.last?.affected else {
      Issue.record("expected a query")
      return
    }
    #expect(sql.hasPrefix(#"SELECT \#(table)."le""ft", \#(table)."right --" FROM"#))
    #expect(sql.contains(#"(\#(table)."up ""left", \#(table)."up;right") IN (SELECT"#))
  }

  @Test func relationshipsMustFitTheKey() throws {
    let request = FetchRequest<Odd>().filter { $0.broken.value == "x" }
    let error = requestError { try request.makePlan() }
    #expect(error?.code == .invalidRequest)
    #expect(error?.message.contains("1 columns to 2") == true)
  }

  @Test func fullTextNeedsOneKeyColumn() throws {
    let request = FetchRequest<Odd>().filter { $0.matching("x", in: "text") }
    #expect(requestError { try request.makePlan() }?.code == .invalidRequest)
  }
}
