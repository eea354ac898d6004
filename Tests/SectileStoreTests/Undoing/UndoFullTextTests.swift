import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Transactions that write to full-text tables are undone: the words are what they were, FTS5 finds
/// nothing wrong, and live results of what is found are told exactly.
@Suite(.timeLimit(.minutes(60))) struct UndoFullTextTests {
  private static let external = FullTextFilterTests.external

  /// How a full-text table may be made, by its options after the column.
  static let kinds = [
    external, external + ", prefix='1 2'", external + ", detail=column",
    external + ", detail=none", "", ", prefix=2, detail=none", ", columnsize=0",
    ", more UNINDEXED, tokenize='porter'",
  ]

  private static func schema(_ options: String, count: Int = 12) -> String {
    FullTextFilterTests.schema(options, count: count)
      + "CREATE VIRTUAL TABLE words USING fts5vocab('label_text', 'instance');"
  }

  /// All rows, and where each word is.
  private struct State: Equatable {
    let rows: DatabaseDump
    let words: [[StoredValue]]

    init(of store: Store) throws {
      rows = try DatabaseDump(of: store)
      words = try store.read { transaction in
        try transaction.query(
          #"SELECT term, doc, col, "offset" FROM words ORDER BY term, doc, col, "offset""#)
      }.map(\.values)
    }
  }

  /// Has FTS5 compare all words with the texts.
  private static func checkIntegrity(of store: Store) throws {
    try store.write { transaction in
      try transaction.execute(
        "INSERT INTO label_text(label_text, rank) VALUES ('integrity-check', 1)")
    }
  }

  // MARK: - Undone

  /// Runs a transaction, undoes it and does it again, and compares all words.
  @discardableResult
  private func expectUndone(
    _ sql: String, in store: Store, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Store.Undo {
    let before = try State(of: store)
    let undo = try store.writeUndoably { try $0.execute(sql) }.undo
    let after = try State(of: store)
    #expect(before != after, sourceLocation: sourceLocation)
    let redo = try store.undo(undo)
    #expect(try State(of: store) == before, sourceLocation: sourceLocation)
    try Self.checkIntegrity(of: store)
    let back = try store.undo(redo)
    #expect(try State(of: store) == after, sourceLocation: sourceLocation)
    try Self.checkIntegrity(of: store)
    try store.undo(back)
    #expect(try State(of: store) == before, sourceLocation: sourceLocation)
    try Self.checkIntegrity(of: store)
    return undo
  }

  @Test(arguments: kinds, StorageKind.allCases)
  func theWordsAreWhatTheyWere(_ options: String, _ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema(options)) { store in
      let undo = try expectUndone(
        """
        UPDATE label SET name = 'note ' || name WHERE id % 3 = 0;
        UPDATE label SET name = 'as long' WHERE id = 2;
        DELETE FROM label WHERE id IN (4, 5); INSERT INTO label VALUES (99, 'new note');
        UPDATE label SET id = 77 WHERE id = 7;
        """, in: store)
      let isExternal = options.contains("content")
      #expect(undo.tableNames == (isExternal ? ["label"] : ["label", "label_text"]))
      #expect(undo.rowCount == (isExternal ? 10 : 20))
      // As many words as before, and others.
      try expectUndone("UPDATE label SET name = 'other words' WHERE id = 2", in: store)
      // What the triggers do not index.
      let empty = try store.writeUndoably { transaction in
        try transaction.execute("UPDATE label SET name = name WHERE id = 2")
      }.undo
      #expect(empty.isEmpty)
      try store.undo(empty)
    }
  }

  /// A text that has become another one and is what it was again, a row that came and went, and
  /// rows that were changed twice.
  @Test(arguments: kinds)
  func severalTransactionsAreUndoneInOne(_ options: String) throws {
    try SmallWorld.run(.memory, schema: Self.schema(options)) { store in
      let transactions = [
        [
          "UPDATE label SET name = 'one two' WHERE id = 2",
          "UPDATE label SET name = 'two one' WHERE id = 2",
          "UPDATE label SET name = 'three' WHERE id = 2",
        ],
        ["INSERT INTO label VALUES (99, 'new note')", "DELETE FROM label WHERE id = 99"],
        [
          "DELETE FROM label WHERE id = 4", "INSERT INTO label VALUES (4, 'another')",
          "UPDATE label SET name = 'note ' || name WHERE id % 3 = 0",
          "INSERT INTO label VALUES (98, 'new note')", "DELETE FROM label WHERE id = 98",
        ],
        // What it was.
        [
          "UPDATE label SET name = 'x ' || name WHERE id = 5",
          "UPDATE label SET name = substr(name, 3) WHERE id = 5",
        ],
        [
          "UPDATE label SET name = 'x ' || name WHERE id = 5",
          "UPDATE label SET name = 'z' WHERE id = 7",
          "UPDATE label SET name = substr(name, 3) WHERE id = 5",
        ],
      ]
      for statements in transactions {
        let before = try State(of: store)
        let undos = try statements.map { sql in
          try store.writeUndoably { try $0.execute(sql) }.undo
        }
        let after = try State(of: store)
        let redo = try store.undo(undos)
        #expect(try State(of: store) == before)
        try Self.checkIntegrity(of: store)
        let back = try store.undo(redo)
        #expect(try State(of: store) == after)
        try Self.checkIntegrity(of: store)
        try store.undo(back)
        #expect(try State(of: store) == before)
      }
    }
  }

  @Test func aTableThatIsWrittenByItselfIsUndone() throws {
    let schema = """
      CREATE VIRTUAL TABLE label_text USING fts5(name, more UNINDEXED);
      CREATE VIRTUAL TABLE words USING fts5vocab('label_text', 'instance');
      INSERT INTO label_text VALUES ('a b', 1), ('c', x'00ff'), ('d', 2.5);
      """
    try SmallWorld.run(.file, schema: schema) { store in
      let undo = try expectUndone(
        """
        DELETE FROM label_text WHERE rowid = 2; UPDATE label_text SET name = 'x' WHERE rowid = 1;
        INSERT INTO label_text VALUES ('y', 'z');
        """, in: store)
      #expect(undo.tableNames == ["label_text"])
      #expect(undo.rowCount == 3)
      try store.undo(try store.writeUndoably { try $0.execute("DELETE FROM label_text") }.undo)
      let rows = try store.read { try $0.query("SELECT more FROM label_text ORDER BY rowid") }
      #expect(rows.map(\.values) == [[1], [.blob([0x00, 0xFF])], [2.5]])
    }
  }

  /// They write the settings of the full-text table, too.
  @Test(arguments: ["delete-all", "rebuild"])
  func commandsForTheWholeAreRefused(_ command: String) throws {
    try SmallWorld.run(.memory, schema: Self.schema(Self.external)) { store in
      try expectStoreError(.notUndoable) {
        _ = try store.writeUndoably { transaction in
          try transaction.execute("UPDATE label SET name = 'x y' WHERE id = 3")
          try transaction.execute("INSERT INTO label_text(label_text) VALUES (?)", command)
        }
      }
      try Self.checkIntegrity(of: store)
    }
  }

  /// The texts of a view come from several tables.
  @Test(arguments: [StorageKind.memory, .file])
  func textsOfAViewAreThoseOfItsRows(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE track (id INTEGER PRIMARY KEY, title TEXT, artist INTEGER);
      CREATE VIEW shown AS SELECT track.id AS id, title, artist.name AS name
        FROM track JOIN artist ON artist.id = track.artist;
      CREATE VIRTUAL TABLE label_text USING fts5(title, name, content='shown', content_rowid='id');
      CREATE VIRTUAL TABLE words USING fts5vocab('label_text', 'instance');
      CREATE TRIGGER renamed AFTER UPDATE ON artist BEGIN
        INSERT INTO label_text(label_text, rowid, title, name)
          SELECT 'delete', id, title, old.name FROM track WHERE artist = old.id;
        INSERT INTO label_text(rowid, title, name)
          SELECT id, title, new.name FROM track WHERE artist = old.id;
      END;
      INSERT INTO artist VALUES (1, 'ada b'), (2, 'cy');
      INSERT INTO track VALUES (1, 'x y', 1), (2, 'z', 1), (3, 'w', 2);
      INSERT INTO label_text(label_text) VALUES ('rebuild');
      """
    try SmallWorld.run(kind, schema: schema) { store in
      let undo = try expectUndone("UPDATE artist SET name = 'eve' WHERE id = 1", in: store)
      #expect(undo.rowCount == 1)
    }
  }

  // MARK: - Refused

  /// A schema, and a transaction that is not undone.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let module: String
    let schema: String
    let transaction: String

    static let all = [
      Refusal(
        testDescription: "without texts", module: "fts5",
        schema: "CREATE VIRTUAL TABLE found USING fts5(v, content='')",
        transaction: "INSERT INTO found(rowid, v) VALUES (1, 'a')"),
      Refusal(
        testDescription: "texts of others, without sizes", module: "fts5",
        schema: """
          CREATE VIRTUAL TABLE found USING fts5(v, content='item', content_rowid='id', columnsize=0)
          """,
        transaction: "INSERT INTO found(rowid, v) VALUES (1, 'x')"),
      Refusal(
        testDescription: "texts of others, without sizes, beside texts of its own", module: "fts5",
        schema: """
          CREATE VIRTUAL TABLE found USING fts5(v, content='item', content_rowid='id', columnsize=0);
          CREATE VIRTUAL TABLE beside USING fts5(v);
          """,
        transaction: """
          INSERT INTO beside(rowid, v) VALUES (1, 'x'); INSERT INTO found(rowid, v) VALUES (1, 'x');
          UPDATE beside SET v = 'y';
          """),
      Refusal(
        testDescription: "settings", module: "fts5",
        schema: "CREATE VIRTUAL TABLE found USING fts5(v)",
        transaction: "INSERT INTO found(found, rank) VALUES ('automerge', 8)"),
      Refusal(
        testDescription: "a row that is taken in twice", module: "fts5",
        schema: """
          CREATE VIRTUAL TABLE found USING fts5(v, content='item', content_rowid='id');
          INSERT INTO found(found) VALUES ('rebuild');
          """,
        transaction: "INSERT INTO found(rowid, v) VALUES (1, 'x')"),
      Refusal(
        testDescription: "a row that is forgotten otherwise", module: "fts5",
        schema: """
          CREATE VIRTUAL TABLE found USING fts5(v, content='item', content_rowid='id');
          INSERT INTO found(found) VALUES ('rebuild');
          """,
        transaction: "INSERT INTO found(found, rowid, v) VALUES ('delete', 1, 'x and more')"),
      Refusal(
        testDescription: "FTS4", module: "fts4",
        schema: "CREATE VIRTUAL TABLE found USING fts4(v)",
        transaction: "INSERT INTO found VALUES ('a')"),
      Refusal(
        testDescription: "rtree", module: "rtree",
        schema: "CREATE VIRTUAL TABLE found USING rtree(id, low, high)",
        transaction: "INSERT INTO found VALUES (1, 2, 3)"),
    ]
  }

  @Test(arguments: Refusal.all)
  func whatIsNotUnderstoodIsRefused(_ refusal: Refusal) throws {
    try SmallWorld.run(.memory) { store in
      let modules = try store.read {
        try $0.query("SELECT 1 FROM pragma_module_list WHERE name = ?", refusal.module)
      }
      // A SQLite without the module has no such tables.
      guard !modules.isEmpty else { return }
      try store.write { try $0.execute(refusal.schema) }
      let before = try DatabaseDump(of: store)
      let error = try expectStoreError(.notUndoable) {
        try store.writeUndoably { transaction in
          try transaction.execute("UPDATE item SET k = 7")
          try transaction.execute(refusal.transaction)
        }
      }
      #expect(error.hint != nil)
      #expect(try DatabaseDump(of: store) == before)
      // Beside it, all else is undone.
      try store.undo(try store.writeUndoably { try $0.execute("UPDATE item SET k = 7") }.undo)
      #expect(try DatabaseDump(of: store) == before)
    }
  }

  @Test func aRowThatWasForgottenOrWrittenSinceIsAConflict() throws {
    let forgetting = "INSERT INTO label_text(label_text, rowid, name) VALUES ('delete', 2, 'x y')"
    for (options, sql) in [
      (Self.external, forgetting),
      ("", "DELETE FROM label_text WHERE rowid = 2"),
      ("", "UPDATE label_text SET name = 'z' WHERE rowid = 2"),
    ] {
      try SmallWorld.run(.memory, schema: Self.schema(options)) { store in
        let undo = try store.writeUndoably { transaction in
          try transaction.execute("UPDATE label SET name = 'x y' WHERE id = 2")
        }.undo
        try store.write { try $0.execute(sql) }
        let before = try State(of: store)
        try expectStoreError(.editConflict) { try store.undo(undo) }
        #expect(try State(of: store) == before)
      }
    }
  }

  /// Triggers that index other words than the texts have are noticed by how many there are.
  @Test func otherWordsThanThoseOfTheTextsAreRefused() throws {
    let schema = Self.schema(Self.external).replacing("new.name)", with: "new.name || ' more')")
    try SmallWorld.run(.memory, schema: schema) { store in
      let undo = try store.writeUndoably { transaction in
        try transaction.execute("INSERT INTO label VALUES (50, 'x y')")
      }.undo
      let before = try State(of: store)
      try expectStoreError(.notUndoable) { try store.undo(undo) }
      #expect(try State(of: store) == before)
    }
  }

  @Test func aTableThatWasMadeAnewIsRefused() throws {
    try SmallWorld.run(.memory, schema: Self.schema("")) { store in
      let undo = try store.writeUndoably { try $0.execute("DELETE FROM label WHERE id = 2") }.undo
      try store.write { transaction in
        try transaction.execute(
          "DROP TABLE label_text; CREATE VIRTUAL TABLE label_text USING fts5(name, content='')")
      }
      try expectStoreError(.notUndoable) { try store.undo(undo) }
      #expect(try store.read { try $0.query("SELECT id FROM label") }.count == 11)
    }
  }

  // MARK: - At random

  @Test(arguments: SeededRandom.batches(debug: 40, release: 400, of: 5))
  func everyCourseKeepsTheWordsInStep(_ seeds: Range<UInt64>) throws {
    var undone = 0
    for seed in seeds {
      if let problem = try Self.problem(seed: seed, &undone) {
        Issue.record("seed \(seed): \(problem)")
        return
      }
    }
    // Otherwise nothing was tried.
    #expect(undone > 3 * seeds.count)
  }

  private static func problem(seed: UInt64, _ undone: inout Int) throws -> String? {
    struct RollBack: Error {}
    var random = SeededRandom(seed: seed)
    let options = kinds.randomElement(using: &random) ?? ""
    let kind = StorageKind.allCases.randomElement(using: &random) ?? .memory
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    try store.write { try $0.execute(schema(options, count: 30)) }
    if random.chance(0.5) { try store.write { try $0.execute("PRAGMA recursive_triggers = ON") } }
    let live = try LiveResults<Label>(
      FetchRequest<Label>().matching("note*", in: "label_text").sort(by: \.name), in: store)
    for _ in 0..<10 {
      var steps: [(sql: String, isUndone: Bool)] = []
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let sql = statement(options, &random)
        steps.append((sql: sql, isUndone: random.chance(0.15)))
      }
      let course = "\(kind), \(options), \(steps)"
      let before = try State(of: store)
      var undo: Store.Undo
      do {
        undo = try store.writeUndoably { transaction in
          for step in steps {
            try? transaction.savepoint {
              try transaction.execute(step.sql)
              if step.isUndone { throw RollBack() }
            }
          }
        }.undo
      } catch let error as StoreError where error.code == .notUndoable {
        if try State(of: store) != before { return "refused, and written: \(course)" }
        continue
      }
      let after = try State(of: store)
      for (what, expected) in [("undone", before), ("done again", after), ("undone", before)] {
        undo = try store.undo(undo)
        let state = try State(of: store)
        if state.words != expected.words { return "\(what), words: \(course)" }
        if state.rows != expected.rows {
          return "\(what): \(course)\n\(state.rows.difference(from: expected.rows))"
        }
        do {
          try checkIntegrity(of: store)
        } catch {
          return "\(what), \(error): \(course)"
        }
        if try !live.agrees() { return "\(what), told wrongly: \(course)" }
      }
      if random.chance(0.7) { try store.undo(undo) }
      undone += 1
    }
    try store.close()
    return nil
  }

  private static func statement(_ options: String, _ random: inout SeededRandom) -> String {
    let id = Int.random(in: 1...34, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return "INSERT OR REPLACE INTO label VALUES (\(id), 'note \(id)')"
    case 1: return "INSERT INTO label_text(label_text) VALUES ('rebuild')"
    case 2: return "UPDATE label SET name = upper(name) WHERE id > \(id)"
    default:
      return FullTextFilterTests.statement(isExternal: options.contains("content"), &random)
    }
  }
}
