import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct HistoryTests {
  private typealias Transaction = Store.ChangeLog.Transaction

  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.open(at: folder.file("data.sqlite"))
    try store.write {
      try $0.execute(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE u (x TEXT, y, PRIMARY KEY (x, y))"
      )
    }
    try store.changeLog.enable()
  }

  private func writeElsewhere(_ sql: String) throws {
    let queue = try DatabaseQueue(path: folder.file("data.sqlite"))
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// The transactions in short: author and tag, or a question mark, then the rows.
  private func lines(_ transactions: [Transaction]) -> [String] {
    transactions.map { transaction in
      let words = transaction.changes.map {
        "\($0.operation) \($0.table) \($0.key.map(\.description).joined(separator: ","))"
      }
      let head =
        transaction.isAttributed ? "\(transaction.author ?? "-")/\(transaction.tag ?? "-")" : "?"
      return ([head] + words).joined(separator: "; ")
    }
  }

  private func writeSome() throws {
    try store.write(author: "ann", tag: "first") {
      try $0.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')")
    }
    try writeElsewhere("INSERT INTO u VALUES ('k', 1.5)")
    try writeElsewhere("DELETE FROM t WHERE id = 2")
    try store.write { try $0.execute("UPDATE t SET a = 'c' WHERE id = 1") }
    try writeElsewhere("UPDATE t SET id = 7 WHERE id = 1")
  }

  private let written = [
    "ann/first; insert t 1; insert t 2", "?; insert u 'k',1.5; delete t 2", "-/-; update t 1",
    "?; delete t 1; update t 7",
  ]

  @Test func commitsOfStoresAndOfOthersAreToldApart() throws {
    let start = Date(timeIntervalSinceNow: -60)
    try writeSome()
    let page = try store.history(since: nil)
    #expect(lines(page.transactions) == written)
    #expect(page.isComplete)
    #expect(page.reset == nil)
    #expect(page.transactions.map { $0.date != nil } == [true, false, true, false])
    #expect(try #require(page.transactions[0].date) > start)
    let rest = try store.history(since: page.token)
    #expect(rest.transactions.isEmpty)
    #expect(rest.token == page.token)
  }

  @Test func eachTokenLeadsOnToTheRest() throws {
    try writeSome()
    let all = try store.history(since: nil).transactions
    for (number, transaction) in all.enumerated() {
      let rest = try store.history(since: transaction.token).transactions
      #expect(rest == Array(all[(number + 1)...]))
    }
  }

  @Test func pagesOfEveryLimitGiveTheSame() throws {
    try writeSome()
    let all = try store.history(since: nil).transactions
    for limit in 1...8 {
      var found: [Transaction] = []
      var token: ChangeToken?
      while true {
        let page = try store.history(since: token, limit: limit)
        let count = page.transactions.reduce(0) { $0 + $1.changes.count }
        #expect(page.transactions.count <= 1 || count <= limit)
        found += page.transactions
        token = page.token
        if page.isComplete { break }
        try #require(!page.transactions.isEmpty)
      }
      #expect(found == all)
    }
  }

  @Test func whatIsTooLongComesInParts() throws {
    try store.write(author: "ann") { transaction in
      for id in 1...7 { try transaction.execute("INSERT INTO t VALUES (\(id), 0)") }
    }
    try writeElsewhere("INSERT INTO u VALUES (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)")
    try store.write(author: "ben") { try $0.execute("DELETE FROM t WHERE id = 1") }
    var parts: [Transaction] = []
    var token = try store.history(since: nil).transactions[0].token
    // From the beginning of the log, which the place of what was removed is.
    try store.read { transaction in
      let state = try #require(try LogState(in: transaction.db))
      var start = state.pruned
      while true {
        var reading = HistoryReading(of: state, in: transaction.db, limit: 3, partLimit: 3)
        let page = try reading.page(after: start)
        parts += page.transactions
        token = page.token
        start = LogPoint(
          sequence: Int64(token.place.sequence), salt: Int64(bitPattern: token.place.salt))
        if page.isComplete { break }
        try #require(!page.transactions.isEmpty)
      }
    }
    #expect(parts.allSatisfy { $0.changes.count <= 3 })
    #expect(parts.flatMap(\.changes).count == 13)
    #expect(parts.filter { $0.author == "ann" }.map(\.isContinued) == [true, true, false])
    #expect(parts.filter { !$0.isAttributed }.map(\.isContinued) == [true, false])
    #expect(parts.last?.author == "ben")
    #expect(parts.last?.isContinued == false)
  }

  @Test func commitsAreAttributedInALogThatAnotherStoreHasSwitchedOn() throws {
    try store.changeLog.disable()
    let other = try Store.open(at: folder.file("data.sqlite"))
    try other.changeLog.enable()
    try writeSome()
    #expect(lines(try other.history(since: nil).transactions) == written)
    try other.close()
  }

  @Test func rolledBackSavepointsAreNotTold() throws {
    struct Undo: Error {}
    try store.write(author: "ann") { transaction in
      try transaction.execute("INSERT INTO t VALUES (1, 0)")
      try transaction.execute("SAVEPOINT s")
      try transaction.execute("INSERT INTO t VALUES (2, 0)")
      try transaction.execute("ROLLBACK TO s")
      try transaction.execute("RELEASE s")
    }
    #expect(throws: Undo.self) {
      try store.write(author: "ben") { transaction in
        try transaction.execute("INSERT INTO t VALUES (3, 0)")
        throw Undo()
      }
    }
    #expect(lines(try store.history(since: nil).transactions) == ["ann/-; insert t 1"])
  }

  @Test func jsonIsReadBack() throws {
    try writeSome()
    try store.write(author: "x") {
      try $0.execute("INSERT INTO u VALUES (x'00ff', 9007199254740993)")
    }
    for transaction in try store.history(since: nil).transactions {
      let data = try JSONEncoder().encode(transaction)
      let read = try JSONDecoder().decode(Transaction.self, from: data)
      #expect(read.changes == transaction.changes)
      #expect(read.token == transaction.token)
      #expect(lines([read]) == lines([transaction]))
    }
  }

  @Test func keysThatAreNotTextAreBlobs() throws {
    try writeElsewhere("INSERT INTO u VALUES (CAST(x'ff' AS TEXT), 1)")
    let change = try #require(try store.history(since: nil).transactions.last?.changes.last)
    #expect(change.key == [.blob([0xFF]), .integer(1)])
  }

  @Test func withoutALogThereIsNoHistory() throws {
    try store.changeLog.disable()
    let error = #expect(throws: StoreError.self) { try store.history(since: nil) }
    #expect(error?.code == .noChangeLog)
  }

  @Test func theSequenceFollowsUntilTheStoreIsClosed() async throws {
    let token = try await store.history(since: nil).token
    var changes = store.changes(since: token).makeAsyncIterator()
    try await store.write(author: "ann") { try $0.execute("INSERT INTO t VALUES (1, 0)") }
    guard case .transaction(let first) = try await changes.next() else {
      Issue.record("no transaction")
      return
    }
    #expect(first.author == "ann")
    try writeElsewhere("INSERT INTO t VALUES (2, 0)")
    guard case .transaction(let second) = try await changes.next() else {
      Issue.record("no transaction")
      return
    }
    #expect(!second.isAttributed)
    try await store.close()
    #expect(try await changes.next() == nil)
  }

  /// Waits for the next element of a store's changes, on a task that listens already.
  private func next(
    of store: Store, since token: ChangeToken?
  ) async throws -> Task<Store.ChangeLog.Changes.Element?, any Error> {
    let task = Task { () -> Store.ChangeLog.Changes.Element? in
      for try await element in store.changes(since: token) { return element }
      return nil
    }
    let isListening = try await comesTrue { store.commits.bell.hasListeners }
    #expect(isListening)
    return task
  }

  @Test(arguments: ["own", "another", "closed"])
  func whatHappensWakesTheSequence(who: String) async throws {
    var configuration = StoreConfiguration()
    // To look from time to time would be far too late.
    configuration.externalChangePolling = .seconds(500)
    let store = try await Store.open(
      at: folder.file("data.sqlite"), configuration: configuration)
    let token = try await store.history(since: nil).token
    let first = try await next(of: store, since: token)
    switch who {
    case "own":
      try await store.write(author: "ann") { try $0.execute("INSERT INTO t VALUES (1, 0)") }
    case "another": try writeElsewhere("INSERT INTO t VALUES (1, 0)")
    default: try await store.close()
    }
    let element = try await first.value
    guard who != "closed" else {
      #expect(element == nil)
      return
    }
    guard case .transaction(let transaction) = element else {
      Issue.record("no transaction")
      return
    }
    #expect(lines([transaction]) == [who == "own" ? "ann/-; insert t 1" : "?; insert t 1"])
  }

  @Test func aStoreInMemoryWakesItsOwnSequence() async throws {
    var configuration = StoreConfiguration()
    configuration.externalChangePolling = .seconds(500)
    let store = try Store.inMemory(configuration: configuration)
    try await store.write { try $0.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)") }
    try store.changeLog.enable()
    let token = try await store.history(since: nil).token
    let first = try await next(of: store, since: token)
    try await store.write { try $0.execute("INSERT INTO t VALUES (1)") }
    #expect(try await first.value != nil)
  }

  @Test func cancellingEndsTheSequence() async throws {
    let token = try await store.history(since: nil).token
    let task = Task { [store] in
      for try await _ in store.changes(since: token) {}
      return true
    }
    task.cancel()
    #expect(try await task.value)
  }
}
