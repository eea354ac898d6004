import SectileCore
import SectileTestSupport
import Synchronization
import Testing

/// Joining a live source: one version, and what comes after it.
@Suite(.timeLimit(.minutes(60))) struct FollowingTests {
  /// Reads the sequence to its end, and returns what it adds up to.
  private static func fold(
    _ followed: (snapshot: ContentsSnapshot<Int, Int>, changesets: ChangesetSequence<Int, Int>)
  ) async throws -> SectionedContents<Int, Int> {
    var contents = followed.snapshot.contents
    for await changes in followed.changesets { try contents.apply(changes) }
    return contents
  }

  private static func rows(_ count: Int) -> [LiveContents<Int, Int>.Section] {
    let rows = (0..<count).map { LiveContents<Int, Int>.Row(id: $0, item: $0 * count) }
    return [.init(header: SourceSection(identity: .null, title: ""), rows: rows)]
  }

  @Test func snapshotAndChangesetsFitWhateverIsCommittedInBetween() async throws {
    let source = NumberedSource()
    source.load()
    source.submit(Self.rows(1))
    let changesets = source.changesets
    source.submit(Self.rows(2))
    let snapshot = source.snapshot
    source.submit(Self.rows(3))
    // What a client did before there was `follow()`: none of its changesets applies to its
    // contents.
    var iterator = changesets.makeAsyncIterator()
    let first = try #require(await iterator.next())
    #expect(first.sourceVersion != snapshot.version)

    let followed = source.follow()
    source.submit(Self.rows(4))
    source.submit(Self.rows(5))
    source.cancel()
    let contents = try await Self.fold(followed)
    #expect(contents == source.snapshot.contents)
  }

  @Test func clientsJoinWithoutAGapWhileThreadsCommit() async throws {
    let source = NumberedSource()
    source.load()
    let last = 400
    let writer = Thread { for count in 1...last { source.submit(Self.rows(count % 7 + 1)) } }
    let folded = try await withThrowingTaskGroup(of: SectionedContents<Int, Int>.self) { group in
      for _ in 0..<40 {
        let followed = source.follow()
        group.addTask {
          var contents = followed.snapshot.contents
          for await changes in followed.changesets { try contents.apply(changes) }
          return contents
        }
        await Task.yield()
      }
      await writer.end()
      source.cancel()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(folded.count == 40)
    #expect(folded.allSatisfy { $0 == source.snapshot.contents })
  }

  @Test func consumerThatIsFarBehindGetsTheDifference() async throws {
    let source = NumberedSource()
    source.load()
    source.submit(Self.rows(3))
    let followed = source.follow()
    let count = 3 * ChangeRing.segmentLimit * ChangeRing.changeLimit
    for number in 1...count { source.submit(Self.rows(number % 5 + 1)) }
    var iterator = followed.changesets.makeAsyncIterator()
    let changes = try #require(await iterator.next())
    #expect(changes.sourceVersion == followed.snapshot.version)
    #expect(changes.targetVersion == source.version)
    var contents = followed.snapshot.contents
    try contents.apply(changes)
    #expect(contents == source.snapshot.contents)
    // It goes on from there.
    source.submit(Self.rows(9))
    try contents.apply(try #require(await iterator.next()))
    #expect(contents == source.snapshot.contents)
  }

  @Test(arguments: [1, 63, 64, 65, 1000, 1087, 1088, 1089, 1152, 1153, 4000])
  func consumersAtAnyDistanceEndEqual(_ distance: Int) async throws {
    let source = NumberedSource()
    source.load()
    let first = source.follow()
    for number in 0..<37 { source.submit(Self.rows(number % 3 + 1)) }
    let second = source.follow()
    for number in 1...distance { source.submit(Self.rows(number % 5 + 1)) }
    source.cancel()
    for followed in [first, second] {
      // What came to nothing in the end is not told: the version may be an older one.
      #expect(try await Self.fold(followed).sections == source.snapshot.contents.sections)
    }
  }

  @Test func consumerThatSleepsHoldsFewChangesets() async throws {
    let source = CountedSource()
    let sleeping = (0..<5).map { _ in
      source.commit()
      return source.changesets
    }
    var most = 0
    for _ in 0..<(40 * ChangeRing.changeLimit * ChangeRing.segmentLimit) {
      source.commit()
      most = max(most, source.alive)
    }
    // What each of them may still read, and the segment that is being filled.
    #expect(most <= (ChangeRing.segmentLimit + 3) * ChangeRing.changeLimit)
    withExtendedLifetime(sleeping) {}
  }

  @Test func nothingIsHeldOfWhatAllHaveRead() async throws {
    let source = CountedSource()
    var iterator = source.changesets.makeAsyncIterator()
    for _ in 0..<(4 * ChangeRing.changeLimit) {
      source.commit()
      _ = await iterator.next()
    }
    #expect(source.alive <= ChangeRing.changeLimit + 1)
  }

  @Test func cancellingEndsTheSequencesAfterWhatWasTold() async throws {
    let source = CountingSource()
    source.load()
    let (changesets, events) = (source.changesets, source.events.makeAsyncIterator())
    source.commit()
    source.cancel()
    var versions: [Int] = []
    for await changes in changesets { versions.append(changes.targetVersion) }
    #expect(versions == [2])
    var iterator = events
    var lines: [String] = []
    while let event = await iterator.next() { lines.append(line(event)) }
    #expect(lines == ["will", "did 1→2", "finish"])
    // Whoever comes after that hears of the next load.
    var next = source.changesets.makeAsyncIterator()
    source.load()
    #expect(await next.next()?.targetVersion == 3)
  }

  @Test func cancellingInsideACallbackEndsTheSequenceAfterThatChange() async throws {
    let source = CountingSource()
    let token = source.observe { [weak source] event in
      if case .didPartiallyLoad = event { source?.cancel() }
    }
    let changesets = source.changesets
    source.commit()
    source.commit()
    var versions: [Int] = []
    for await changes in changesets { versions.append(changes.targetVersion) }
    #expect(versions == [1])
    withExtendedLifetime(token) {}
  }
}

/// A source whose contents are said by whoever has it.
private final class NumberedSource: DataSource {
  let name = "numbered"
  private let contents = LiveContents<Int, Int>()

  init() { events.bind(self) }

  var events: DataSourceEvents<Int, Int> { contents.events }
  var snapshot: ContentsSnapshot<Int, Int> { contents.snapshot }
  func load() { contents.load() }

  func submit(_ sections: [LiveContents<Int, Int>.Section]) {
    contents.submit(sections)
    events.flush()
  }
}

/// A source of one item that is replaced, and counted while it exists.
private final class CountedSource: DataSource {
  final class Item: Sendable {
    private let count: Count

    init(_ count: Count) {
      self.count = count
      count.value.wrappingAdd(1, ordering: .relaxed)
    }

    deinit { count.value.wrappingSubtract(1, ordering: .relaxed) }
  }

  final class Count: Sendable {
    let value = Atomic(0)
  }

  let name = "counted"
  let events = DataSourceEvents<Int, Item>()
  private let count = Count()
  private let shown = Mutex(ContentsSnapshot<Int, Item>())

  init() { events.bind(self) }

  var alive: Int { count.value.load(ordering: .relaxed) }
  var snapshot: ContentsSnapshot<Int, Item> { shown.withLock { $0 } }
  func load() { events.resume() }

  func commit() {
    let header = SourceSection(identity: .null, title: "")
    let row = SectionedContents<Int, Item>.Row(id: 1, item: Item(count))
    events.submit { [weak self] in
      self?.shown.withLock { shown in
        let next = SectionedContents(
          version: shown.version + 1,
          sections: [SectionedContents.Section(header: header, rows: [row])])
        defer { shown = ContentsSnapshot(next) }
        return Changeset(from: shown.contents, to: next, isEqual: { _, _ in false })
      }
    }
    events.flush()
  }
}

/// A thread whose end can be waited for.
private struct Thread {
  private let task: Task<Void, Never>

  init(_ body: @escaping @Sendable () -> Void) {
    task = Task { await waitOnOwnThread(body) }
  }

  func end() async { await task.value }
}
