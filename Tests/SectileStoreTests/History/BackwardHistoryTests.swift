import GRDB
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// The history from its end: what ``HistoryReading`` tells, in the other order.
@Suite(.timeLimit(.minutes(60))) struct BackwardHistoryTests {
  private typealias Transaction = Store.ChangeLog.Transaction

  private let file: LoggedFile
  private var store: Store { file.store }

  init() throws {
    file = try LoggedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a);
      CREATE TABLE u (x, y, v, PRIMARY KEY (x, y)) WITHOUT ROWID
      """)
  }

  private func writeSome() throws {
    try store.write(author: "ann") { try $0.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')") }
    try file.other.execute("INSERT INTO u VALUES ('k', 1.5, 0), ('k', 2, 0)")
    try file.other.execute("DELETE FROM t WHERE id = 2")
    try store.write(author: "ben") { try $0.execute("UPDATE t SET a = 'c' WHERE id = 1") }
    try store.write(author: "ben") { try $0.execute("UPDATE u SET v = 1") }
    try file.other.execute("UPDATE t SET id = 7 WHERE id = 1")
  }

  private func all() throws -> [Transaction] { try store.history(since: nil).transactions }

  private func backwards(
    limit: Int, table: String? = nil, key: [StoredValue]? = nil
  ) throws -> [Transaction] {
    var found: [Transaction] = []
    var token: ChangeToken?
    while true {
      let page = try store.history(before: token, limit: limit, table: table, key: key)
      #expect(page.reset == nil)
      let count = page.transactions.reduce(0) { $0 + $1.changes.count }
      #expect(page.transactions.count <= 1 || count <= limit)
      found += page.transactions
      if page.isComplete { return found }
      try #require(page.token != token)
      token = page.token
    }
  }

  @Test func pagesOfEveryLimitGiveTheHistoryFromItsEnd() throws {
    try writeSome()
    let expected = try Array(all().reversed())
    #expect(expected.count == 5)
    for limit in 1...12 { #expect(try backwards(limit: limit) == expected) }
  }

  @Test func theTokenOfATransactionLeadsToItAndAllBefore() throws {
    try writeSome()
    let all = try all()
    for (number, transaction) in all.enumerated() {
      let page = try store.history(before: transaction.token)
      #expect(page.transactions == Array(all[...number].reversed()))
      #expect(page.isComplete)
    }
  }

  @Test func whatIsWrittenMeanwhileDoesNotShiftThePages() throws {
    try writeSome()
    let expected = try Array(all().reversed())
    let first = try store.history(before: nil, limit: 1)
    try store.commit("INSERT INTO t VALUES (50, 0)")
    let rest = try store.history(before: first.token)
    #expect(first.transactions + rest.transactions == expected)
  }

  @Test func aTableAndAKeyAreChosen() throws {
    try writeSome()
    func rows(_ table: String?, _ key: [StoredValue]?) throws -> [String] {
      try backwards(limit: 1, table: table, key: key).flatMap(\.changes).map {
        "\($0.operation) \($0.table) \($0.key.map(\.description).joined(separator: "/"))"
      }
    }
    #expect(try rows("T", [1]) == ["delete t 1", "update t 1", "insert t 1"])
    #expect(try rows("t", [.text("1")]).isEmpty)
    #expect(try rows("u", [.text("k"), .real(1.5)]) == ["update u 'k'/1.5", "insert u 'k'/1.5"])
    #expect(try rows("u", [.text("k")]).isEmpty)
    #expect(try rows("nothing", nil).isEmpty)
    #expect(try rows(nil, nil).count == 10)
  }

  @Test func whatIsTooLongComesInParts() throws {
    try writeSome()
    try store.write(author: "cid") { transaction in
      for id in 100..<108 { try transaction.execute("INSERT INTO t VALUES (\(id), 0)") }
    }
    let changes = try all().reversed().map(\.changes)
    for (limit, look) in [(3, 1_000), (1_000, 1), (2, 2)] {
      var parts: [Transaction] = []
      var start: LogPoint?
      try store.read { transaction in
        let state = try #require(try LogState(in: transaction.db))
        while true {
          var reading = BackwardHistoryReading(
            of: state, in: transaction.db, limit: limit, partLimit: 3, lookLimit: look)
          let place = try start ?? LogTail(of: transaction.db).head()
          let page = try reading.page(before: place)
          parts += page.transactions
          if page.isComplete { break }
          let token = page.token.place
          let next = LogPoint(
            sequence: Int64(bitPattern: token.sequence), salt: Int64(bitPattern: token.salt))
          try #require(next.sequence < place.sequence)
          start = next
        }
      }
      #expect(parts.allSatisfy { $0.changes.count <= 3 })
      let ofCid = parts.filter { $0.author == "cid" }
      #expect(ofCid.map(\.isContinued) == [false, true, true])
      #expect(ofCid.reversed().flatMap(\.changes) == changes[0])
      #expect(parts.reversed().flatMap(\.changes) == changes.reversed().flatMap { $0 })
    }
  }

  @Test func aLogThatWasTrimmedEndsWhereItDoes() throws {
    try writeSome()
    let early = try all()[0].token
    try store.changeLog.prune(keeping: 4)
    let expected = try Array(all().reversed())
    for limit in [1, 100] { #expect(try backwards(limit: limit) == expected) }
    let page = try store.history(before: early)
    #expect(page.reset == .pruned)
    #expect(page.transactions.isEmpty)
    let place = try #require(try backwards(limit: 100).last).token
    #expect(try store.history(before: place).reset == nil)
  }

  @Test func aLogThatIsMadeAgainIsAnother() throws {
    try writeSome()
    let token = try all()[1].token
    try store.changeLog.disable()
    let error = #expect(throws: StoreError.self) { try store.history(before: nil) }
    #expect(error?.code == .noChangeLog)
    try store.changeLog.enable()
    #expect(try store.history(before: token).reset == .otherStore)
    #expect(try store.history(before: nil).transactions.isEmpty)
  }

  @Test func aTableHasItsNameOfNow() throws {
    try writeSome()
    try store.commit("ALTER TABLE t RENAME TO song")
    #expect(try backwards(limit: 1, table: "t").isEmpty)
    #expect(try backwards(limit: 1, table: "Song", key: [1]).flatMap(\.changes).count >= 3)
  }

  @Test func aNewTableIsNotTakenForOneThatIsGone() throws {
    try writeSome()
    try store.commit("DROP TABLE u")
    try store.commit("CREATE TABLE w (id INTEGER PRIMARY KEY)")
    try store.commit("INSERT INTO w VALUES (1)")
    let changes = try backwards(limit: 100, table: "w").flatMap(\.changes)
    #expect(changes.map(\.operation) == [.insert])
    #expect(try !backwards(limit: 100, table: "table 2").flatMap(\.changes).isEmpty)
  }

  @Test func tasksReadBackwardsWithoutBlocking() async throws {
    try await store.write { try $0.execute("INSERT INTO t VALUES (1, 0)") }
    let page = try await store.history(before: nil, table: "t")
    #expect(page.transactions.count == 1)
  }
}
