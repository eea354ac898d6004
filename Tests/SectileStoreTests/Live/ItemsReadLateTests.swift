import GRDB
import SectileCore
import SectileTestHelpers
import Synchronization
import Testing

@testable import SectileStore

/// A changeset reads its items when somebody asks for them.
///
/// A row that others have changed by then is refused: as it is now it was never at the place that
/// the changeset tells.
@Suite(.timeLimit(.minutes(60))) struct ItemsReadLateTests {
  enum Kind: CaseIterable { case file, queue, pool }

  private final class Keeper: DataSourceDelegate {
    let kept = Mutex<[Changeset<UntypedRow.ID, UntypedRow>]>([])

    func dataSource(
      _ source: any DataSource<UntypedRow.ID, UntypedRow>,
      didPartiallyLoad changes: Changeset<UntypedRow.ID, UntypedRow>
    ) {
      kept.withLock { $0.append(changes) }
    }
  }

  private static func open(_ kind: Kind, _ path: String) throws -> Store {
    switch kind {
    case .file: try Store.open(at: path, configuration: SmallWorld.configuration)
    case .queue: try DatabaseQueue(path: path).adopted(SmallWorld.configuration)
    case .pool: try DatabasePool(path: path).adopted(SmallWorld.configuration)
    }
  }

  @Test(arguments: Kind.allCases)
  func aRowOfAFirstLoadThatOthersHaveChangedIsRefused(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try Self.open(kind, path)
    try store.write {
      try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT)")
      try $0.execute("INSERT INTO item VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    }
    var plan = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "s"])
    plan.sort = [plan.term("s")]
    let results = try store.results(of: plan)
    let keeper = Keeper()
    results.delegate = keeper
    try results.load()
    results.tracker.awaitDigests()
    try ForeignConnection(path).execute("UPDATE item SET s = 'z' WHERE id = 2")
    let inserts = keeper.kept.withLock { $0.flatMap { Array($0.inserts) } }
    try #require(inserts.count == 3)
    try expectStoreError(.itemChangedElsewhere) { try inserts[1].item }
    #expect(try inserts[0].item.row["s"] == .text("a"))
    #expect(try inserts[2].item.row["s"] == .text("c"))
  }
}
