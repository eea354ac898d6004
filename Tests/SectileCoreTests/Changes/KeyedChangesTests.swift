import Foundation
import SectileCore
import SectileTestSupport
import Testing

private typealias Keyed = KeyedChanges<Int, String>

@Suite struct KeyedChangesTests {
  /// Worked examples: contents before, contents now, what is touched, the changes.
  @Test(
    arguments: [
      ("", "A: 1", [1], "K+ [0,0] #1, S= 0 (A) 1"),
      ("A: 1", "", [1], "K- #1"),
      ("A: 1 2 3", "A: 1 3", [2], "K- #2, S= 0 (A) 2"),
      ("A: 1 2 3", "A: 1 2=y 3", [2], "K+ [0,1] #2, S= 0 (A) 3"),
      ("A: 1 2 3", "A: 2 3 1", [1], "K+ [0,2] #1, S= 0 (A) 3"),
      (
        "A: 1 2 3 | B: 4 5", "A: 4 1 3 | B: 5 9", [9, 2, 4],
        "K- #2, K+ [0,0] #4, K+ [1,1] #9, S= 0 (A) 3, S= 1 (B) 2"
      ),
      // A section goes, one comes, and all change places.
      (
        "A: 1 | B: 2 | C: 3", "C: 3 | D: 1 | B: 2", [1],
        "K+ [1,0] #1, S= 0 (C) 1, S= 1 (D) 1, S= 2 (B) 1"
      ),
      // A title alone: nothing is touched.
      ("R(x): 1 2 | G: 4", "R(y): 1 2 | G: 4", [], "S= 0 (R) 2, S= 1 (G) 1"),
      // Rows that nobody had, and one that is as it was.
      ("A: 1 2", "A: 1 2", [2, 7, 7, 2], "K- #7, K+ [0,1] #2, S= 0 (A) 2"),
      ("A: | B: 1", "A: 1 | B:", [1], "K+ [0,0] #1, S= 0 (A) 1, S= 1 (B) 0"),
    ] as [(SectionDiagram, SectionDiagram, [Int], String)])
  func changesAreTheExpected(
    before: SectionDiagram, after: SectionDiagram, touched: [Int], lines: String
  ) throws {
    let target = contents(after, version: 9)
    let changes = try Keyed(to: ContentsSnapshot(target), touching: touched)
    #expect(changes.lines.joined(separator: ", ") == lines)
    #expect(changes.description == changes.lines.joined(separator: "\n"))
    #expect(try contents(before, version: 4).applying(changes) == target)
  }

  /// Whatever is touched beside what differs, the changes lead from the one to the other.
  @Test(arguments: 0..<200)
  func changesLeadFromAnyContentsToAnyOthers(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    var model = ContentsModel()
    for _ in 0..<random.number(below: 12) { model.mutate(&random) }
    for _ in 0..<20 {
      let old = model.contents
      for _ in 0..<(1 + random.number(below: 6)) { model.mutate(&random) }
      let new = model.contents
      var touched = Array(Self.leastTouched(from: old, to: new))
      for _ in 0..<random.number(below: 5) {
        touched.append(random.number(below: ContentsModel.rowLimit + 3))
      }
      touched.shuffle(using: &random)
      let changes = try Keyed(to: ContentsSnapshot(new), touching: touched)
      #expect(try old.applying(changes) == new, "seed \(seed): \(old) → \(new), \(touched)")
      let decoded = try JSONDecoder().decode(Keyed.self, from: JSONEncoder().encode(changes))
      #expect(decoded == changes, "seed \(seed)")
      #expect(try old.applying(decoded) == new, "seed \(seed)")
    }
  }

  /// Every two arrangements of three rows, with the rows touched that have to be.
  @Test func everySmallPairIsReplayed() throws {
    let all = arrangements(rowCount: 3, sections: ["A", "B"])
    for old in all {
      for new in all {
        let touched = Self.leastTouched(from: old, to: new)
        let changes = try Keyed(to: ContentsSnapshot(new), touching: touched)
        #expect(try old.applying(changes) == new, "\(old) → \(new)")
      }
    }
  }

