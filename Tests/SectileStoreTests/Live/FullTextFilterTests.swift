import Foundation
import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Live results of what a full-text table finds: each step is replayed and compared with a fresh
/// fetch.
@Suite(.timeLimit(.minutes(60))) struct FullTextFilterTests {
  /// How a full-text table may be made, by its options after the column.
  static let external = ", content='label', content_rowid='id'"
  static let kinds = [external, external + ", prefix='1 2'", "", ", columnsize=0"]

  static func schema(_ options: String, count: Int) -> String {
    let isExternal = options.contains("content")
    let forget =
      isExternal
      ? "INSERT INTO label_text(label_text, rowid, name) VALUES ('delete', old.id, old.name);"
      : "DELETE FROM label_text WHERE rowid = old.id;"
    return """
      CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE VIRTUAL TABLE label_text USING fts5(name\(options));
      CREATE TRIGGER ai AFTER INSERT ON label BEGIN
        INSERT INTO label_text(rowid, name) VALUES (new.id, new.name);
      END;
      CREATE TRIGGER ad AFTER DELETE ON label BEGIN \(forget) END;
      CREATE TRIGGER au AFTER UPDATE ON label BEGIN
        \(forget)
        INSERT INTO label_text(rowid, name) VALUES (new.id, new.name);
      END;
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO label SELECT i, CASE i % 4 WHEN 0 THEN 'blue note' WHEN 1 THEN 'verve'
        WHEN 2 THEN 'notebook' ELSE 'impulse' END || ' ' || i FROM n;
      """
  }

  @Test(arguments: kinds, StorageKind.allCases)
  func commitAsksAboutTheRowsItTouched(_ options: String, _ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema(options, count: 1_000)) { store in
      let live = try LiveResults<Label>(
        FetchRequest<Label>().matching("note", in: "label_text").sort(by: \.name), in: store)
      #expect(live.results.numberOfItems == 250)
      let before = live.results.statistics
      try live.expect(["R+ [0,250] #1"]) {
        try store.write { try $0.execute("UPDATE label SET name = 'verve note' WHERE id = 1") }
      }
      try live.expect(["R- [0,250] #1"]) {
        try store.write { try $0.execute("UPDATE label SET name = 'verve' WHERE id = 1") }
      }
      try live.expect(["R> [0,0]→[0,249] #100*"]) {
        try store.write { try $0.execute("UPDATE label SET name = 'note z' WHERE id = 100") }
      }
      try live.expect([]) {
        try store.write { try $0.execute("UPDATE label SET name = 'other' WHERE id = 3") }
      }
      let after = live.results.statistics
      let isByRow = !options.contains("columnsize")
      #expect((after.rebuildCount == before.rebuildCount) == isByRow)
      if isByRow { #expect(after.rereadRowCount == before.rereadRowCount + 4) }
    }
  }

  /// What FTS5 does to its tables by itself changes nothing; what it is told to forget is gone.
  @Test(arguments: StorageKind.allCases)
  func commandsOfTheFullTextTableAreFollowed(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema(Self.external, count: 40)) { store in
      let live = try LiveResults<Label>(
        FetchRequest<Label>().matching("note*", in: "label_text"), in: store)
      #expect(live.results.numberOfItems == 20)
      for command in ["optimize", "rebuild", "integrity-check"] {
        try live.expect([]) {
          try store.write {
            try $0.execute("INSERT INTO label_text(label_text) VALUES ('\(command)')")
          }
        }
      }
      let gone = try live.changes {
        try store.write {
          try $0.execute("INSERT INTO label_text(label_text) VALUES ('delete-all')")
        }
      }
      #expect(gone.count == 20 || gone.count == 21)
      let back = try live.changes {
        try store.write { try $0.execute("INSERT INTO label_text(label_text) VALUES ('rebuild')") }
      }
      #expect(back.count == gone.count)
      // The row is forgotten, and its table not written to.
      try live.expect(["R- [0,0] #2"]) {
        try store.write {
          try $0.execute(
            "INSERT INTO label_text(label_text, rowid, name) VALUES ('delete', 2, 'notebook 2')")
        }
      }
    }
  }

  /// A condition that asks the same table something else makes all of it matter.
  @Test(arguments: StorageKind.allCases)
  func otherQuestionsToTheSameTableAreFollowed(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema(Self.external, count: 8)) { store in
      let request = FetchRequest<Label>().matching("note*", in: "label_text").filter(
        SQLFragment("(SELECT count(*) FROM label_text WHERE label_text MATCH 'impulse') > 1"))
      let live = try LiveResults<Label>(request, in: store)
      #expect(live.results.numberOfItems == 4)
      let lines = try live.changes {
        try store.write { try $0.execute("DELETE FROM label WHERE id = 3") }
      }
      #expect(lines.count == 5)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func textThatIsTypedDeliversDifferences(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema(Self.external, count: 40)) { store in
      let request = FetchRequest<Label>()
      let live = try LiveResults<Label>(request, in: store)
      for (text, count) in [
        ("n", 20), ("no", 20), ("note", 20), ("note ", 10), ("note 1", 2), ("\"note\" (1* OR", 0),
        ("note -", 10), ("", 40), (" \u{0}", 40),
      ] {
        try live.setRequest(request.searching(text, in: "label_text"), in: store)
        try live.check()
        #expect(live.results.numberOfItems == count, "\(text)")
      }
    }
  }

  @Test func typedTextIsNoSyntax() {
    let queries = [
      "swift que": #""swift" "que"*"#, "swift ": #""swift""#, "a\"b": #""a""b"*"#,
      "NOT x": #""NOT" "x"*"#, "naïve\u{0}x": #""naïve" "x"*"#,
    ]
    for (typed, query) in queries { #expect(FullTextQuery(ofTyped: typed)?.text == query) }
    for typed in ["", " ", "\n\u{0}"] { #expect(FullTextQuery(ofTyped: typed) == nil) }
  }

  @Test func queryThatIsNoneIsATypedError() throws {
    try SmallWorld.run(.memory, schema: Self.schema(Self.external, count: 4)) { store in
      let results = try store.results(
        of: FetchRequest<Label>().matching("note AND (", in: "label_text"))
      #expect {
        try store.read { try $0.fetchAll(FetchRequest<Label>().matching("\"", in: "label_text")) }
      } throws: {
        ($0 as? StoreError)?.code == .statementFailed
      }
      let recorder = ChangeRecorder<Int64, Label>()
      results.delegate = recorder
      try? results.load()
      #expect(recorder.errors.count <= 1)
      #expect(results.numberOfItems == 0)
    }
  }

  /// Random writes to the table, to its full-text table alone, and both, in commits of one and of
  /// many.
  @Test(arguments: SeededRandom.batches())
  func randomCommitsAreExact(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let options = Self.kinds[Int.random(in: 0..<Self.kinds.count, using: &random)]
      try SmallWorld.run(.memory, schema: Self.schema(options, count: 30)) { store in
        let query = ["note", "note*", "verve OR book*", "v* NOT verve"].randomElement(
          using: &random)
        let live = try LiveResults<Label>(
          FetchRequest<Label>().matching(query ?? "", in: "label_text")
            .sectioned(by: \.name.firstLetter).sort(by: \.name, .descending), in: store)
        for _ in 0..<6 {
          let statements = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            Self.statement(isExternal: options.contains("content"), &random)
          }
          _ = try live.changes {
            try store.write { try $0.execute(statements.joined(separator: ";")) }
          }
        }
      }
    }
  }

  static func statement(isExternal: Bool, _ random: inout SeededRandom) -> String {
    let id = Int.random(in: 1...34, using: &random)
    let words = ["note", "verve", "notebook", "vinyl", "impulse", "book"]
    let name = (0..<Int.random(in: 1...3, using: &random))
      .map { _ in words[Int.random(in: 0..<words.count, using: &random)] }
      .joined(separator: " ")
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return "DELETE FROM label WHERE id = \(id)"
    case 1: return "INSERT OR IGNORE INTO label VALUES (\(id), '\(name)')"
    case 2: return "UPDATE label SET name = '\(name)' WHERE id % 5 = \(id % 5)"
    case 3: return "UPDATE OR IGNORE label SET id = \(id) WHERE id = \(35 - id)"
    case 4 where !isExternal:
      return "UPDATE label_text SET name = '\(name)' WHERE rowid = \(id)"
    default: return "UPDATE label SET name = '\(name)' WHERE id = \(id)"
    }
  }
}
