import Dispatch
import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct AdapterTests {
  typealias Target = RecordingTarget<String>

  @Test func targetShowsTheContentsThenTheChanges() throws {
    let source = Menu.source("a: x y | b: z")
    let target = Target()
    let adapter = Adapter(source: source, presenter: Menu.presenter, target: target)
    #expect(target.calls == ["reload 1"])
    #expect(target.contents.sections.map(\.header.title) == ["a", "b"])
    try source.replace(with: Menu.dishes("a: y=hot | b: z x"))
    #expect(target.calls == ["update 2: move a/0 → b/1 *, update a/1 → a/0"])
    #expect(target.contents[Menu.path(0, 0)].item == "y (hot)")
    #expect(adapter.contents.version == 2)
  }

  @Test func sourceThatIsLoadedLaterIsShownThen() throws {
    let source = Menu.Source(name: "menu", items: Menu.dishes("a: x"))
    let target = Target()
    let adapter = Adapter(source: source, presenter: Menu.presenter, target: target)
    source.load()
    #expect(target.calls == ["reload 1", "update 2: insert section NULL, insert NULL/0"])
    withExtendedLifetime(adapter) {}
  }

  /// An item that is left out may change what all items come to, and nothing else.
  @Test func targetHearsOfTheAggregatesOfAllItemsAlone() throws {
    let source = Menu.source("a: x y=cold")
    let list = source.aggregating(.count()).filter { $0.note.isEmpty }.flattened()
    list.load()
    let target = Target()
    let adapter = Adapter(source: list, presenter: Menu.presenter, target: target)
    #expect(target.calls == ["reload 1"])
    #expect(target.contents.aggregates == ["count": 2])
    try source.append(Menu.Dish(id: "z", kind: "a", note: "cold"))
    #expect(target.calls == ["update 2: update contents count 2→3"])
    #expect(target.contents.aggregates == ["count": 3])
    #expect(adapter.contents.aggregates == ["count": 3])
  }

  @Test func replacingTheSourceShowsTheOtherOne() throws {
    let first = Menu.source("a: x")
    let second = Menu.source("b: y")
    let target = Target()
    let adapter = Adapter(source: first, presenter: Menu.presenter, target: target)
    adapter.source = second
    #expect(adapter.source === second)
    #expect(target.calls == ["reload 1", "reload 2"])
    try first.replace(with: Menu.dishes("a: x z"))
    #expect(target.calls == [], "the former source is not shown any more")
    try second.replace(with: Menu.dishes("b: y z"))
    #expect(target.calls == ["update 3: insert b/1"])
  }

  @Test func replacingTheSourceTellsTheExactDifference() throws {
    let target = Target()
    let adapter = Adapter(
      source: Menu.source("a: x y | b: z"), presenter: Menu.presenter, target: target)
    _ = target.calls
    let second = Menu.source("a: y | c: w z")
    adapter.replaceSource(with: second, isEqual: ==)
    #expect(
      target.calls == [
        "update 2: delete section b, insert section c, delete a/0, insert c/0, move b/0 → c/1 *"
      ])
    adapter.replaceSource(with: Menu.source("a: y | c: w z"), isEqual: ==)
    #expect(target.calls == [], "nothing changed")
    try second.replace(with: [])
    #expect(target.calls == [])
    #expect(target.contents == (try adapter.contents.materialized()))
  }

  @Test func replacingThePresenterShowsEverythingAnew() {
    let target = Target()
    let adapter = Adapter(
      source: Menu.source("a: x y"), presenter: Menu.presenter, target: target)
    adapter.presenter = CellPresenter<Menu.Dish, String> { dish, _ in dish.id.uppercased() }
    #expect(target.calls == ["reload 1", "reload 2"])
    #expect(target.contents.sections[0].rows.map(\.item) == ["X", "Y"])
  }

  @Test func replacingTheTargetShowsEverythingToTheOther() throws {
    let source = Menu.source("a: x")
    let (first, second) = (Target(), Target())
    let adapter = Adapter(source: source, presenter: Menu.presenter, target: first)
    adapter.target = second
    try source.replace(with: [])
    #expect(first.calls == ["reload 1"])
    #expect(second.calls == ["reload 2", "update 3: delete section a, delete a/0"])
    adapter.target = nil
    #expect(adapter.target == nil)
    try source.replace(with: Menu.dishes("a: y"))
    adapter.target = first
    #expect(first.calls == ["reload 6"])
    #expect(first.contents[Menu.path(0, 0)].item == "y")
  }

  @Test func refreshMakesCellsAnew() throws {
    let marked = Mutex<Set<String>>([])
    let presenter = CellPresenter<Menu.Dish, String> { dish, _ in
      marked.withLock { $0.contains(dish.id) } ? "* \(dish.id)" : dish.id
    }
    let target = Target()
    let adapter = Adapter(source: Menu.source("a: x y z"), presenter: presenter, target: target)
    marked.withLock { $0 = ["y", "z"] }
    adapter.refresh(["z", "y", "y", "nobody"])
    #expect(target.calls == ["reload 1", "update 2: update a/1, update a/2"])
    #expect(target.contents.sections[0].rows.map(\.item) == ["x", "* y", "* z"])
    adapter.refresh(["nobody"])
    #expect(target.calls == [])
    adapter.reload()
    #expect(target.calls == ["reload 3"])
  }

  @Test func cellsAreMadeOnlyWhenAskedFor() throws {
    let made = Counter()
    let presenter = CellPresenter<Menu.Dish, String> { dish, _ in
      made.add()
      return dish.id
    }
    let lazy = LazyTarget()
    let source = Menu.source("a: x y z")
    let adapter = Adapter(source: source, presenter: presenter, target: lazy)
    try source.replace(with: Menu.dishes("a: x z=new w"))
    #expect(made.count == 0)
    #expect(try adapter.contents.item(at: Menu.path(0, 1)) == "z")
    #expect(made.count == 1)
    #expect(lazy.calls.count == 2)
  }

  // MARK: - Errors

  @Test func failureOfTheSourceReachesTheTarget() {
    let source = Menu.Source(name: "menu", items: [Menu.Dish(id: "x"), Menu.Dish(id: "x")])
    let target = Target()
    let adapter = Adapter(source: source, presenter: Menu.presenter, target: target)
    source.load()
    let calls = target.calls
    #expect(calls.count == 2)
    #expect(calls.last?.hasPrefix("failure Two items have one id.") == true)
    withExtendedLifetime(adapter) {}
  }

  @Test func targetThatThrowsIsToldAndShowsEverythingAnewNextTime() throws {
    let source = Menu.source("a: x")
    let target = Target()
    let adapter = Adapter(source: source, presenter: Menu.presenter, target: target)
    target.fail(with: Refusal())
    try source.replace(with: Menu.dishes("a: x y"))
    #expect(target.calls == ["reload 1", "failure refused"])
    try source.replace(with: Menu.dishes("a: x y z"))
    #expect(target.calls == ["reload 3"])
    try source.replace(with: Menu.dishes("a: z"))
    #expect(target.calls == ["update 4: delete a/0, delete a/1"])
    withExtendedLifetime(adapter) {}
  }

  @Test func cellOfAnUnknownKindIsAFailureUntilItIsKnown() throws {
    var presenter = CellPresenter<Menu.Dish, String>.choosingKind { dish, _ in CellKind(dish.note) }
    presenter.register("plain") { dish, _ in dish.id }
    let source = Menu.source("a: x=plain")
    let target = Target()
    let adapter = Adapter(source: source, presenter: presenter, target: target)
    try source.replace(with: Menu.dishes("a: x=plain y=fancy"))
    let calls = target.calls
    #expect(calls.first == "reload 1")
    #expect(calls.last?.contains("kind “fancy”, which is unknown") == true)
    presenter.register("fancy") { dish, _ in "~\(dish.id)~" }
    adapter.presenter = presenter
    #expect(target.contents.sections[0].rows.map(\.item) == ["x", "~y~"])
  }

  // MARK: - Selecting

  @Test func selectingTellsTheItemItsSourceAndItsPath() throws {
    let source = Menu.source("a: x | b: y z")
    let adapter = Adapter<String, Menu.Dish, String>(source: source, presenter: Menu.presenter)
    let heard = Mutex<[String]>([])
    adapter.onSelect = { [weak source] dish, origin, path in
      let isOrigin = origin.source === source && origin.path == path
      heard.withLock { $0.append("\(dish.id) \(path) \(isOrigin)") }
    }
    #expect(try adapter.select(at: Menu.path(1, 1)))
    #expect(try !adapter.select(at: Menu.path(1, 2)))
    #expect(try !adapter.select(at: Menu.path(-1, 0)))
    #expect(heard.withLock { $0 } == ["z [1,1] true"])
  }

  @Test func selectingFindsTheItemWhereItIsByNow() throws {
    let source = Menu.source("a: x y")
    let jobs = Mutex<[@Sendable () -> Void]>([])
    let adapter = Adapter(
      source: source, presenter: Menu.presenter, target: Target(),
      delivery: CallbackDelivery { job in jobs.withLock { $0.append(job) } })
    func deliver() {
      let waiting = jobs.withLock { jobs in
        defer { jobs = [] }
        return jobs
      }
      for job in waiting { job() }
    }
    let heard = Mutex<[String]>([])
    adapter.onSelect = { dish, _, path in heard.withLock { $0.append("\(dish.id) \(path)") } }
    deliver()
    try source.replace(with: Menu.dishes("a: w v y"))
    #expect(try adapter.select(at: Menu.path(0, 1)))
    #expect(try !adapter.select(at: Menu.path(0, 0)), "x is gone")
    #expect(heard.withLock { $0 } == ["y [0,2]"])
    deliver()
    #expect(try adapter.select(at: Menu.path(0, 0)))
    #expect(heard.withLock { $0.last } == "w [0,0]")
  }

  // MARK: - Lifetimes and threads

  @Test func releasedAdapterShowsNothingMore() throws {
    let source = Menu.source("a: x")
    let target = Target()
    do {
      let adapter = Adapter(source: source, presenter: Menu.presenter, target: target)
      withExtendedLifetime(adapter) {}
    }
    try source.replace(with: [])
    #expect(target.calls == ["reload 1"])
  }

  @Test func targetMayChangeTheSourceAndTheAdapter() throws {
    let source = Menu.source("a: x")
    let target = Target()
    let adapter = Adapter(source: source, presenter: Menu.presenter, target: target)
    let meddler = Meddler { [weak adapter] version in
      if version == 3 {
        try? source.replace(with: Menu.dishes("a: x y z"))
        adapter?.presenter = Menu.presenter
      }
    }
    adapter.target = meddler
    try source.replace(with: Menu.dishes("a: x y"))
    #expect(meddler.versions == [2, 3, 4, 5])
    #expect(adapter.contents.numberOfItems == 3)
  }

  /// The source, the source's contents, the presenter and marks change on four threads; a strict
  /// list view accepts whatever comes, and shows what is there at the end.
  @Test func strictListShowsWhatIsThereAfterChangesFromManyThreads() async throws {
    for delivery in [
      CallbackDelivery.immediate,
      CallbackDelivery { job in DispatchQueue.global().async { job() } },
    ] {
      let sources = [Menu.source("a: 1 2 3 | b: 4"), Menu.source("b: 4 5 | a: 1")]
      let list = ListViewSimulator<String, String>()
      let adapter = Adapter(
        source: sources[0], presenter: Menu.presenter, target: list, delivery: delivery)
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<4 {
          group.addTask {
            var random = SeededRandom(seed: UInt64(worker))
            for _ in 0..<100 {
              let dishes = (0..<9).filter { _ in random.chance(0.6) }.map {
                Menu.Dish(id: "\($0)", kind: ["a", "b", "c"].randomElement(using: &random) ?? "a")
              }
              switch worker {
              case 0, 1: try? sources[worker].replace(with: dishes.shuffled(using: &random))
              case 2: adapter.refresh(["1", "4"])
              default:
                adapter.replaceSource(
                  with: sources[Int.random(in: 0...1, using: &random)], isEqual: ==)
              }
            }
          }
        }
      }
      let shown = Mutex<Bool>(false)
      // The last call is made behind all others.
      await withCheckedContinuation { continuation in
        adapter.target = Last(list) {
          if shown.withLock({ shown in
            defer { shown = true }
            return !shown
          }) {
            continuation.resume()
          }
        }
      }
      #expect(list.violations == [])
      #expect(list.contents.sections == (try adapter.contents.materialized().sections))
      #expect(list.contents.sections.map(\.header) == Array(adapter.source.sections))
    }
  }
}