  /// Returns the rows that differ, and of those that stand in another order as many as let the
  /// others stay.
  private static func leastTouched(from old: TestContents, to new: TestContents) -> Set<Int> {
    func rows(_ contents: TestContents) -> [Int: (section: StoredValue, item: String)] {
      Dictionary(
        contents.sections.flatMap { section in
          section.rows.map { ($0.id, (section.header.identity, $0.item)) }
        }
      ) { first, _ in first }
    }
    let (before, after) = (rows(old), rows(new))
    var touched = Set(before.keys).union(after.keys).filter { id in
      guard let before = before[id], let after = after[id] else { return true }
      return before != after
    }
    func order(_ contents: TestContents) -> [StoredValue: [Int]] {
      Dictionary(
        contents.sections.map { section in
          (section.header.identity, section.rows.map(\.id).filter { !touched.contains($0) })
        }
      ) { first, _ in first }
    }
    while true {
      let (before, after) = (order(old), order(new))
      let stray = before.lazy.compactMap { identity, ids -> Int? in
        guard let now = after[identity] else { return nil }
        return zip(ids, now).first { $0 != $1 }?.0
      }.first
      guard let stray else { return touched }
      touched.insert(stray)
    }
  }

  /// What the client has, what the changes lead to, and what is touched: something is left out each
  /// time.
  @Test(
    arguments: [
      ("A: 1 2", "A: 1", [7]),
      ("A: 1", "A: 1 2", [7]),
      ("A: 1", "A: 2 3 1 4", [3, 4]),
      ("A: 1 | B: 2", "A: 1", [7]),
      ("A: 1 | B: 2", "B: 2 1", [7]),
      ("", "A: 1", []),
    ] as [(SectionDiagram, SectionDiagram, [Int])])
  func changesThatDoNotFitAreErrorValues(
    before: SectionDiagram, after: SectionDiagram, touched: [Int]
  ) throws {
    let changes = try Keyed(
      to: ContentsSnapshot(contents(after, version: 9)), touching: touched)
    var target = contents(before, version: 4)
    let error = #expect(throws: ChangesetError.self) { try target.apply(changes) }
    #expect(error?.code == .inconsistentChanges)
    #expect(error?.hint != nil)
    #expect(target == contents(before, version: 4))
  }

  @Test func aRowThatIsThereTwiceIsAnErrorValue() throws {
    var twice = contents("A: 1 2 | B: 3")
    twice.sections[1].rows[0].id = 2
    var target = twice
    let changes = try Keyed(
      to: ContentsSnapshot(contents("A: 1 2 | B: 3", version: 9)), touching: [3])
    let error = #expect(throws: ChangesetError.self) { try target.apply(changes) }
    #expect(error?.code == .duplicateIdentity)
    #expect(target == twice)
  }

  /// Texts that Swift finds equal are two keys.
  @Test func textsOfOtherBytesAreOthers() throws {
    typealias Texts = SectionedContents<String, Int>
    let header = SourceSection(identity: .null, title: "")
    let (composed, apart) = ("\u{E9}", "e\u{301}")
    let old = Texts(sections: [
      .init(header: header, rows: [.init(id: composed, item: 1), .init(id: apart, item: 2)])
    ])
    let new = Texts(
      version: 1, sections: [.init(header: header, rows: [.init(id: apart, item: 3)])])
    let changes = try KeyedChanges(to: ContentsSnapshot(new), touching: [composed, apart])
    #expect(changes.deletes.count == 1)
    #expect(try old.applying(changes) == new)
  }

