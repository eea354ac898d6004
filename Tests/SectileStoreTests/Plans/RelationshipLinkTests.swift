import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// The columns of a relationship may compare by two rules; results are what the request says.
@Suite(.timeLimit(.minutes(60))) struct RelationshipLinkTests {
  struct Person: Entity, Equatable {
    var id: String
    var name: String

    struct Relationships: EntityRelationships {
      let cards = ToMany<Card>("owner")
      init() {}
    }

    static let schema = EntitySchema<Person>(
      "person", primaryKey: "id", attributes: .init("id", \.id), .init("name", \.name))
    init(row: inout RowReader) throws {
      id = try row.next()
      name = try row.next()
    }
    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(name)
    }
  }

  struct Card: Entity, Equatable {
    var id: Int64
    var title: String

    struct Relationships: EntityRelationships {
      let person = ToOne<Person>("owner")
      init() {}
    }

    static let schema = EntitySchema<Card>(
      "card", primaryKey: "id", attributes: .init("id", \.id), .init("title", \.title))
    init(row: inout RowReader) throws {
      id = try row.next()
      title = try row.next()
    }
    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(title)
    }
  }

  /// How the key of a person and the column that refers to it are declared.
  static let declarations = [
    ("TEXT COLLATE NOCASE", "TEXT"), ("TEXT", "TEXT COLLATE NOCASE"),
    ("TEXT COLLATE NOCASE", "TEXT COLLATE NOCASE"), ("TEXT COLLATE RTRIM", "TEXT"),
    ("TEXT", "INTEGER"), ("TEXT", "NUMERIC"), ("TEXT", ""), ("TEXT", "TEXT"),
  ]

  private static func store(_ key: String, _ reference: String) throws -> Store {
    let store = try Store.inMemory()
    try store.write {
      try $0.execute(
        """
        CREATE TABLE person (id \(key) PRIMARY KEY NOT NULL, name TEXT NOT NULL);
        CREATE TABLE card (id INTEGER PRIMARY KEY, title TEXT NOT NULL, owner \(reference));
        INSERT INTO person VALUES ('bob', 'B'), ('eve', 'E'), ('05', 'F');
        INSERT INTO card VALUES (1, 'a', 'bob'), (2, 'b', 'BOB'), (3, 'c', 'bob  '), (4, 'd', 'Eve'),
          (5, 'e', 5), (6, 'f', '05'), (7, 'g', NULL), (8, 'h', 'eve');
        """)
    }
    return store
  }

  private static let statements = [
    "UPDATE person SET name = 'Z' WHERE id = 'bob'", "UPDATE person SET name = 'A' WHERE id = '05'",
    "UPDATE card SET owner = 'EVE' WHERE id = 2", "UPDATE person SET name = 'C' WHERE id = 'eve'",
    "UPDATE card SET owner = '5' WHERE id IN (1, 6)", "DELETE FROM card WHERE id = 5",
    "INSERT INTO card VALUES (9, 'i', 'BoB'), (10, 'j', 'eve ')",
    "UPDATE person SET id = 'EVE' WHERE id = 'eve'", "DELETE FROM person WHERE id = 'bob'",
    "INSERT INTO person VALUES ('BOB', 'H')", "UPDATE card SET owner = owner || ' ' WHERE id = 9",
  ]

  private func follow<E: Entity & Equatable>(
    _ request: FetchRequest<E>, in store: Store
  ) throws {
    let results = try store.results(of: request)
    let recorder = ChangeRecorder<E.ID, E>()
    results.delegate = recorder
    try results.load()
    for sql in Self.statements {
      try store.write { try $0.execute(sql) }
      try recorder.check(against: results)
      let fresh = try store.results(of: request)
      try fresh.load()
      let expected = try fresh.contents()
      #expect(try results.contents().sections == expected.sections, "after \(sql)")
    }
  }

  @Test(arguments: declarations)
  func whatARowRefersToIsFollowed(_ key: String, _ reference: String) throws {
    try follow(
      FetchRequest<Card>().sectioned(by: \.person.name, nulls: .last).sort(by: \.title),
      in: Self.store(key, reference))
  }

  @Test(arguments: declarations)
  func whatRefersToARowIsFollowed(_ key: String, _ reference: String) throws {
    try follow(
      FetchRequest<Person>().filter { $0.cards.count >= 2 }.sort(by: \.name),
      in: Self.store(key, reference))
  }

  @Test(arguments: declarations)
  func whatRefersToWhatARowRefersToIsFollowed(_ key: String, _ reference: String) throws {
    try follow(
      FetchRequest<Card>().filter { $0.person.cards.count >= 2 }.sort(by: \.title),
      in: Self.store(key, reference))
  }
}
