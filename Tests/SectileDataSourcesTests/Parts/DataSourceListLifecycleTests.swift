import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

/// Loads, failures and callbacks of lists whose parts come and go meanwhile.
@Suite(.timeLimit(.minutes(60))) struct DataSourceListLifecycleTests {
  typealias Fruit = DataSourceListTests.Fruit
  typealias List = DataSourceListTests.List
  typealias Recorder = DataSourceListTests.Recorder

  private static func source(_ names: String...) -> ArrayDataSource<Fruit> {
    ArrayDataSource(
      name: "fruit", items: names.enumerated().map { Fruit(id: $0.offset, name: $0.element) })
  }

  /// A source whose load fails.
  private static func broken() -> ArrayDataSource<Fruit> {
    ArrayDataSource(name: "broken", items: [Fruit(id: 1, name: "a"), Fruit(id: 1, name: "b")])
  }

  /// A source whose load has begun, and ends when it is told to.
  private static func slow() -> (source: ContentsSource<Int, Fruit>, load: OpenLoad<Int, Fruit>) {
    let source = ContentsSource<Int, Fruit>(name: "slow")
    let load = OpenLoad(source.hub)
    load.begin()
    source.hub.flush()
    return (source, load)
  }

  private static func contents(_ names: String...) -> SectionedContents<Int, Fruit> {
    SectionedContents(sections: [
      SectionedContents.Section(
        header: SourceSection(identity: .null, title: ""),
        rows: names.enumerated().map {
          SectionedContents.Row(id: $0.offset, item: Fruit(id: $0.offset, name: $0.element))
        })
    ])
  }

  private static func drawing(of list: List) throws -> SectionDiagram {
    try DataSourceListTests.drawing(of: list)
  }

  // MARK: - Failures

  @Test func allPartsThatFailAreToldAndTheOthersAreShown() throws {
    let list = List(name: "list")
    let recorder = Recorder()
    list.delegate = recorder
    try list.append(Self.broken(), as: "first")
    try list.append(Self.source("fig"), as: "good")
    try list.append(Self.broken(), as: "second")
    list.load()
    #expect(try Self.drawing(of: list) == "good(): fig")
    let error = try #require(recorder.errors.first as? DataSourceError)
    #expect(recorder.errors.count == 1)
    #expect(error.code == .inputFailed)
    #expect(error.message.contains("first") && error.message.contains("second"))
    #expect(error.hint != nil)
    let failures = error.sourceErrors.compactMap { $0 as? DataSourceError }
    #expect(failures.map(\.code) == [.inputFailed, .inputFailed])
    #expect(failures[0].message.contains("first") && failures[1].message.contains("second"))
    #expect(failures.allSatisfy { ($0.cause as? DataSourceError)?.code == .duplicateIdentity })
    try recorder.check(against: list)
  }

  @Test func onePartThatFailsIsNamedAsWell() throws {
    let list = List(name: "list")
    let recorder = Recorder()
    list.delegate = recorder
    list.load()
    // Beside a load it is told at once.
    try list.append(Self.broken(), as: "bad")
    let error = try #require(recorder.errors.first as? DataSourceError)
    #expect(error.code == .inputFailed)
    #expect(error.message.contains("bad"))
    #expect(error.sourceErrors.count == 1)
    #expect(list.parts == ["bad"])
    list.load()
    #expect(recorder.errors.count == 2)
    try list.remove(part: "bad")
    list.load()
    #expect(recorder.errors.count == 2)
    #expect(!recorder.isLoading)
  }

  @Test func compositionTellsOfAllInputsThatFail() throws {
    let list = AnyDataSource<Fruit>.concatenating([
      AnyDataSource(Self.broken()), AnyDataSource(Self.source("fig")), AnyDataSource(Self.broken()),
    ])
    let recorder = ChangeRecorder<AnyItemID, Fruit>()
    list.delegate = recorder
    list.load()
    let error = try #require(recorder.errors.first as? DataSourceError)
    #expect(error.sourceErrors.count == 2)
    #expect(list.numberOfItems == 1)
  }

  @Test func partsThatAreCancelledAreToldTogether() throws {
    let list = List(name: "list")
    let recorder = Recorder()
    list.delegate = recorder
    let (first, second) = (Self.slow(), Self.slow())
    try list.append(first.source, as: "first")
    try list.append(second.source, as: "second")
    list.load()
    #expect(recorder.isLoading)
    second.source.cancel()
    #expect(recorder.isLoading)
    first.source.cancel()
    let error = try #require(recorder.errors.first as? DataSourceError)
    let causes = error.sourceErrors.map { ($0 as? DataSourceError)?.cause as? DataSourceError }
    #expect(causes.map { $0?.code } == [.inputCancelled, .inputCancelled])
    #expect(error.message.contains("first") && error.message.contains("second"))
    #expect(!recorder.isLoading)
  }

  // MARK: - While loading

  @Test func partThatIsAddedWhileTheListLoadsBelongsToTheLoad() throws {
    let list = List(name: "list")
    let recorder = Recorder()
    list.delegate = recorder
    let (first, second) = (Self.slow(), Self.slow())
    try list.append(first.source, as: "first")
    list.load()
    try list.append(second.source, as: "second")
    try list.append(Self.source("fig"), as: "third")
    #expect(try Self.drawing(of: list) == "third(): fig")
    first.load.finish()
    first.source.hub.flush()
    #expect(recorder.isLoading)
    second.source.set(Self.contents("kiwi"))
    second.source.load()
    second.load.finish()
    second.source.hub.flush()
    #expect(!recorder.isLoading)
    #expect(try Self.drawing(of: list) == "second(): kiwi | third(): fig")
    try recorder.check(against: list)
  }

  @Test func partThatIsRemovedWhileItLoadsIsNotWaitedFor() throws {
    let list = List(name: "list")
    let recorder = Recorder()
    list.delegate = recorder
    let (slow, load) = Self.slow()
    try list.append(Self.broken(), as: "broken")
    try list.append(slow, as: "slow")
    try list.append(Self.source("fig"), as: "good")
    list.load()
    #expect(recorder.isLoading)
    // What failed and is gone is nobody's concern.
    try list.remove(part: "broken")
    try list.remove(part: "slow")
    #expect(!recorder.isLoading)
    #expect(recorder.errors.isEmpty)
    let events = recorder.events.count
    slow.set(Self.contents("late"))
    slow.load()
    load.finish()
    slow.hub.flush()
    #expect(recorder.events.count == events)
    #expect(try Self.drawing(of: list) == "good(): fig")
    try recorder.check(against: list)
  }

  @Test func whatAPartLoadsLaterFollows() throws {
    let list = List(name: "list")
    let recorder = Recorder()
    list.delegate = recorder
    list.load()
    let (slow, load) = Self.slow()
    try list.append(slow, as: "slow")
    #expect(recorder.changesets.isEmpty)
    #expect(!recorder.isLoading)
    slow.set(Self.contents("late"))
    slow.load()
    load.finish()
    slow.hub.flush()
    #expect(try Self.drawing(of: list) == "slow(): late")
    try recorder.check(against: list)
  }

  @Test func removedPartIsReleased() throws {
    let list = List(name: "list")
    list.load()
    weak var gone: ArrayDataSource<Fruit>?
    do {
      let part = Self.source("fig")
      gone = part
      try list.append(part, as: "a")
      #expect(gone != nil)
    }
    #expect(gone != nil)
    try list.remove(part: "a")
    #expect(gone == nil)
  }

  @Test func releasedListListensToNobody() throws {
    let part = Self.source("fig")
    weak var gone: List?
    do {
      let list = List(name: "list")
      try list.append(part, as: "a")
      list.load()
      gone = list
    }
    #expect(gone == nil)
    try part.append(Fruit(id: 9, name: "late"))
  }

  // MARK: - Inside callbacks

  @Test func partsAreEditedInsideACallback() throws {
    let list = List(name: "list", keepsEmptyParts: true)
    let recorder = Recorder()
    list.delegate = recorder
    let (a, b) = (Self.source("fig"), Self.source("kiwi"))
    try list.append(a, as: "a")
    try list.append(b, as: "b")
    list.load()
    recorder.reset()
    let isFirst = Atomic(true)
    let token = list.observe { [weak list] event in
      guard case .didPartiallyLoad = event, let list else { return }
      guard isFirst.exchange(false, ordering: .relaxed) else { return }
      #expect(throws: Never.self) {
        try list.remove(part: "a")
        try list.append(Self.source("plum"), as: "c")
        try list.move(part: "c", before: "b")
        try list.insert(Self.source(), as: "d", title: "Dan", before: "b")
      }
    }
    try a.append(Fruit(id: 9, name: "pear"))
    token.cancel()
    try recorder.expect([
      "insert a/1", "delete section a", "delete a/0", "delete a/1", "insert section c",
      "insert c/0", "move section c 1 → 0", "insert section d",
    ])
    #expect(recorder.changesets.count == 5)
    try recorder.check(against: list)
    #expect(try Self.drawing(of: list) == "c(): plum | d(Dan): | b(): kiwi")
  }

  @Test func partIsRemovedInsideItsOwnCallback() throws {
    let list = List(name: "list")
    let recorder = Recorder()
    let (a, b) = (Self.source("fig"), Self.source("kiwi"))
    // Heard before and after the list is told.
    let early = a.observe { [weak list] event in
      if case .didPartiallyLoad(let changes) = event, changes.sourceVersion == 1 {
        try? list?.remove(part: "a")
      }
    }
    list.delegate = recorder
    try list.append(a, as: "a")
    try list.append(b, as: "b")
    list.load()
    let late = b.observe { [weak list] event in
      if case .didPartiallyLoad = event { try? list?.remove(part: "b") }
    }
    recorder.reset()
    try a.append(Fruit(id: 9, name: "pear"))
    try recorder.expect(["delete section a", "delete a/0"])
    try b.append(Fruit(id: 9, name: "plum"))
    #expect(list.numberOfSections == 0)
    #expect(list.parts == [])
    try recorder.check(against: list)
    early.cancel()
    late.cancel()
  }

  @Test func listIsCancelledInsideACallbackOfAnEdit() throws {
    let list = List(name: "list")
    let recorder = Recorder()
    list.delegate = recorder
    list.load()
    let token = list.observe { [weak list] event in
      if case .didPartiallyLoad = event { list?.cancel() }
    }
    try list.append(Self.source("fig"), as: "a")
    recorder.sourceWasCancelled()
    token.cancel()
    try list.append(Self.source("kiwi"), as: "b")
    #expect(try Self.drawing(of: list) == "a(): fig")
    list.load()
    #expect(try Self.drawing(of: list) == "a(): fig | b(): kiwi")
    try recorder.check(against: list)
  }

  // MARK: - One commit, one changeset

  @Test func commitThatReachesSeveralPartsIsOneChangeset() throws {
    let source = Self.source("a", "b", "c")
    let list = List(name: "list")
    let recorder = Recorder()
    list.delegate = recorder
    list.load()
    for kind in ["x", "y"] {
      // Above the height at which a list begins.
      var part = AnyDataSource(source.filter { $0.kind == kind })
      for _ in 0..<(kind == "x" ? 12 : 0) { part = AnyDataSource(part.filter { _ in true }) }
      try list.append(part, as: kind)
    }
    let outer = AnyDataSource<Fruit>.concatenating([
      AnyDataSource(list), AnyDataSource(source.filter { $0.kind.isEmpty }),
    ])
    let second = ChangeRecorder<AnyItemID, Fruit>()
    outer.delegate = second
    outer.load()
    recorder.reset()
    second.reset()
    try source.replace(at: ItemPath(section: 0, item: 1), with: Fruit(id: 1, name: "b", kind: "x"))
    try source.replace(at: ItemPath(section: 0, item: 1), with: Fruit(id: 1, name: "b", kind: "y"))
    try recorder.expect([
      "insert section x", "insert x/0", "delete section x", "insert section y", "delete x/0",
      "insert y/0",
    ])
    #expect(recorder.changesets.count == 2)
    #expect(second.changesets.count == 2)
    try recorder.check(against: list)
    try second.check(against: outer)
  }

  @Test func listIsAPartOfAList() throws {
    let source = Self.source("a", "b")
    let outer = DataSourceList<String, Fruit>(name: "hosts")
    let recorder = Recorder()
    outer.delegate = recorder
    outer.load()
    let lists = ["one", "two"].map { DataSourceList<Int, Fruit>(name: $0) }
    for list in lists { try outer.append(list, as: list.name) }
    try lists[1].append(source.filter { $0.kind.isEmpty }, as: 5)
    try lists[0].append(source.filter { !$0.kind.isEmpty }, as: 7)
    #expect(try Self.drawing(of: outer) == "two/'5'(): a b")
    recorder.reset()
    try source.replace(at: ItemPath(section: 0, item: 0), with: Fruit(id: 0, name: "a", kind: "x"))
    try recorder.expect([
      "insert section one/'7'", "delete two/'5'/0", "insert one/'7'/0",
    ])
    #expect(recorder.changesets.count == 1)
    #expect(
      outer.path(of: PartItemID(PartItemID(0, inPart: 7), inPart: "one"))
        == ItemPath(section: 0, item: 0))
    try recorder.check(against: outer)
  }
}
