import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileFeed

/// What feeds tell, byte by byte.
///
/// The streams of `Tests/Fixtures/feeds` are what `Tests/Clients` reads them with: the client for
/// Python, `sectile.js`, and the schema of the events. What this suite finds changed is a change of
/// the format for all of them.
@Suite(.timeLimit(.minutes(60))) struct RecordedStreamTests {
  private typealias Contents = ScriptedSource.Contents
  private typealias Changes = Changeset<Int64, Reading>

  private static let big: Int64 = 9_007_199_254_740_993
  private static let a = SourceSection(identity: .text("A"), title: "A")
  private static let b = SourceSection(identity: .text("B"), title: "B")

  private static func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  private static func insert(
    _ id: Int64, at path: ItemPath, _ item: Reading
  ) -> ItemInsert<Int64, Reading> {
    ItemInsert(path: path, id: id, payload: .value(item))
  }

  private static func move(
    _ id: Int64, from source: ItemPath, to target: ItemPath, _ item: Reading,
    isContentChanged: Bool = false
  ) -> ItemMove<Int64, Reading> {
    ItemMove(
      source: source, target: target, id: id, isContentChanged: isContentChanged,
      payload: .value(item))
  }

  private static func update(
    _ id: Int64, from source: ItemPath, to target: ItemPath, _ item: Reading
  ) -> ItemUpdate<Int64, Reading> {
    ItemUpdate(source: source, target: target, id: id, payload: .value(item))
  }

  private static func row(_ id: Int64, _ item: Reading) -> Contents.Row {
    Contents.Row(id: id, item: item)
  }

  /// A row whose item says its identity.
  private static func plain(_ id: Int64) -> Reading {
    Reading(label: "row \(id)", value: .integer(id))
  }

  // MARK: - Changes

  private static let count = SourceSection(
    identity: .text("A"), title: "A", aggregates: ["count": .integer(2), "sum(size)": .real(30)])
  private static let counted = SourceSection(
    identity: .text("A"), title: "A & B", footer: "two\nlines",
    aggregates: ["count": .integer(3), "sum(size)": .real(30.5)])
  private static let five = SourceSection(
    identity: .integer(5), title: "five", indexTitle: "5", footer: "foot")
  private static let none = SourceSection(identity: .null, title: "")
  private static let new = SourceSection(identity: .blob([1, 2]), title: "new")
  private static let seventh = Reading(label: "seven", value: .real(0x1p62), total: 1 << 53)
  private static let eighth = Reading(label: "eight", value: .real(-.infinity))

  private static let contents = Contents(
    version: 7,
    sections: [
      .init(
        header: count,
        rows: [
          row(1, Reading(label: "first")),
          row(2, Reading(label: "tab\t\"quoted\" \\ é 😀\nnext", value: .text("text"))),
        ]),
      .init(
        header: five,
        rows: [
          row(big, Reading(label: "big", value: .integer(.max), total: .min)),
          row(4, Reading(label: "four", value: .real(.infinity), factor: .nan, raw: [0, 255])),
        ]),
      .init(
        header: none,
        rows: [
          row(5, Reading(label: "five", value: .real(-1.5), isOpen: true)),
          row(6, Reading(label: "six", value: .blob([]))),
        ]),
    ], aggregates: ["count": .integer(6)])

  /// Values and headers.
  private static let values = Changes(
    sourceVersion: 7, targetVersion: 8,
    contentsUpdate: ContentsUpdate(before: ["count": .integer(6)], after: ["count": .integer(7)]),
    sectionUpdates: [SectionUpdate(source: 0, target: 0, before: count, header: counted)],
    deletes: [ItemDelete(path: path(1, 1), id: 4)],
    inserts: [insert(7, at: path(0, 1), seventh), insert(8, at: path(2, 2), eighth)],
    updates: [
      update(2, from: path(0, 1), to: path(0, 2), Reading(label: "second", value: .text("text"))),
      update(5, from: path(2, 0), to: path(2, 0), Reading(label: "five", value: .real(0.5))),
    ])

  /// Sections and rows that move, within their section and out of it.
  private static let moves = Changes(
    sourceVersion: 8, targetVersion: 9,
    sectionDeletes: [SectionDelete(section: 1, header: five)],
    sectionInserts: [SectionInsert(section: 2, header: new)],
    sectionMoves: [SectionMove(source: 2, target: 0, header: none)],
    deletes: [ItemDelete(path: path(0, 0), id: 1)],
    inserts: [insert(10, at: path(1, 1), Reading(label: "ten"))],
    moves: [
      move(7, from: path(0, 1), to: path(2, 1), seventh),
      move(
        big, from: path(1, 0), to: path(2, 0),
        Reading(label: "BIG", value: .integer(9_007_199_254_740_991)), isContentChanged: true),
      move(8, from: path(2, 2), to: path(0, 0), eighth),
    ],
    updates: [
      update(6, from: path(2, 1), to: path(0, 2), Reading(label: "six", value: .blob([255])))
    ])

  /// Nothing is left.
  private static let end = Changes(
    sourceVersion: 9, targetVersion: 10,
    contentsUpdate: ContentsUpdate(before: ["count": .integer(7)], after: ["count": .integer(0)]),
    sectionDeletes: [
      SectionDelete(section: 0, header: none), SectionDelete(section: 1, header: counted),
      SectionDelete(section: 2, header: new),
    ],
    deletes: [
      ItemDelete(path: path(0, 0), id: 8), ItemDelete(path: path(0, 1), id: 5),
      ItemDelete(path: path(0, 2), id: 6), ItemDelete(path: path(1, 0), id: 2),
      ItemDelete(path: path(1, 1), id: 10), ItemDelete(path: path(2, 0), id: big),
      ItemDelete(path: path(2, 1), id: 7),
    ])

  /// With items, and in a shape without: `changes.sse` and `structure.sse`.
  @Test(arguments: [false, true])
  func changesAreToldAsTheyAreRecorded(isStructural: Bool) async throws {
    let source = ScriptedSource(Self.contents)
    let shape: FeedShape<Int64, Reading> = isStructural ? .structural() : FeedShape("whole")
    let feed = Feed(of: source, configuration: FeedConfiguration(rowsPerPart: 4)) { (_: Int) in
      shape
    }
    var iterator = try await feed.events(for: 1).makeAsyncIterator()
    var recorder = StreamRecorder()
    recorder.connect()
    let kinds: [FeedEvent.Kind] =
      isStructural ? [.reset, .sections, .complete] : [.reset, .rows, .rows, .rows, .complete]
    try await recorder.take(kinds, from: &iterator)
    recorder.beat()
    for changes in [Self.values, Self.moves] {
      source.tell(changes)
      try await recorder.take([.changes], from: &iterator)
    }
    source.fail(DataSourceError(code: .noSuchPath, message: "There is no such item."))
    try await recorder.take([.failed], from: &iterator)
    recorder.beat()
    source.recover()
    try await recorder.take([.recovered], from: &iterator)
    source.tell(Self.end)
    try await recorder.take([.changes], from: &iterator)
    #expect(source.snapshot.contents.sections.isEmpty)
    withExtendedLifetime((source, feed)) {}
    try recorder.check(against: isStructural ? "structure" : "changes")
  }

  // MARK: - After a restart

  @Test func whatBecameOfRowsIsToldAsItIsRecorded() async throws {
    let rows = (Int64(1)...4).map { Self.row($0, Self.plain($0)) }
    let source = ScriptedSource(
      Contents(
        version: 3,
        sections: [
          .init(header: Self.a, rows: Array(rows[..<3])),
          .init(header: Self.b, rows: Array(rows[3...])),
        ]), touching: [1, 2, 9, 77])
    let configuration = FeedConfiguration(rowsPerPart: 4, answersByKey: true)
    var recorder = StreamRecorder()
    let former = Feed<ScriptedSource, Int>(of: source, configuration: configuration) { _ in
      FeedShape("whole")
    }
    var iterator = try await former.events(for: 1).makeAsyncIterator()
    recorder.connect()
    try await recorder.take([.reset, .rows, .rows, .complete], from: &iterator)
    former.finish()
    source.tell(
      Changes(
        sourceVersion: 3, targetVersion: 4,
        sectionMoves: [SectionMove(source: 0, target: 1, header: Self.a)],
        deletes: [ItemDelete(path: Self.path(0, 0), id: 1)],
        inserts: [
          Self.insert(9, at: Self.path(1, 1), Reading(label: "nine", value: .integer(9)))
        ],
        moves: [
          Self.move(
            2, from: Self.path(0, 1), to: Self.path(0, 1),
            Reading(label: "moved", value: .real(2.5)), isContentChanged: true)
        ]))
    let feed = Feed<ScriptedSource, Int>(of: source, configuration: configuration) { _ in
      FeedShape("whole")
    }
    iterator = try await feed.events(for: 1, after: recorder.position).makeAsyncIterator()
    recorder.connect()
    try await recorder.take([.keyed], from: &iterator)
    let third = Reading(label: "third", value: .integer(3))
    source.tell(
      Changes(
        sourceVersion: 4, targetVersion: 5,
        updates: [Self.update(3, from: Self.path(1, 0), to: Self.path(1, 0), third)]))
    try await recorder.take([.changes], from: &iterator)
    withExtendedLifetime((source, feed)) {}
    try recorder.check(against: "keyed")
  }

  // MARK: - Slow clients

  @Test func whatASlowClientIsToldIsAsItIsRecorded() async throws {
    let source = ScriptedSource(Contents())
    let shape = FeedShape<Int64, Reading>("whole")
    let feed = Feed(of: source) { (_: Int) in shape }
    var iterator = try await feed.events(for: 1, buffering: .dropping(beyond: 1))
      .makeAsyncIterator()
    var recorder = StreamRecorder()
    recorder.connect()
    try await recorder.take([.reset, .complete], from: &iterator)
    source.tell(
      Changes(
        sourceVersion: 0, targetVersion: 1,
        sectionInserts: [SectionInsert(section: 0, header: Self.a)],
        inserts: [Self.insert(1, at: Self.path(0, 0), Self.plain(1))]))
    try await recorder.take([.changes], from: &iterator)
    let kept = feed.keptBytes
    for number in 1...3 {
      let id = Int64(number + 1)
      source.tell(
        Changes(
          sourceVersion: number, targetVersion: number + 1,
          inserts: [Self.insert(id, at: Self.path(0, number), Self.plain(id))]))
    }
    // All three are there when the client asks.
    while feed.keptBytes < kept + 3 * 64 { await Task.yield() }
    try await recorder.take([.dropped], from: &iterator)
    #expect(await iterator.next() == nil)
    iterator = try await feed.events(
      for: 1, after: recorder.position, buffering: .dropping(beyond: 1)
    ).makeAsyncIterator()
    recorder.connect()
    try await recorder.take([.changes], from: &iterator)
    withExtendedLifetime((source, feed)) {}
    try recorder.check(against: "slow")
  }

  // MARK: - Whole answers

  /// How an answer begins, what is heard in it when nothing happens, and its end where the client
  /// is not allowed any more.
  @Test func aWholeAnswerIsAsItIsRecorded() async throws {
    let source = ScriptedSource(
      Contents(sections: [.init(header: Self.a, rows: [Self.row(1, Self.plain(1))])]))
    let shape = FeedShape<Int64, Reading>("whole")
    let feed = Feed(of: source) { (_: Int) in shape }
    let clock = ManualClock()
    let client = AnswerReader(
      try await feed.response(for: 1, options: FeedResponseTests.options(clock)) { false })
    #expect(try await comesTrue { client.names.last == "complete" })
    #expect(
      try await comesTrue {
        clock.advance(by: .seconds(1))
        return client.names.last == "heartbeat"
      })
    feed.recheckAuthorization()
    #expect(try await comesTrue { client.hasEnded })
    var recorder = StreamRecorder()
    recorder.take(client.text)
    withExtendedLifetime((source, feed)) {}
    try recorder.check(against: "answer")
  }
}
