import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Synchronization
import Testing

/// A selection needs nothing but identities and snapshots, so it works on what sources are composed
/// to.
@Suite(.timeLimit(.minutes(60))) struct SelectionCompositionTests {
  typealias Dish = Menu.Dish

  @Test func selectionSpansTheSourcesOfAComposition() throws {
    let (soups, sides) = (Menu.source("soups: miso pho"), Menu.source("sides: rice miso"))
    let list = soups.concatenated(with: sides)
    list.load()
    let selection = Selection(of: list, mode: .range(1...2))
    let (first, second) = (AnyItemID("miso", ofSource: 0), AnyItemID("miso", ofSource: 1))
    selection.select([first, second])
    #expect(selection.paths == [Menu.path(0, 0), Menu.path(1, 1)])
    try sides.replace(with: Menu.dishes("sides: miso"))
    #expect(selection.paths == [Menu.path(0, 0), Menu.path(1, 0)])
    selection.select(at: Menu.path(0, 1))
    #expect(selection.ids == [second, AnyItemID("pho", ofSource: 0)])
    try sides.replace(with: [])
    #expect(selection.ids == [AnyItemID("pho", ofSource: 0)])
    #expect(try selection.items.map(\.id) == ["pho"])
  }

  @Test func itemThatIsFilteredOutLeavesTheSelectionOfTheFilterOnly() throws {
    let source = Menu.source("a: x y z")
    let plain = source.filter { $0.note.isEmpty }
    plain.load()
    let (whole, part) = (Selection(of: source), Selection(of: plain))
    whole.selectAll()
    part.selectAll()
    try source.replace(with: Menu.dishes("a: x y=sold z"))
    #expect(whole.ids == ["x", "y", "z"])
    #expect(part.ids == ["x", "z"])
  }

  /// Random changes below three levels of composition: what is selected is always there, and what
  /// was told adds up to it.
  @Test(arguments: 0..<40) func selectionOfACompositionFollowsRandomChanges(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let sources = [Menu.source("a: 1 2"), Menu.source("b: 3")]
    let list = sources[0].filter { $0.note != "!" }.reversed()
      .concatenated(with: sources[1].sorted { $0.id < $1.id })
    list.load()
    let selection = Selection(of: list, mode: .range(1...4))
    let told = Mutex<[AnyItemID]>([])
    let token = selection.observe { change in
      told.withLock { told in
        told.removeAll { change.deselected.contains($0) }
        told += change.selected
      }
    }
    let presenter = CellPresenter<Dish, String> { dish, _ in dish.id + dish.note }
    let screen = ListViewSimulator<AnyItemID, String>()
    let adapter = Adapter(source: list, presenter: presenter, target: screen)
    for _ in 0..<30 {
      if random.chance(0.5) {
        let dishes = (0..<8).filter { _ in random.chance(0.7) }.map {
          Dish(id: "\($0)", kind: "\($0 % 3)", note: random.chance(0.3) ? "!" : "")
        }
        try sources[Int.random(in: 0...1, using: &random)].replace(
          with: dishes.shuffled(using: &random))
      } else if list.numberOfItems > 0 {
        let rank = Int.random(in: 0..<list.numberOfItems, using: &random)
        selection.toggle(at: list.snapshot.path(atRank: rank))
      }
      #expect(selection.ids.allSatisfy { list.path(of: $0) != nil }, "\(random)")
      #expect(selection.ids == told.withLock { $0 }, "\(random)")
      #expect(selection.count <= 4)
    }
    #expect(screen.violations == [], "\(random)")
    #expect(screen.contents.sections == (try adapter.contents.materialized().sections))
    token.cancel()
  }
}
