import Foundation
import SectileCore
import Testing

@Suite struct ChangesetJSONTests {
  @Test func shapeIsTheDocumentedOne() throws {
    let changes = Changeset(
      from: contents("C: 5 3", version: 7), to: contents("A: 9 | C=c: 3y", version: 8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let json = String(decoding: try encoder.encode(changes), as: UTF8.self)
    #expect(
      json == """
        {"format":1,"rows":{"deletes":[{"id":5,"path":{"item":0,"section":0}}],\
        "inserts":[{"id":9,"item":"x","path":{"item":0,"section":0}}],"moves":[],\
        "updates":[{"id":3,"item":"y","source":{"item":1,"section":0},\
        "target":{"item":0,"section":1}}]},"sections":{"deletes":[],\
        "inserts":[{"header":{"identity":"A","title":"A"},"section":0}],"moves":[],\
        "updates":[{"before":{"identity":"C","title":"C"},\
        "header":{"identity":"C","title":"c"},"source":0,"target":1}]},\
        "sourceVersion":7,"targetVersion":8}
        """)
  }

  @Test(arguments: 0..<10)
  func randomChangesRoundTrip(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    var old = ContentsModel()
    for _ in 0..<20 {
      var new = old
      for _ in 0..<3 { new.mutate(&random) }
      let data = try JSONEncoder().encode(old.changeset(to: new))
      let decoded = try JSONDecoder().decode(TestChangeset.self, from: data)
      #expect(try old.contents.applying(decoded) == new.contents)
      #expect(decoded.lines == old.changeset(to: new).lines)
      old = new
    }
  }

  @Test func otherFormatIsRefused() {
    let json = #"{"format":2}"#
    #expect {
      try JSONDecoder().decode(TestChangeset.self, from: Data(json.utf8))
    } throws: {
      ($0 as? ChangesetError)?.code == .unknownFormat
    }
  }

  @Test func failureOfADeferredItemIsThrown() {
    struct Unreadable: Error {}
    let changes = TestChangeset(
      sourceVersion: 0, targetVersion: 1,
      inserts: [
        ItemInsert(
          path: ItemPath(section: 0, item: 0), id: 1, payload: .deferred { throw Unreadable() })
      ])
    #expect(throws: Unreadable.self) { try JSONEncoder().encode(changes) }
  }
}
