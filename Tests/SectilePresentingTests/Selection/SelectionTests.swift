import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct SelectionTests {
  struct Food: Identifiable, Hashable, Sendable {
    let id: String
    var kind = "food"
    var grade = 0
  }

  typealias Source = ArrayDataSource<Food>
  typealias Change = SelectionChange<String>

  static func foods(_ diagram: SectionDiagram) -> [Food] {
    diagram.sections.flatMap { section in
      section.items.map { Food(id: $0.id, kind: section.identity, grade: Int($0.contents) ?? 0) }
    }
  }

  static func source(_ diagram: SectionDiagram) -> Source {
    let source = Source(name: "food", items: foods(diagram)) {
      SourceSection(identity: .text($0.kind), title: $0.kind)
    }
    source.load()
    return source
  }

  /// A selection, and the changes it tells of.
  final class Observed: Sendable {
    let selection: Selection<String, Food>
    private let heard = Mutex<[Change]>([])
    private let token = Mutex<DataSourceObservation?>(nil)

    init(_ selection: Selection<String, Food>) {
      self.selection = selection
      token.withLock { token in
        token = selection.observe { [weak self] change in self?.heard.withLock { $0.append(change) }
        }
      }
    }

    /// The changes since this was asked for last.
    var changes: [Change] {
      heard.withLock { heard in
        defer { heard = [] }
        return heard
      }
    }
  }

  static func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  // MARK: - Modes

  @Test func singleSelectionLetsTheFormerOneGo() {
    let observed = Observed(Selection(of: Self.source("a: x y z"), mode: .single))
    let selection = observed.selection
    #expect(selection.select("x"))
    #expect(selection.select("y"))
    #expect(selection.ids == ["y"])
    #expect(
      observed.changes == [Change(selected: ["x"]), Change(selected: ["y"], deselected: ["x"])])
    #expect(selection.deselect("y"))
    #expect(selection.isEmpty)
  }

  @Test func multipleSelectionKeepsTheOrderOfSelection() throws {
    let observed = Observed(Selection(of: Self.source("a: x y | b: z"), mode: .multiple))
    let selection = observed.selection
    #expect(selection.select(["z", "x"]))
    #expect(selection.select(at: Self.path(0, 1)))
    #expect(selection.ids == ["z", "x", "y"])
    #expect(selection.paths == [Self.path(0, 0), Self.path(0, 1), Self.path(1, 0)])
    #expect(try selection.items.map(\.id) == ["x", "y", "z"])
    #expect(observed.changes == [Change(selected: ["z", "x"]), Change(selected: ["y"])])
    #expect(selection.count == 3)
  }

  @Test func modeNoneSelectsNothing() {
    let observed = Observed(Selection(of: Self.source("a: x"), mode: .none))
    #expect(!observed.selection.select("x"))
    #expect(!observed.selection.toggle("x"))
    #expect(!observed.selection.selectAll())
    #expect(observed.changes == [])
  }

  @Test func belowTheMinimumNothingIsDeselected() {
    let observed = Observed(Selection(of: Self.source("a: x y z"), mode: .range(2...3)))
    let selection = observed.selection
    #expect(selection.select("x"))
    #expect(!selection.deselect("x"), "a minimum that was not reached yet holds, too")
    #expect(selection.select(["y", "z"]))
    _ = observed.changes
    #expect(selection.deselect("y"))
    #expect(!selection.deselect(["x", "z"]))
    #expect(selection.toggle("z"))
    #expect(selection.ids == ["x", "z"])
    #expect(observed.changes == [Change(deselected: ["y"])])
  }

  @Test func beyondTheMaximumTheOldestSelectionGoes() {
    let observed = Observed(Selection(of: Self.source("a: v w x y z"), mode: .range(1...2)))
    let selection = observed.selection
    selection.select(["x", "y"])
    selection.select("x")
    _ = observed.changes
    #expect(selection.select("z"), "selecting again does not make a selection younger")
    #expect(selection.ids == ["y", "z"])
    #expect(observed.changes == [Change(selected: ["z"], deselected: ["x"])])
    #expect(!selection.select(["v", "w", "x"]))
    #expect(selection.ids == ["w", "x"])
    #expect(observed.changes == [Change(selected: ["w", "x"], deselected: ["y", "z"])])
  }

  @Test func itemThatWasTakenBackAndSelectedAgainIsTheYoungest() {
    let selection = Selection(of: Self.source("a: x y z"), mode: .range(0...2))
    selection.select(["x", "y"])
    selection.deselect("x")
    selection.select("x")
    selection.select("z")
    #expect(selection.ids == ["x", "z"])
  }

  @Test func rangeWithoutAMaximumHasNone() {
    let selection = Selection(of: Self.source("a: x y z"), mode: .range(1...))
    #expect(selection.selectAll())
    #expect(selection.deselect(["x", "y"]))
    #expect(!selection.deselect("z"))
  }

  @Test func toggleSelectsAndDeselects() {
    let selection = Selection(of: Self.source("a: x y"))
    #expect(selection.toggle("x"))
    #expect(selection.contains("x"))
    #expect(!selection.toggle("x"))
    #expect(selection.toggle(at: Self.path(0, 1)))
    #expect(selection.ids == ["y"])
    #expect(selection.deselect(at: Self.path(0, 1)))
    #expect(selection.isEmpty)
  }

  @Test func allAndNoneAreSelectedWhereTheModeAllowsIt() {
    let source = Self.source("a: x y | b: z")
    let many = Observed(Selection(of: source))
    #expect(many.selection.selectAll())
    #expect(many.selection.ids == ["x", "y", "z"])
    #expect(many.selection.selectNone())
    #expect(
      many.changes == [
        Change(selected: ["x", "y", "z"]), Change(deselected: ["x", "y", "z"]),
      ])
    let few = Selection(of: source, mode: .range(1...2))
    #expect(!few.selectAll())
    #expect(few.isEmpty)
    few.select(["x", "y"])
    #expect(!few.selectNone())
    #expect(few.ids == ["x", "y"])
  }

  @Test func whatTheSourceDoesNotContainIsNotSelected() {
    let observed = Observed(Selection(of: Self.source("a: x")))
    let selection = observed.selection
    #expect(!selection.select("nobody"))
    for path in [Self.path(0, 1), Self.path(1, 0), Self.path(-1, 0), Self.path(0, -1)] {
      #expect(!selection.select(at: path))
      #expect(!selection.toggle(at: path))
      #expect(!selection.deselect(at: path))
    }
    #expect(!selection.toggle("nobody"))
    #expect(selection.deselect("nobody"))
    #expect(observed.changes == [])
  }

  // MARK: - Sections

  @Test func eachSectionHasItsOwnLimits() {
    let selection = Selection(of: Self.source("one: a b | two: x y z")) { identity in
      identity == "one" ? .range(1...1) : .range(0...2)
    }
    selection.select(["a", "x", "y"])
    selection.select("z")
    #expect(selection.ids == ["a", "y", "z"])
    selection.select("b")
    #expect(selection.ids == ["y", "z", "b"])
    #expect(!selection.deselect("b"))
    #expect(selection.deselect(["y", "z"]))
    #expect(!selection.selectAll())
    #expect(selection.ids == ["b"], "neither section allows all of its items")
    selection.select("x")
    #expect(!selection.selectNone())
    #expect(selection.ids == ["b"])
  }

  @Test func itemThatMovesIntoAFullSectionStaysSelected() throws {
    let source = Self.source("one: a b | two: x y")
    let observed = Observed(Selection(of: source) { $0 == "one" ? .single : .multiple })
    let selection = observed.selection
    selection.select(["a", "x"])
    try source.replace(with: Self.foods("one: a b x | two: y"))
    #expect(selection.ids == ["a", "x"])
    selection.select("b")
    #expect(selection.ids == ["b"])
    #expect(observed.changes.last == Change(selected: ["b"], deselected: ["a", "x"]))
  }

  // MARK: - Following the source

  @Test func selectionSurvivesMovesUpdatesAndReloads() throws {
    let source = Self.source("a: x y | b: z")
    let observed = Observed(Selection(of: source))
    let selection = observed.selection
    selection.select(["z", "x"])
    _ = observed.changes
    try source.replace(with: Self.foods("b: z=2 w x | c: y"))
    source.load()
    source.cancel()
    source.load()
    #expect(selection.ids == ["z", "x"])
    #expect(selection.paths == [Self.path(0, 0), Self.path(0, 2)])
    #expect(try selection.items.map(\.grade) == [2, 0])
    #expect(observed.changes == [])
  }

  @Test func itemsThatAreGoneLeaveTheSelectionAlsoBelowTheMinimum() throws {
    let source = Self.source("a: x y z")
    let observed = Observed(Selection(of: source, mode: .range(2...3)))
    let selection = observed.selection
    selection.select(["z", "y", "x"])
    _ = observed.changes
    try source.replace(with: Self.foods("a: y"))
    #expect(selection.ids == ["y"])
    #expect(observed.changes == [Change(deselected: ["z", "x"], cause: .itemsGone)])
    try source.replace(with: Self.foods("a: x y z"))
    #expect(selection.ids == ["y"], "coming back does not select")
  }

  @Test func whatChangedWhileTheSourceWasCancelledIsNoticedWithTheNextLoad() throws {
    let source = Self.source("a: x y")
    let observed = Observed(Selection(of: source))
    observed.selection.select(["x", "y"])
    source.cancel()
    try source.replace(with: Self.foods("a: y"))
    #expect(observed.selection.ids == ["x", "y"])
    source.load()
    #expect(observed.selection.ids == ["y"])
    #expect(observed.changes.last == Change(deselected: ["x"], cause: .itemsGone))
  }

  @Test func changesOfWhichNoEventCameAreNoticedWithTheNextEvent() throws {
    let source = MuteSource(["x", "y", "z"])
    let selection = Selection<String, String>(of: source)
    #expect(selection.select(["x", "y", "z"]))
    source.changeSilently(["y", "z"])
    #expect(selection.ids == ["x", "y", "z"])
    source.send(.didFinishLoading)
    #expect(selection.ids == ["y", "z"])
    source.changeSilently(["y"])
    source.send(.didFail(NoNetwork()))
    #expect(selection.ids == ["y"])
    source.changeSilently([])
    source.send(.willLoad)
    let version = source.version
    source.send(
      .didPartiallyLoad(Changeset(sourceVersion: version, targetVersion: version + 1)))
    #expect(selection.ids == [])
  }

  @Test func deleteOfAnEarlierVersionDoesNotConcernWhatWasSelectedLater() {
    let source = MuteSource(["x"])
    let selection = Selection<String, String>(of: source)
    let version = source.version
    source.changeSilently([])
    source.changeSilently(["x"])
    selection.select("x")
    source.send(
      .didPartiallyLoad(
        Changeset(
          sourceVersion: version, targetVersion: version + 1,
          deletes: [ItemDelete(path: Self.path(0, 0), id: "x")])))
    #expect(selection.ids == ["x"])
  }

  // MARK: - Being told

  @Test func handlerMaySelectAndChangeTheSource() throws {
    let source = Self.source("a: x y z")
    let selection = Selection(of: source)
    let heard = Mutex<[Change]>([])
    let token = selection.observe { [weak selection] change in
      heard.withLock { $0.append(change) }
      if change.selected == ["x"] {
        selection?.select("y")
        try? source.remove(at: Self.path(0, 0))
      }
    }
    selection.select("x")
    #expect(selection.ids == ["y"])
    #expect(
      heard.withLock { $0 } == [
        Change(selected: ["x"]), Change(selected: ["y"]),
        Change(deselected: ["x"], cause: .itemsGone),
      ])
    token.cancel()
    selection.select("z")
    #expect(heard.withLock { $0.count } == 3)
  }

  @Test func releasedSelectionHearsNothingMore() throws {
    let source = Self.source("a: x")
    weak var released: Selection<String, Food>?
    do {
      let selection = Selection(of: source)
      selection.select("x")
      released = selection
    }
    #expect(released == nil)
    try source.replace(with: [])
    #expect(source.numberOfItems == 0)
  }

  @Test func changesFromManyThreadsAreToldInOrderAndLoseNothing() async throws {
    let source = Self.source("a:")
    let selection = Selection(of: source)
    let replayed = Mutex<(ids: [String], violations: [String])>(([], []))
    let token = selection.observe { change in
      replayed.withLock { replayed in
        for id in change.deselected where !replayed.ids.contains(id) {
          replayed.violations.append("\(id) is deselected, but was not selected")
        }
        replayed.ids.removeAll { change.deselected.contains($0) }
        replayed.violations += change.selected.filter(replayed.ids.contains)
        replayed.ids += change.selected
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          var random = SeededRandom(seed: UInt64(worker))
          for _ in 0..<200 {
            let id = "\(Int.random(in: 0..<12, using: &random))"
            switch Int.random(in: 0..<3, using: &random) {
            case 0: selection.toggle(id)
            case 1: selection.select([id, "1", "2"])
            default:
              let kept = (0..<12).filter { _ in random.chance(0.7) }.map { Food(id: "\($0)") }
              try? source.replace(with: kept)
            }
          }
        }
      }
    }
    let (ids, violations) = replayed.withLock { $0 }
    #expect(violations == [])
    #expect(ids == selection.ids)
    #expect(ids.allSatisfy { source.path(of: $0) != nil })
    token.cancel()
  }
}