  @Test func shapeIsTheDocumentedOne() throws {
    let changes = try Keyed(
      to: ContentsSnapshot(contents("A: 1 3=y | B(b): 2", version: 9)), touching: [5, 3])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let json = String(decoding: try encoder.encode(changes), as: UTF8.self)
    #expect(
      json == """
        {"deletes":[5],"format":2,"sections":[{"count":2,"header":{"identity":"A","title":"A"}},\
        {"count":1,"header":{"identity":"B","title":"b"}}],"targetVersion":9,\
        "upserts":[{"id":3,"item":"y","path":{"item":1,"section":0}}]}
        """)
  }

  @Test func otherFormatIsRefused() {
    let error = #expect(throws: ChangesetError.self) {
      try JSONDecoder().decode(Keyed.self, from: Data(#"{"format":3}"#.utf8))
    }
    #expect(error?.code == .unknownFormat)
  }

  /// Lists that no contents can have: deletes, upserts, and sections.
  @Test(arguments: [
    ("1,1", "", ""),
    ("1", #"{"path":{"section":0,"item":0},"id":1,"item":"x"}"#, ""),
    ("", #"{"path":{"section":0,"item":2},"id":1,"item":"x"}"#, ""),
    ("", #"{"path":{"section":1,"item":0},"id":1,"item":"x"}"#, ""),
    ("", #"{"path":{"section":-1,"item":0},"id":1,"item":"x"}"#, ""),
    ("", #"{"path":{"section":0,"item":-9223372036854775808},"id":1,"item":"x"}"#, ""),
    (
      "",
      #"{"path":{"section":0,"item":1},"id":1,"item":"x"},{"path":{"section":0,"item":0},"id":2,"item":"x"}"#,
      ""
    ),
    (
      "",
      #"{"path":{"section":0,"item":0},"id":1,"item":"x"},{"path":{"section":0,"item":0},"id":2,"item":"x"}"#,
      ""
    ),
    ("", "", #",{"header":{"identity":"A","title":"again"},"count":0}"#),
    ("", "", #",{"header":{"identity":"B","title":"B"},"count":-1}"#),
  ])
  func changesThatContradictEachOtherAreRefused(
    deletes: String, upserts: String, sections: String
  ) {
    let json = """
      {"format":2,"targetVersion":1,"deletes":[\(deletes)],"upserts":[\(upserts)],\
      "sections":[{"header":{"identity":"A","title":"A"},"count":2}\(sections)]}
      """
    let error = #expect(throws: ChangesetError.self) {
      try JSONDecoder().decode(Keyed.self, from: Data(json.utf8))
    }
    #expect([.inconsistentChanges, .duplicateIdentity].contains(error?.code))
    #expect(error?.hint != nil)
  }

  /// A client may be told more rows than memory holds: it says so, and does not try.
  @Test func aCountThatIsNotTrueIsAnErrorValue() throws {
    let json = """
      {"format":2,"targetVersion":1,"deletes":[],\
      "upserts":[{"path":{"section":0,"item":9223372036854775806},"id":1,"item":"x"}],\
      "sections":[{"header":{"identity":"A","title":"A"},"count":9223372036854775807}]}
      """
    let changes = try JSONDecoder().decode(Keyed.self, from: Data(json.utf8))
    var target = contents("A: 2")
    #expect(throws: ChangesetError.self) { try target.apply(changes) }
    #expect(target == contents("A: 2"))
  }

  /// A snapshot that reads several items at once is asked for them in batches, ascending.
  @Test func itemsAreReadInBatches() throws {
    let rows = (0..<1_234).map { TestContents.Row(id: $0, item: "\($0)") }
    let new = TestContents(
      version: 1,
      sections: [.init(header: SourceSection(identity: .null, title: ""), rows: rows)])
    let changes = try Keyed(
      to: BatchedContents(base: ContentsSnapshot(new)), touching: (0..<1_234).reversed())
    #expect(try TestContents().applying(changes) == new)
  }

  @Test func reasonsAreToldApartByTheirNames() {
    let all: [ResetReason] = [
      .noLog, .otherStore, .otherEpoch, .pruned, .ahead, .rewritten, .otherRequest, .notByKey,
      .tooMany,
    ]
    #expect(Set(all).count == 9)
    #expect(Set(all.map(\.name)).count == 9)
    #expect(all.allSatisfy { $0.description.hasSuffix(".") })
    #expect(ResetReason.notByKey("It has a limit.") == .notByKey)
    #expect(ResetReason.notByKey("It has a limit.").description == "It has a limit.")
  }
}

/// Contents that refuse to be read one by one.
private struct BatchedContents: BatchedSnapshot {
  struct OneByOne: Error {}

  let base: ContentsSnapshot<Int, String>

  var version: Int { base.version }
  var sections: SectionList { base.sections }
  var numberOfSections: Int { base.numberOfSections }
  var numberOfItems: Int { base.numberOfItems }
  func numberOfItems(in section: Int) -> Int { base.numberOfItems(in: section) }
  func section(withIdentity identity: StoredValue) -> Int? {
    base.section(withIdentity: identity)
  }
  func item(at path: ItemPath) throws -> String { throw OneByOne() }
  func id(at path: ItemPath) -> Int { base.id(at: path) }
  func path(of id: Int) -> ItemPath? { base.path(of: id) }
  func rank(of path: ItemPath) -> Int { base.rank(of: path) }
  func path(atRank rank: Int) -> ItemPath { base.path(atRank: rank) }

  func items(at paths: ArraySlice<ItemPath>) throws -> [String] {
    guard paths.count <= 500, Array(paths) == paths.sorted() else { throw OneByOne() }
    return try paths.map { try base.item(at: $0) }
  }
}
