#if Macros
  import Foundation
  import Sectile
  import SectileFeed
  import SectileTestHelpers
  import Testing

  // example: tutorial-table
  @Entity
  struct Errand: Identifiable, Codable {
    var id: Int64
    var title: String
    var state: String
  }

  extension Errand {
    static let migrations = Migrations.inline([
      "V0001_create_errand.sql": """
      CREATE TABLE errand (id INTEGER PRIMARY KEY, title TEXT NOT NULL, state TEXT NOT NULL);
      CREATE INDEX errand_on_state_title ON errand (state, title);
      """
    ])
  }
  // example: end

  @Suite(.timeLimit(.minutes(60))) struct TutorialExamples: ExampleSuite {
    let transcript = Transcript()

    /// All steps, one after the other, as the article has them.
    @Test func fromNothingToALivePage() async throws {
      let folder = try TemporaryFolder()
      let path = folder.file("errands.sqlite")
      // example: tutorial-store
      let store = try await Store.open(at: path, migrations: Errand.migrations)
      // example: end
      // example: tutorial-list
      let errands = try store.results(
        of: FetchRequest<Errand>().sectioned(by: \.state).sort(by: \.title))
      let observation = errands.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      try await errands.load()
      // example: end
      // example: tutorial-write
      try await store.write { tx in
        try tx.insert(Errand(id: 1, title: "buy bread", state: "open"))
        try tx.insert(Errand(id: 2, title: "call Ada", state: "open"))
      }
      // S+ 0 (open)
      // R+ [0,0] #1
      // R+ [0,1] #2
      // example: end
      // example: tutorial-move
      try await store.write { tx in
        try tx.update(Errand(id: 1, title: "buy bread", state: "done"))
      }
      // S+ 0 (done)
      // R> [0,0]→[0,0] #1*
      // example: end
      #expect(try await comesTrue { transcript.lines.count == 5 })
      #expect(
        transcript.lines == [
          "S+ 0 (open)", "R+ [0,0] #1", "R+ [0,1] #2", "S+ 0 (done)", "R> [0,0]→[0,0] #1*",
        ])
      observation.cancel()

      // example: tutorial-read
      for (section, header) in errands.sections.enumerated() {
        print("\(header.title): \(errands.numberOfItems(in: section))")
      }
      // done: 1
      // open: 1
      // example: end
      #expect(transcript.lines.suffix(2) == ["done: 1", "open: 1"])

      // example: tutorial-log
      try store.changeLog.enable()
      // example: end
      // example: tutorial-feed
      let feed = Feed<_, Void>(of: errands)  // one for all clients

      func stream(to client: Client, after lastEventID: String?) async throws {
        let answer = try await feed.response(lastEventID: lastEventID)
        try await answer.write { try await client.send(Data($0)) }
      }
      // example: end
      let client = Client()
      async let streamed: Void = stream(to: client, after: nil)
      var messages = client.messages.makeAsyncIterator()
      let first = try #require(await messages.next())
      #expect(String(decoding: first, as: UTF8.self).contains("event: stream\n"))
      // example: tutorial-close
      try await store.close()
      // example: end
      try await streamed
      #expect(store.closeOutcome?.isComplete == true)
    }
  }
#endif