private struct NoNetwork: Error {}

/// A source that changes without a word, and says what it is told to.
private final class MuteSource: DataSource {
  typealias ItemID = String
  typealias Item = String

  let name = "mute"
  let events = DataSourceEvents<String, String>()
  private let state = Mutex(
    (contents: SectionedContents<String, String>(), handler: Handler?.none))
  private typealias Handler = @Sendable (DataSourceEvent<String, String>) -> Void

  init(_ ids: [String]) {
    changeSilently(ids)
  }

  func changeSilently(_ ids: [String]) {
    state.withLock { state in
      state.contents.version += 1
      state.contents.sections = [
        .init(
          header: SourceSection(identity: .null, title: ""),
          rows: ids.map { .init(id: $0, item: $0) })
      ]
    }
  }

  func send(_ event: DataSourceEvent<String, String>) {
    state.withLock { $0.handler }?(event)
  }

  var snapshot: ContentsSnapshot<String, String> {
    ContentsSnapshot(state.withLock { $0.contents })
  }

  func load() {}
  func cancel() {}
  func observe(
    on delivery: CallbackDelivery,
    _ handler: @escaping @Sendable (DataSourceEvent<String, String>) -> Void
  ) -> DataSourceObservation {
    state.withLock { $0.handler = handler }
    return DataSourceObservation {}
  }
}