/// Never looks at a cell.
private final class LazyTarget: PresentationTarget {
  private let heard = Mutex<[Int]>([])
  var calls: [Int] { heard.withLock { $0 } }

  func reload(_ contents: any PresentedContents<String, String>) {
    heard.withLock { $0.append(contents.numberOfItems) }
  }

  func update(_ update: PresentationUpdate<String, String>) {
    heard.withLock { $0.append(update.changes.inserts.count) }
  }
}

/// Calls a closure from inside of each call.
private final class Meddler: PresentationTarget {
  private let heard = Mutex<[Int]>([])
  private let meddle: @Sendable (Int) -> Void
  var versions: [Int] { heard.withLock { $0 } }

  init(meddle: @escaping @Sendable (Int) -> Void) {
    self.meddle = meddle
  }

  func reload(_ contents: any PresentedContents<String, String>) {
    heard.withLock { $0.append(contents.version) }
    meddle(contents.version)
  }

  func update(_ update: PresentationUpdate<String, String>) {
    heard.withLock { $0.append(update.changes.targetVersion) }
    meddle(update.changes.targetVersion)
  }
}

/// Hands the first call on to a list, then tells.
private final class Last: PresentationTarget {
  private let list: ListViewSimulator<String, String>
  private let tell: @Sendable () -> Void

  init(_ list: ListViewSimulator<String, String>, tell: @escaping @Sendable () -> Void) {
    self.list = list
    self.tell = tell
  }

  func reload(_ contents: any PresentedContents<String, String>) throws {
    try list.reload(contents)
    tell()
  }

  func update(_ update: PresentationUpdate<String, String>) {}
}
