import Dispatch
import SectileCore
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

/// Whatever the release of an item runs may use the results, so none is released under a lock.
@Suite(.serialized) struct ItemReleaseTests {
  /// Opens results of `count` notes; whoever is released from then on asks them something.
  private func withResults(
    of count: Int = 3, on delivery: Delivery = .immediate,
    _ body: (Store, SectionedResults<Note>) throws -> Void
  ) throws {
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
    Token.action.withLock { action in
      action = { [weak results] in _ = results.map { ($0.version, $0.statistics) } }
    }
    defer { Token.action.withLock { $0 = nil } }
    try body(store, results)
  }

  private func readAll(_ results: SectionedResults<Note>) throws {
    for item in 0..<results.numberOfItems {
      _ = try results.item(at: ItemPath(section: 0, item: item))
    }
  }

  @Test func ofSmallCommits() throws {
    try withResults { store, results in
      for number in 0..<300 {
        _ = try results.item(at: ItemPath(section: 0, item: 0))
        try store.write { try $0.execute("UPDATE note SET name = ? WHERE id = 1", "x\(number)") }
      }
    }
  }

  @Test func ofCommitsThatWereNotDelivered() throws {
    let queue = DispatchQueue(label: "delivery")
    try withResults(on: Delivery { job in queue.async { job() } }) { store, results in
      queue.sync {}
      queue.suspend()
      for number in 0..<3 {
        try store.write { try $0.execute("UPDATE note SET name = ? WHERE id = 1", "y\(number)") }
      }
      results.cancel()
      queue.resume()
      queue.sync {}
    }
  }

  @Test func ofACommitThatWasRefused() throws {
    try withResults { store, _ in
      let error = storeError {
        try store.write {
          try $0.execute("UPDATE note SET name = 'z' WHERE id = 1")
          try $0.execute("INSERT INTO child VALUES (7)")
        }
      }
      #expect(error?.code == .foreignKeyConstraint)
    }
  }

  @Test func ofMoreItemsThanAreRemembered() throws {
    try withResults(of: 5_000) { store, results in
      try readAll(results)
      let snapshot = results.snapshot
      for item in 0..<5_000 { _ = try snapshot.item(at: ItemPath(section: 0, item: item)) }
      try store.write { try $0.execute("UPDATE note SET name = name || 'q'") }
    }
  }

  @Test func ofItemsThatLargeCommitsReplace() throws {
    try withResults(of: 60) { store, results in
      for number in 0..<5 {
        try readAll(results)
        try store.write { try $0.execute("UPDATE note SET name = name || ?", "\(number)") }
      }
      // And of so many small ones that everything is forgotten.
      for number in 0..<400 {
        try store.write {
          try $0.execute("UPDATE note SET name = ? WHERE id = ?", "w\(number)", number % 60)
        }
      }
    }
  }
}
