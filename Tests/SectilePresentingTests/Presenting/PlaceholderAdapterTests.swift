import SectileCore
import SectileDataSources
import SectileRemote
import SectileTestHelpers
import Testing

@testable import SectilePresenting

/// Adapters on sources with placeholders: what is shown is loaded.
@Suite(.timeLimit(.minutes(60))) struct PlaceholderAdapterTests {
  typealias Number = Numbers.Number
  typealias Source = PlaceholderDataSource<Number, Int>

  static let presenter = CellPresenter<RemoteListRow<Number>, String> { row, _ in
    row.item.map { "\($0.id)" } ?? "…"
  }

  static func source(_ server: Numbers, loadsOnRead: Bool = true) -> Source {
    Source(
      name: "numbers", loader: server, loadsOnRead: loadsOnRead,
      configuration: RemoteConfiguration(retry: .never))
  }

  static func settle(_ source: Source) async {
    while source.isLoading { await Task.yield() }
  }

  @Test(arguments: [false, true]) func cellsThatAreShownAreLoaded(_ isComposed: Bool) async throws {
    let server = Numbers(100, size: 10)
    let source = Self.source(server)
    let list: any DataSource<RemoteListRowID<Int>, RemoteListRow<Number>> =
      isComposed ? source.filter { $0.isPlaceholder || $0.item?.id != 3 }.map { $0 } : source
    let window = ListWindow<RemoteListRowID<Int>>(0..<4)
    let adapter = Adapter(source: list, presenter: Self.presenter, target: window)
    try list.load()
    await Self.settle(source)
    #expect(server.log == [0])
    #expect(window.cells == (isComposed ? ["0", "1", "2", "4"] : ["0", "1", "2", "3"]))
    window.scroll(to: 55..<58)
    #expect(window.cells == ["…", "…", "…"])
    await Self.settle(source)
    #expect(server.log == [0, 5])
    #expect(window.cells == (isComposed ? ["56", "57", "58"] : ["55", "56", "57"]))
    #expect(adapter.contents.numberOfItems == (isComposed ? 99 : 100))
  }

  @Test func cellOfAnInsertIsShownToo() async throws {
    let server = Numbers(30, size: 10)
    let source = Self.source(server)
    let target = Inserts()
    let adapter = Adapter(source: source, presenter: Self.presenter, target: target)
    source.load()
    await Self.settle(source)
    #expect(Set(server.log) == [0, 1, 2], "a target that shows every insert asks for every row")
    withExtendedLifetime(adapter) {}
  }

  @Test func failureLeavesThePlaceholderUntilItIsShownAgain() async throws {
    let server = Numbers(100, size: 10)
    let source = Self.source(server)
    let window = ListWindow<RemoteListRowID<Int>>(0..<4)
    let adapter = Adapter(source: source, presenter: Self.presenter, target: window)
    source.load()
    await Self.settle(source)
    server.isFailing = true
    window.scroll(to: 55..<58)
    await Self.settle(source)
    // The end of a load is told just after it is over.
    let isTold = try await comesTrue { !window.failures.isEmpty }
    #expect(isTold)
    #expect(server.log == [0, 5])
    #expect(window.failures.count == 1)
    server.isFailing = false
    // Whoever asks while the failure is being told may be answered by it, and rows are told just
    // after a load is over.
    _ = try await comesTrue {
      window.scroll(to: 55..<58)
      await Self.settle(source)
      return !window.cells.contains("…")
    }
    #expect(window.cells == ["55", "56", "57"])
    withExtendedLifetime(adapter) {}
  }

  @Test func sourceThatLoadsNothingOnReadShowsPlaceholders() async throws {
    let server = Numbers(100, size: 10)
    let source = Self.source(server, loadsOnRead: false)
    let window = ListWindow<RemoteListRowID<Int>>(20..<22)
    let adapter = Adapter(source: source, presenter: Self.presenter, target: window)
    source.load()
    await Self.settle(source)
    #expect(window.cells == ["…", "…"])
    #expect(server.log == [0])
    withExtendedLifetime(adapter) {}
  }
}

/// Shows the cells of what is inserted.
private final class Inserts: PresentationTarget {
  typealias ItemID = RemoteListRowID<Int>
  typealias Cell = String

  func reload(_ contents: any PresentedContents<RemoteListRowID<Int>, String>) {}

  func update(_ update: PresentationUpdate<RemoteListRowID<Int>, String>) throws {
    for insert in update.changes.inserts { _ = try insert.item }
  }
}
