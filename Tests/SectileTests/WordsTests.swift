#if Macros
  import Foundation
  import Sectile
  import Testing

  /// A note whose key SQLite assigns.
  @Entity("word_note")
  struct WordNote: Codable, Equatable {
    var id: Int64?
    var text: String
  }

  /// What users write in the shortest way; that it compiles without a warning is part of the tests.
  @Suite(.timeLimit(.minutes(60))) struct WordsTests {
    private func makeStore() throws -> Store {
      let store = try Store.inMemory()
      try store.write {
        try $0.execute("CREATE TABLE word_note (id INTEGER PRIMARY KEY, text TEXT)")
      }
      return store
    }

    /// In its own function: inside of one that is asynchronous the other overload is meant.
    private func insertAndForget(into store: Store) throws {
      try store.write { try $0.insert(WordNote(id: nil, text: "a")) }
    }

    @Test func theRowIDOfAnInsertionMayBeDiscarded() async throws {
      let store = try makeStore()
      try insertAndForget(into: store)
      try await store.write { try $0.insert(WordNote(id: nil, text: "b")) }
      let id = try await store.write { try $0.insert(WordNote(id: nil, text: "c")) }
      #expect(id == 3)
      let kept: Int64 = id
      #expect(kept == 3)
      let texts: [String] = try await store.write {
        try $0.fetchAll(FetchRequest<WordNote>()).map(\.text)
      }
      #expect(texts == ["a", "b", "c"])
      try await store.close()
    }

    @Test func aTaskGroupOfVoidDiscardsWhatWritesReturn() async throws {
      let store = try makeStore()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...5 {
          group.addTask {
            try await store.write { try $0.insert(WordNote(id: nil, text: "\(number)")) }
          }
        }
        try await group.waitForAll()
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await store.write { try $0.delete(WordNote.self, key: 1) } }
        group.addTask {
          try await store.write { try $0.insert(contentsOf: [WordNote(id: nil, text: "more")]) }
        }
        group.addTask { try await store.write { try $0.save(WordNote(id: 2, text: "saved")) } }
        try await group.waitForAll()
      }
      let ids = try await withThrowingTaskGroup(of: Int64.self) { group in
        group.addTask { try await store.write { try $0.insert(WordNote(id: nil, text: "x")) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(ids == [7])
      #expect(try await store.read { try $0.fetchCount(FetchRequest<WordNote>()) } == 6)
      try await store.close()
    }

    @Test func identitiesThatAreOptionalPrintAsNumbers() throws {
      let store = try makeStore()
      let results = try store.results(of: FetchRequest<WordNote>())
      try results.load()
      let changesets = Changesets()
      let token = results.observe { event in
        if case .didPartiallyLoad(let changeset) = event { changesets.texts.append("\(changeset)") }
      }
      try insertAndForget(into: store)
      token.cancel()
      #expect(changesets.texts.count == 1)
      #expect(changesets.texts.first?.contains("#1") == true, "\(changesets.texts)")
      #expect(try "\(results.snapshot.materialized())" == "NULL:[#1]")
      try store.close()
    }

    private final class Changesets: @unchecked Sendable {
      // Filled by callbacks on the thread that writes.
      var texts: [String] = []
    }

    @Test func contentsAndSnapshotsAreEncodedAsChangesetsAre() throws {
      let store = try makeStore()
      let results = try store.results(of: FetchRequest<WordNote>().sectioned(by: \.text))
      try results.load()
      try insertAndForget(into: store)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      let json = """
        {"format":2,"sections":[{"header":{"identity":"a","indexTitle":"A","title":"a"},\
        "rows":[{"id":1,"item":{"id":1,"text":"a"}}]}],"version":1}
        """
      let snapshot = results.snapshot
      #expect(String(decoding: try encoder.encode(snapshot), as: UTF8.self) == json)
      let contents = try snapshot.materialized()
      #expect(String(decoding: try encoder.encode(contents), as: UTF8.self) == json)
      #expect(
        try JSONDecoder().decode(SectionedContents<Int64?, WordNote>.self, from: Data(json.utf8))
          == contents)
      #expect(
        String(decoding: try encoder.encode(results.sections), as: UTF8.self)
          == #"[{"identity":"a","indexTitle":"A","title":"a"}]"#)
      let row = try store.read { try $0.query("SELECT id, text, x'00ff' AS b FROM word_note") }
      #expect(
        String(decoding: try encoder.encode(row), as: UTF8.self)
          == #"[{"b":{"$blob":"00ff"},"id":1,"text":"a"}]"#)
      try store.close()
    }

    @Test func contentsOfAnUnknownFormatAreRefused() {
      let json = #"{"format":7,"sections":[],"version":2}"#
      let error = #expect(throws: ChangesetError.self) {
        try JSONDecoder().decode(SectionedContents<Int, String>.self, from: Data(json.utf8))
      }
      #expect(error?.code == .unknownFormat)
    }
  }
#endif
