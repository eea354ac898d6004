import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct DataSourceListTests {
  typealias List = DataSourceList<String, Fruit>
  typealias Recorder = ChangeRecorder<PartItemID<String>, Fruit>

  struct Fruit: Identifiable, Hashable, Sendable {
    let id: Int
    var name: String
    var kind = ""
  }

  static func fruits(_ names: String...) -> [Fruit] {
    names.enumerated().map { Fruit(id: $0.offset, name: $0.element) }
  }

  /// A source in one section without an identity.
  static func source(_ names: String...) -> ArrayDataSource<Fruit> {
    ArrayDataSource(
      name: names.joined(separator: "+"),
      items: names.enumerated().map { Fruit(id: $0.offset, name: $0.element) })
  }

  /// A source in sections.
  static func sections(_ diagram: SectionDiagram) -> ArrayDataSource<Fruit> {
    ArrayDataSource(name: "\(diagram)", items: items(diagram)) {
      SourceSection(identity: .text($0.kind), title: $0.kind)
    }
  }

  static func items(_ diagram: SectionDiagram) -> [Fruit] {
    diagram.sections.flatMap { section in
      section.items.map {
        Fruit(id: $0.id.hash(in: section.identity), name: $0.id, kind: section.identity)
      }
    }
  }

  static func drawing(of source: some DataSource<PartItemID<String>, Fruit>) throws
    -> SectionDiagram
  {
    SectionDiagram(
      sections: try source.snapshot.materialized().sections.map { section in
        SectionDiagram.Section(
          identity: section.header.identity.label, title: section.header.title,
          items: section.rows.map { SectionDiagram.Item($0.item.name) })
      })
  }

  /// A list that is loaded, and listened to.
  static func list(keepsEmptyParts: Bool = false) -> (List, Recorder) {
    let list = List(name: "list", keepsEmptyParts: keepsEmptyParts)
    let recorder = Recorder()
    list.delegate = recorder
    list.load()
    return (list, recorder)
  }

  // MARK: - The contract of every source

  @Test func listKeepsThePromisesOfDataSource() async throws {
    let list = List(name: "list", keepsEmptyParts: true)
    try list.append(Self.source("fig", "kiwi"), as: "a")
    try list.append(Self.source(), as: "b", title: "B")
    try list.append(Self.sections("x: pear | y: plum"), as: "c")
    #expect(await checkDataSource(list) == [])
    #expect(checkSnapshot(list.snapshot) == [])
  }

  // MARK: - Editing

  @Test func partThatIsAddedComesWithItsContents() throws {
    let (list, recorder) = Self.list()
    try list.append(Self.sections("x: fig kiwi | y: pear"), as: "a")
    try recorder.expect([
      "insert section a/x", "insert section a/y", "insert a/x/0", "insert a/x/1", "insert a/y/0",
    ])
    try list.insert(Self.source("plum"), as: "b", before: "a")
    try recorder.expect(["insert section b", "insert b/0"])
    try recorder.check(against: list)
    #expect(recorder.changesets.count == 2)
    #expect(list.parts == ["b", "a"])
    #expect(try Self.drawing(of: list) == "b(): plum | a/x(x): fig kiwi | a/y(y): pear")
    #expect(checkSnapshot(list.snapshot) == [])
  }

  @Test func partThatIsRemovedGoesWithItsContents() throws {
    let (list, recorder) = Self.list()
    let part = Self.sections("x: fig | y: pear")
    try list.append(part, as: "a")
    try list.append(Self.source("plum"), as: "b")
    recorder.reset()
    try list.remove(part: "a")
    try recorder.expect([
      "delete section a/x", "delete section a/y", "delete a/x/0", "delete a/y/0",
    ])
    #expect(recorder.changesets.count == 1)
    #expect(recorder.events.count == 3)
    try part.append(Fruit(id: 99, name: "late", kind: "x"))
    #expect(recorder.events.count == 3)
    try recorder.check(against: list)
  }

  @Test func partThatIsMovedMovesItsSections() throws {
    let (list, recorder) = Self.list()
    try list.append(Self.sections("x: fig | y: pear"), as: "a")
    try list.append(Self.source("plum"), as: "b")
    try list.append(Self.source("kiwi"), as: "c")
    recorder.reset()
    try list.move(part: "a", before: "c")
    try recorder.expect(["move section a/x 0 → 1", "move section a/y 1 → 2"])
    try list.move(part: "c", before: "b")
    try recorder.expect(["move section c 3 → 0"])
    try list.move(part: "c", before: nil)
    try recorder.expect(["move section c 0 → 3"])
    #expect(recorder.changesets.count == 3)
    // Where it stays, nobody is called.
    try list.move(part: "c", before: nil)
    try list.move(part: "b", before: "b")
    try list.move(part: "b", before: "a")
    #expect(recorder.changesets.count == 3)
    #expect(list.parts == ["b", "a", "c"])
    try recorder.check(against: list)
  }

  @Test func rowsOfPartsAreFollowedWhereverTheyStand() throws {
    let (list, recorder) = Self.list()
    let (a, b) = (Self.sections("x: fig | y: pear"), Self.source("plum"))
    try list.append(a, as: "a")
    try list.append(b, as: "b")
    try list.move(part: "b", before: "a")
    recorder.reset()
    try b.append(Fruit(id: 9, name: "kiwi"))
    try recorder.expect(["insert b/1"])
    try a.remove(at: ItemPath(section: 0, item: 0))
    try recorder.expect(["delete section a/x", "delete a/x/0"])
    try recorder.check(against: list)
    #expect(list.path(of: PartItemID(9, inPart: "b")) == ItemPath(section: 0, item: 1))
    #expect(list.path(of: PartItemID(9, inPart: "a")) == nil)
    #expect(list.path(of: PartItemID(9, inPart: "z")) == nil)
    #expect(list.origin(at: ItemPath(section: 1, item: 0)).source === a)
  }

  @Test func titleOfAPartIsThatOfItsSectionWithoutIdentity() throws {
    let (list, recorder) = Self.list()
    try list.append(Self.source("fig"), as: "a", title: "Ada")
    try list.append(Self.sections("x: pear"), as: "b", title: "Bob")
    #expect(try Self.drawing(of: list) == "a(Ada): fig | b/x(x): pear")
    recorder.reset()
    try list.setTitle("Eve", ofPart: "a")
    try recorder.expect(["update section a “Ada” → “Eve”"])
    try list.setTitle("Eve", ofPart: "a")
    try list.setTitle("Eve", ofPart: "b")
    #expect(recorder.changesets.count == 1)
    try list.setTitle(nil, ofPart: "a")
    try recorder.expect(["update section a “Eve” → “”"])
    try recorder.check(against: list)
  }

  @Test func editsBeforeAndBetweenLoadsAreSeenWithTheNextOne() throws {
    let list = List(name: "list")
    let recorder = Recorder()
    list.delegate = recorder
    try list.append(Self.source("fig"), as: "a")
    try list.append(Self.source("kiwi"), as: "b")
    #expect(list.parts == ["a", "b"])
    #expect(list.numberOfSections == 0)
    list.load()
    #expect(try Self.drawing(of: list) == "a(): fig | b(): kiwi")
    list.cancel()
    recorder.sourceWasCancelled()
    try list.remove(part: "a")
    try list.append(Self.source("pear"), as: "a")
    #expect(try Self.drawing(of: list) == "a(): fig | b(): kiwi")
    recorder.reset()
    list.load()
    #expect(try Self.drawing(of: list) == "b(): kiwi | a(): pear")
    try recorder.check(against: list)
    // One that finds everything as it was tells no changes.
    let changes = recorder.changesets.count
    list.load()
    #expect(recorder.changesets.count == changes)
  }

  @Test func whatIsNotThereIsAnError() throws {
    let (list, recorder) = Self.list()
    try list.append(Self.source("fig"), as: "a")
    func code(_ body: () throws -> Void) -> DataSourceError.Code? {
      do { try body() } catch { return (error as? DataSourceError)?.code }
      return nil
    }
    #expect(code { try list.append(Self.source("kiwi"), as: "a") } == .duplicatePart)
    #expect(code { try list.insert(Self.source("kiwi"), as: "b", before: "z") } == .noSuchPart)
    #expect(code { try list.remove(part: "z") } == .noSuchPart)
    #expect(code { try list.move(part: "z", before: nil) } == .noSuchPart)
    #expect(code { try list.move(part: "a", before: "z") } == .noSuchPart)
    #expect(code { try list.setTitle("", ofPart: "z") } == .noSuchPart)
    #expect(list.parts == ["a"])
    #expect(recorder.changesets.count == 1)
    try recorder.check(against: list)
  }

  @Test func partsThatArePrintedAlikeAreRefused() throws {
    let list = DataSourceList<AnyHashableText, Fruit>(name: "list")
    try list.append(Self.source("fig"), as: AnyHashableText(number: 1))
    let error = #expect(throws: DataSourceError.self) {
      try list.append(Self.source("kiwi"), as: AnyHashableText(number: 2))
    }
    #expect(error?.code == .duplicatePart)
    #expect(error?.hint != nil)
  }

  struct AnyHashableText: Hashable, Sendable, CustomStringConvertible {
    let number: Int
    var description: String { "same" }
  }

  // MARK: - Empty parts

  @Test func emptyPartHasNoSectionUnlessItIsKept() throws {
    let (list, recorder) = Self.list()
    let part = Self.source()
    try list.append(part, as: "a", title: "Ada")
    try list.append(Self.source("kiwi"), as: "b")
    #expect(recorder.changesets.count == 1)
    try part.append(Fruit(id: 1, name: "fig"))
    try list.move(part: "a", before: nil)
    try part.replace(with: [])
    try list.move(part: "a", before: "b")
    try list.setTitle("Eve", ofPart: "a")
    try recorder.expect([
      "insert section b", "insert b/0", "insert section a", "insert a/0",
      "move section a 0 → 1", "delete section a", "delete a/0",
    ])
    try list.remove(part: "a")
    try recorder.expect([])
    try recorder.check(against: list)
  }

  @Test func sectionOfAnEmptyPartIsKeptIfAsked() throws {
    let (list, recorder) = Self.list(keepsEmptyParts: true)
    let part = Self.source()
    try list.append(part, as: "a", title: "Ada")
    try recorder.expect(["insert section a"])
    try part.append(Fruit(id: 1, name: "fig"))
    try recorder.expect(["insert a/0"])
    try part.replace(with: [])
    try recorder.expect(["delete a/0"])
    #expect(try Self.drawing(of: list) == "a(Ada):")
    #expect(list.snapshot.section(withIdentity: "a") == 0)
    #expect(checkSnapshot(list.snapshot) == [])
    try list.setTitle("Eve", ofPart: "a")
    try recorder.expect(["update section a “Ada” → “Eve”"])
    try list.remove(part: "a")
    try recorder.expect(["delete section a"])
    try recorder.check(against: list)
  }

  @Test func keptSectionMakesRoomForThoseOfThePart() throws {
    let (list, recorder) = Self.list(keepsEmptyParts: true)
    let part = Self.sections("x: fig | y: pear")
    try list.append(Self.source("kiwi"), as: "first")
    try list.append(part, as: "a", title: "Ada")
    recorder.reset()
    try part.replace(with: [])
    try recorder.expect([
      "delete section a/x", "delete section a/y", "insert section a", "delete a/x/0",
      "delete a/y/0",
    ])
    try part.replace(with: Self.items("y: pear"))
    try recorder.expect(["delete section a", "insert section a/y", "insert a/y/0"])
    try recorder.check(against: list)
  }

  /// Of several sections the one without an identity is the one that stays.
  @Test func sectionWithoutIdentityIsTheKeptOne() throws {
    typealias Contents = SectionedContents<Int, Fruit>
    func contents(_ identities: StoredValue...) -> Contents {
      Contents(
        sections: identities.enumerated().map { number, identity in
          Contents.Section(
            header: SourceSection(identity: identity, title: "own"),
            rows: [Contents.Row(id: number, item: Fruit(id: number, name: "\(number)"))])
        })
    }
    let (list, recorder) = Self.list(keepsEmptyParts: true)
    let part = ContentsSource<Int, Fruit>(contents("x", .null, "y"))
    try list.append(part, as: "a")
    recorder.reset()
    part.set(contents())
    try recorder.expect([
      "delete section a/x", "delete section a/y", "update section a “own” → “”", "delete a/x/0",
      "delete a/0", "delete a/y/0",
    ])
    part.set(contents("x", .null))
    try recorder.expect([
      "insert section a/x", "update section a “” → “own”", "insert a/x/0", "insert a/0",
    ])
    try recorder.check(against: list)
  }

  // MARK: - Where things are

  @Test func sectionsTellTheirPartAndPartsTheirSections() throws {
    let (list, _) = Self.list()
    try list.append(Self.sections("x: fig | y: pear"), as: "a")
    try list.append(Self.source(), as: "b")
    try list.append(Self.source("kiwi"), as: "c")
    #expect((0..<4).map { list.part(ofSection: $0) } == ["a", "a", "c", nil])
    #expect(list.part(ofSection: -1) == nil)
    #expect(
      ["a", "b", "c", "z"].map { list.sections(ofPart: $0) } == [0..<2, 2..<2, 2..<3, 0..<0])
  }

  @Test func identityOfAnItemNamesItsPart() {
    #expect("\(PartItemID(42, inPart: "ada"))" == "ada/42")
    #expect("\(PartItemID(42, inPart: "/var/log"))" == "'/var/log'/42")
    #expect(PartItemID(1, inPart: "a") == PartItemID(AnyItemID(1), inPart: "a"))
    #expect(PartItemID(1, inPart: "\u{E9}") != PartItemID(1, inPart: "e\u{301}"))
    #expect(PartItemID(1, inPart: "a") != PartItemID(1, inPart: "b"))
    #expect(Set([PartItemID(1, inPart: "a"), PartItemID(2, inPart: "a")]).count == 2)
  }

  /// To SQLite these are two texts, as everywhere.
  @Test func partsWhoseNamesSwiftFindsEqualAreTwo() throws {
    let (list, recorder) = Self.list()
    try list.append(Self.source("fig"), as: "\u{E9}")
    try list.append(Self.source("kiwi"), as: "e\u{301}")
    try list.remove(part: "\u{E9}")
    #expect(try Self.drawing(of: list) == "e\u{301}(): kiwi")
    try recorder.check(against: list)
  }
}

extension String {
  /// A number for a name in a section, the same in each run.
  fileprivate func hash(in section: String) -> Int {
    (section + "/" + self).utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
  }
}
