import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct DataSourceEditingTests {
  typealias Food = ArrayDataSourceTests.Food
  typealias Source = ArrayDataSource<Food>

  /// A source that shows items of others, in one section, as texts: as little as a composition can
  /// be.
  final class Shown: DataSource {
    typealias ItemID = Int
    typealias Item = String

    let name = "shown"
    let origins: [ItemOrigin]
    let events = DataSourceEvents<Int, String>()

    init(_ origins: [ItemOrigin]) {
      self.origins = origins
    }

    var snapshot: ContentsSnapshot<Int, String> {
      let rows = origins.indices.map { SectionedContents.Row(id: $0, item: "text \($0)") }
      let header = SourceSection(identity: .null, title: "")
      return ContentsSnapshot(
        SectionedContents(version: 1, sections: [.init(header: header, rows: rows)]))
    }
    func origin(at path: ItemPath) -> ItemOrigin { origins[path.item] }
    func load() {}
  }

  static func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }

  static func array(_ ids: String) -> Source {
    let source = Source(name: ids, items: ids.split(separator: " ").map { Food(id: String($0)) })
    source.load()
    return source
  }

  /// Shows items of sources by their offsets.
  static func shown(_ items: (source: any DataSource, offset: Int)...) -> Shown {
    Shown(items.map { ItemOrigin(source: $0.source, path: path($0.offset)) })
  }

  static func ids(_ source: Source) -> String {
    source.snapshot.contents.sections.flatMap { $0.rows.map(\.id) }.joined(separator: " ")
  }

  static func code(_ body: () throws -> Void) -> DataSourceError.Code? {
    #expect(throws: DataSourceError.self, performing: body)?.code
  }

  // MARK: - Reaching the item's own source

  @Test func removingReachesTheItemsOwnSource() throws {
    let (fruit, veg) = (Self.array("apple pear"), Self.array("leek kale"))
    let list = Self.shown((fruit, 1), (veg, 0))
    #expect(list.canEdit(.removing, at: Self.path(0)))
    try list.removeItem(at: Self.path(0))
    try list.removeItem(at: Self.path(1))
    #expect(Self.ids(fruit) == "apple")
    #expect(Self.ids(veg) == "kale")
  }

  @Test func replacingTakesWhatTheItemsOwnSourceHolds() throws {
    let fruit = Self.array("apple pear")
    let list = Self.shown((fruit, 1))
    try list.replaceItem(at: Self.path(0), with: Food(id: "pear", grade: 4))
    #expect(try fruit.item(at: Self.path(1)).grade == 4)
    #expect(
      Self.code { try list.replaceItem(at: Self.path(0), with: "text") } == .itemTypeMismatch)
    #expect(Self.code { try list.insertItem(7, at: Self.path(0)) } == .itemTypeMismatch)
    #expect(fruit.version == 2)
  }

  @Test func insertingGoesToTheSourceOfTheNeighbour() throws {
    let (fruit, veg) = (Self.array("apple pear"), Self.array("leek kale"))
    let list = Self.shown((fruit, 1), (veg, 0))
    try list.insertItem(Food(id: "fig"), at: Self.path(0))
    try list.insertItem(Food(id: "okra"), at: Self.path(2))
    #expect(Self.ids(fruit) == "apple fig pear")
    #expect(Self.ids(veg) == "leek okra kale")
    let empty = Self.array("")
    try empty.insertItem(Food(id: "first"), at: Self.path(0))
    #expect(Self.ids(empty) == "first")
  }

  // MARK: - Moving

  @Test(arguments: [
    (from: 0, to: 2, ids: "b c a d"), (from: 0, to: 3, ids: "b c d a"),
    (from: 3, to: 0, ids: "d a b c"), (from: 2, to: 1, ids: "a c b d"),
    (from: 1, to: 1, ids: "a b c d"),
  ])
  func movingInAWholeSourceIsWhatTheSourceDoes(_ move: (from: Int, to: Int, ids: String)) throws {
    for isDirect in [true, false] {
      let source = Self.array("a b c d")
      let list: any DataSource =
        isDirect ? source : Self.shown((source, 0), (source, 1), (source, 2), (source, 3))
      try list.moveItem(from: Self.path(move.from), to: Self.path(move.to))
      #expect(Self.ids(source) == move.ids)
    }
  }

  @Test func movingLeavesHiddenItemsWhereTheyAre() throws {
    // Shown are a, c and e; b and d are not.
    let down = Self.array("a b c d e")
    try Self.shown((down, 0), (down, 2), (down, 4)).moveItem(from: Self.path(0), to: Self.path(1))
    #expect(Self.ids(down) == "b c a d e")
    let up = Self.array("a b c d e")
    try Self.shown((up, 0), (up, 2), (up, 4)).moveItem(from: Self.path(2), to: Self.path(1))
    #expect(Self.ids(up) == "a b e c d")
  }

  @Test func movingBesideAStrangerFollowsTheNeighbourOfTheSameSource() throws {
    let (fruit, banner) = (Self.array("a b c"), Self.array("!"))
    // a ! b c: b goes between a and the banner.
    let list = Self.shown((fruit, 0), (banner, 0), (fruit, 1), (fruit, 2))
    try list.moveItem(from: Self.path(3), to: Self.path(1))
    #expect(Self.ids(fruit) == "a c b")
  }

  @Test func movingToAnotherSourceIsRefused() {
    let (fruit, veg) = (Self.array("a b"), Self.array("y z"))
    let list = Self.shown((fruit, 0), (fruit, 1), (veg, 0), (veg, 1))
    #expect(
      Self.code { try list.moveItem(from: Self.path(0), to: Self.path(3)) } == .differentSources)
    #expect(Self.code { try list.moveItem(from: Self.path(0), to: Self.path(9)) } == .noSuchPath)
    #expect(Self.ids(fruit) == "a b")
  }

  // MARK: - What cannot be done

  @Test func sourceWithoutTheCapabilityIsNamed() {
    let fixed = FixedDataSource(name: "banner", items: [Food(id: "x"), Food(id: "y")])
    fixed.load()
    let list = Self.shown((fixed, 0), (fixed, 1))
    for capability in [EditingCapability.inserting, .removing, .moving, .replacing] {
      #expect(!list.canEdit(capability, at: Self.path(0)))
      let error = #expect(throws: DataSourceError.self) {
        switch capability {
        case .inserting: try list.insertItem(Food(id: "z"), at: Self.path(0))
        case .removing: try list.removeItem(at: Self.path(0))
        case .moving: try list.moveItem(from: Self.path(0), to: Self.path(1))
        default: try list.replaceItem(at: Self.path(0), with: Food(id: "x"))
        }
      }
      #expect(error?.code == .notSupported)
      #expect(error?.message == "The source “banner” does not support \(capability) items.")
    }
  }

  @Test func pathThatDoesNotExistIsRefused() {
    let source = Self.array("a")
    for path in [Self.path(1), Self.path(-1), ItemPath(section: 1, item: 0)] {
      #expect(!source.canEdit(.removing, at: path))
      #expect(Self.code { try source.removeItem(at: path) } == .noSuchPath)
      #expect(Self.code { try source.moveItem(from: path, to: Self.path(0)) } == .noSuchPath)
      #expect(Self.code { try source.replaceItem(at: path, with: Food(id: "b")) } == .noSuchPath)
    }
    #expect(Self.code { try source.insertItem(Food(id: "b"), at: Self.path(3)) } == .noSuchPath)
  }
}
