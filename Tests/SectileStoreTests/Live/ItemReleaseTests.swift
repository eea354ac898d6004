import Dispatch
import SectileCore
import SectileTestHelpers
import Synchronization
import Testing

@testable import SectileStore

/// Says so when it is released.
private final class Token: Sendable {
  static let action = Mutex<(@Sendable () -> Void)?>(nil)
  deinit { Self.action.withLock { $0 }?() }
}

/// An item whose release runs code of its user's.
private struct Note: Entity {
  var id: Int64
  var name: String
  let token = Token()

  static let schema = EntitySchema<Note>(
    "note", primaryKey: "id", attributes: .init("id", \.id), .init("name", \.name))

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(name)
  }
}

/// Whatever the release of an item runs may use the results, so none is released under a lock:
/// there the question that is asked below would wait for ever, and its test would not end in time.
@Suite(.serialized, .timeLimit(.minutes(60))) struct ItemReleaseTests {
  /// Opens results of `count` notes; whoever is released from then on asks them something.
  ///
  /// - Returns: How many were released and had their answer.
  private func releases(
    of count: Int = 3, on delivery: CallbackDelivery = .immediate,
    in body: @escaping @Sendable (Store, SectionedResults<Note>) throws -> Void
  ) throws -> Int {
    let store = try Store.inMemory()
    try store.write {
      try $0.execute(
        """
        CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO note SELECT i, 'n' || i FROM n;
        CREATE TABLE parent (id INTEGER PRIMARY KEY);
        CREATE TABLE child (parent REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
        """)
    }
    let results = try store.results(
      of: FetchRequest<Note>().sort(by: \.name), delivery: delivery)
    try results.load()
    let answers = Answers()
    Token.action.withLock { action in
      action = { [weak results] in
        guard let results else { return }
        _ = (results.version, results.statistics)
        answers.count.withLock { $0 += 1 }
      }
    }
    defer { Token.action.withLock { $0 = nil } }
    try endingInTime { try body(store, results) }
    return answers.count.withLock { $0 }
  }

  private final class Answers: Sendable {
    let count = Mutex(0)
  }

  private static func readAll(_ results: SectionedResults<Note>) throws {
    for item in 0..<results.numberOfItems {
      _ = try results.item(at: ItemPath(section: 0, item: item))
    }
  }

  @Test func ofSmallCommits() throws {
    let count = try releases { store, results in
      for number in 0..<300 {
        _ = try results.item(at: ItemPath(section: 0, item: 0))
        try store.write { try $0.execute("UPDATE note SET name = ? WHERE id = 1", "x\(number)") }
      }
    }
    #expect(count > 0)
  }

  @Test func ofCommitsThatWereNotDelivered() throws {
    let queue = DispatchQueue(label: "delivery")
    let delivery = CallbackDelivery { job in queue.async { job() } }
    let count = try releases(on: delivery) { store, results in
      queue.sync {}
      queue.suspend()
      for number in 0..<3 {
        try store.write { try $0.execute("UPDATE note SET name = ? WHERE id = 1", "y\(number)") }
      }
      results.cancel()
      queue.resume()
      queue.sync {}
    }
    #expect(count > 0)
  }

  private struct Unexpected: Error {
    let error: StoreError?
  }

  @Test func ofACommitThatWasRefused() throws {
    let count = try releases { store, _ in
      let error = storeError {
        try store.write {
          try $0.execute("UPDATE note SET name = 'z' WHERE id = 1")
          try $0.execute("INSERT INTO child VALUES (7)")
        }
      }
      guard error?.code == .foreignKeyConstraint else { throw Unexpected(error: error) }
    }
    #expect(count > 0)
  }

  @Test func ofMoreItemsThanAreRemembered() throws {
    let count = try releases(of: 5_000) { store, results in
      try Self.readAll(results)
      let snapshot = results.snapshot
      for item in 0..<5_000 { _ = try snapshot.item(at: ItemPath(section: 0, item: item)) }
      try store.write { try $0.execute("UPDATE note SET name = name || 'q'") }
    }
    #expect(count > 0)
  }

  @Test func ofItemsThatLargeCommitsReplace() throws {
    let count = try releases(of: 60) { store, results in
      for number in 0..<5 {
        try Self.readAll(results)
        try store.write { try $0.execute("UPDATE note SET name = name || ?", "\(number)") }
      }
      // And of so many small ones that everything is forgotten.
      for number in 0..<400 {
        try store.write {
          try $0.execute("UPDATE note SET name = ? WHERE id = ?", "w\(number)", number % 60)
        }
      }
    }
    #expect(count > 0)
  }
}
