import Foundation
import SectileCore
import Testing

@Suite struct ChangesetJSONTests {
  @Test func shapeIsTheDocumentedOne() throws {
    let changes = Changeset(
      from: contents("C: 5 3", version: 7), to: contents("A: 9 | C(c): 3=y", version: 8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let json = String(decoding: try encoder.encode(changes), as: UTF8.self)
    #expect(
      json == """
        {"format":2,"rows":{"deletes":[{"id":5,"path":{"item":0,"section":0}}],\
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
    let json = #"{"format":3}"#
    #expect {
      try JSONDecoder().decode(TestChangeset.self, from: Data(json.utf8))
    } throws: {
      ($0 as? ChangesetError)?.code == .unknownFormat
    }
  }

  /// Changes that no contents can have, as members of `sections` and of `rows`.
  @Test(arguments: [
    (#""deletes":[{"section":-1,"header":{"identity":"A","title":"A"}}]"#, ""),
    (#""inserts":[{"section":9223372036854775807,"header":{"identity":"A","title":"A"}}]"#, ""),
    (
      #""deletes":[{"section":0,"header":{"identity":"A","title":"A"}}],"#
        + #""moves":[{"source":0,"target":1,"header":{"identity":"A","title":"A"}}]"#, ""
    ),
    (
      #""inserts":[{"section":1,"header":{"identity":"C","title":"C"}}],"#
        + #""moves":[{"source":0,"target":1,"header":{"identity":"A","title":"A"}}]"#, ""
    ),
    (
      #""updates":[{"source":0,"target":1,"before":{"identity":"A","title":"A"},"#
        + #""header":{"identity":"A","title":"a"}}]"#, ""
    ),
    ("", #""deletes":[{"path":{"section":0,"item":-9223372036854775808},"id":1}]"#),
    (
      "",
      #""deletes":[{"path":{"section":0,"item":0},"id":1},{"path":{"section":0,"item":0},"id":1}]"#
    ),
    (
      "",
      #""inserts":[{"path":{"section":0,"item":0},"id":8,"item":"x"}],"#
        + #""moves":[{"source":{"section":0,"item":1},"target":{"section":0,"item":0},"#
        + #""id":2,"contentChanged":false,"item":"x"}]"#
    ),
    (
      "",
      #""updates":[{"source":{"section":0,"item":1},"target":{"section":0,"item":0},"#
        + #""id":1,"item":"y"}]"#
    ),
    (
      "",
      #""deletes":[{"path":{"section":0,"item":0},"id":1}],"#
        + #""updates":[{"source":{"section":0,"item":0},"target":{"section":0,"item":0},"#
        + #""id":1,"item":"y"}]"#
    ),
  ])
  func changesThatContradictEachOtherAreRefused(sections: String, rows: String) throws {
    func lists(_ given: String) -> String {
      let names = ["deletes", "inserts", "moves", "updates"]
      let others = names.filter { !given.contains("\"\($0)\":") }.map { "\"\($0)\":[]" }
      return "{\((others + (given.isEmpty ? [] : [given])).joined(separator: ","))}"
    }
    let json = """
      {"format":2,"sourceVersion":0,"targetVersion":1,\
      "sections":\(lists(sections)),"rows":\(lists(rows))}
      """
    let error = #expect(throws: ChangesetError.self) {
      try JSONDecoder().decode(TestChangeset.self, from: Data(json.utf8))
    }
    #expect(error?.code == .inconsistentChanges)
    #expect(error?.hint != nil)
  }

  @Test func notANumberIsNoValue() {
    for text in ["nan", "-nan", "snan", "nan(0x7)"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(StoredValue.self, from: Data(#"{"real":"\#(text)"}"#.utf8))
      }
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
