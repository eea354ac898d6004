import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Synchronization
import Testing

/// The adapter pattern's sectioned source: whatever is asked of it, the section's source answers.
@Suite(.timeLimit(.minutes(60))) struct AdapterPatternForwardingTests {
  typealias Dish = Menu.Dish

  /// Three sources: fetched with a policy, fetched without one, and one to edit with a policy.
  struct World {
    let soups = SoupSource()
    let drinks = FetchedDataSource(
      name: "drinks",
      fetcher: ClosureFetcher<Dish> { try await $0(Menu.dishes("drinks: hidden tea juice")) })
    let mains = StrictSource(Menu.source("mains: curry tofu udon"))

    func load<ID: Hashable & Sendable>(
      _ list: ComposedDataSource<ID, Dish>
    ) async throws -> ComposedDataSource<ID, Dish> {
      let recorder = ChangeRecorder<ID, Dish>()
      list.delegate = recorder
      list.load()
      #expect(await recorder.waitForEnds(1))
      #expect(recorder.errors.isEmpty)
      try recorder.check(against: list)
      return list
    }

    /// The three, one after the other or in a section each.
    func list(perSource: Bool) async throws -> AnyDataSource<Dish> {
      let sources = [AnyDataSource(soups), AnyDataSource(drinks), AnyDataSource(mains)]
      return try await load(perSource ? .sectionPerSource(sources) : .concatenating(sources))
    }
  }

  /// Edits a list, and waits until it shows that.
  ///
  /// The thread that loaded it may still be at the callbacks: then it is the one that delivers.
  private func edit(_ list: AnyDataSource<Dish>, _ body: () throws -> Void) async throws {
    let recorder = ChangeRecorder<AnyItemID, Dish>()
    list.delegate = recorder
    try body()
    #expect(await recorder.waitForEnds(1))
  }

  @Test(arguments: [false, true])
  func eachSectionIsFetchedByItsOwnFetcher(perSource: Bool) async throws {
    let list = try await World().list(perSource: perSource)
    #expect((0..<3).map { list.numberOfItems(in: $0) } == [2, 3, 3])
    #expect(try list[0, 1].id == "pho")
    #expect(try list[1, 1].id == "tea")
    #expect(try list[2, 1].id == "tofu")
  }

  @Test(arguments: [false, true])
  func whatAnItemAllowsIsAskedOfTheSectionsSource(perSource: Bool) async throws {
    let list = try await World().list(perSource: perSource)
    #expect(list.canEdit(at: Menu.path(0, 0)))
    #expect(!list.canEdit(at: Menu.path(0, 1)))
    #expect(list.editingKind(at: Menu.path(0, 0)) == .insert)
    #expect(!list.canEdit(at: Menu.path(1, 0)))
    #expect(list.editingKind(at: Menu.path(1, 0)) == .none)
    #expect(!list.canEdit(at: Menu.path(2, 0)))
    #expect(list.canEdit(at: Menu.path(2, 1)))
    #expect(list.canMove(at: Menu.path(2, 1)))
    #expect(list.editingKind(at: Menu.path(2, 1)) == .delete)
  }

  @Test(arguments: [false, true])
  func editingReachesTheSectionsSource(perSource: Bool) async throws {
    let world = World()
    let list = try await world.list(perSource: perSource)
    try await edit(list) {
      try list.insertItem(Dish(id: "ramen", kind: "mains"), at: Menu.path(2, 1))
    }
    #expect(world.mains.base.path(of: "ramen") == Menu.path(0, 1))
    #expect(try list[2, 1].id == "ramen")
    try await edit(list) { try list.moveItem(from: Menu.path(2, 3), to: Menu.path(2, 1)) }
    #expect(world.mains.base.path(of: "udon") == Menu.path(0, 1))
    #expect(throws: DataSourceError.self) { try list.removeItem(at: Menu.path(0, 0)) }
    #expect(list.numberOfItems == 9)
  }

  @Test(arguments: [false, true])
  func sectionsSourceSaysWhereAMoveMayLand(perSource: Bool) async throws {
    let world = World()
    let list = try await world.list(perSource: perSource)
    let move = try #require(list.relocation(from: Menu.path(2, 2), to: Menu.path(2, 0)))
    #expect(move.source === world.mains)
    #expect(move.from == Menu.path(0, 2))
    #expect(move.to == Menu.path(0, 1), "the first place is taken")
    #expect(!move.isAsProposed)
    try await edit(list) { try move.perform() }
    #expect(try list[2, 1].id == "udon")
    #expect(list.relocation(from: Menu.path(1, 0), to: Menu.path(1, 1)) == nil)
    #expect(list.relocation(from: Menu.path(2, 1), to: Menu.path(0, 0)) == nil)
  }

  @Test func didSelectTellsTheSectionsSourceAndThePathThere() async throws {
    let world = World()
    let whole = try await world.load(
      world.mains.concatenated(
        with: ComposedDataSource.sectionPerSource([
          AnyDataSource(world.soups), AnyDataSource(world.drinks),
        ])
      ).filter { $0.id != "hidden" })
    let adapter = Adapter<AnyItemID, Dish, String>(source: whole, presenter: Menu.presenter)
    let chosen = Mutex<[(id: String, origin: ItemOrigin, path: ItemPath)]>([])
    adapter.onSelect = { dish, origin, path in
      chosen.withLock { $0.append((dish.id, origin, path)) }
    }
    for path in [Menu.path(0, 2), Menu.path(1, 1), Menu.path(2, 0)] {
      #expect(try adapter.select(at: path))
    }
    let answers = chosen.withLock { $0 }
    try #require(answers.count == 3)
    #expect(answers.map(\.id) == ["udon", "pho", "tea"])
    #expect(answers.map(\.path) == [Menu.path(0, 2), Menu.path(1, 1), Menu.path(2, 0)])
    #expect(
      answers.map(\.origin.path) == [Menu.path(0, 2), Menu.path(0, 1), Menu.path(0, 1)])
    #expect(answers[0].origin.source === world.mains)
    #expect(answers[1].origin.source === world.soups)
    #expect(answers[2].origin.source === world.drinks, "behind the one that is filtered out")
  }

  @Test func headersAndFootersComeFromClosures() async throws {
    let world = World()
    let sources = [AnyDataSource(world.soups), AnyDataSource(world.mains)]
    let list = try await world.load(
      AnyDataSource<Dish>.sectionPerSource(sources).mapSections { section in
        SourceSection(
          identity: section.identity, title: section.title.uppercased(),
          indexTitle: String(section.title.prefix(1)), footer: "end of \(section.title)")
      })
    #expect(list.sections.map(\.title) == ["SOUPS", "MENU"])
    #expect(list.sections.map(\.indexTitle) == ["s", "m"])
    #expect(list.sections.map(\.footer) == ["end of soups", "end of menu"])
  }
}

/// A fetched source that says what its items allow: something can be put before the first one.
final class SoupSource: DataSource, ItemPolicy {
  typealias Base = FetchedDataSource<ClosureFetcher<Menu.Dish>>

  let base = Base(
    name: "soups", fetcher: ClosureFetcher { try await $0(Menu.dishes("soups: miso pho")) })

  var name: String { base.name }
  var snapshot: Base.Snapshot { base.snapshot }
  func load() { base.load() }
  func cancel() { base.cancel() }
  var events: DataSourceEvents<String, Menu.Dish> { base.events }

  func canEditItem(at path: ItemPath) -> Bool { path == Menu.path(0, 0) }
  func editingKindOfItem(at path: ItemPath) -> EditingKind { .insert }
}
