import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

/// A list that stands still while somebody reads it.
@Suite(.timeLimit(.minutes(60))) struct HeldDataSourceTests {
  struct Mail: Identifiable, Hashable, Sendable {
    let id: Int
    var subject: String
    var folder = 0
  }

  private struct Inbox {
    let mails: ArrayDataSource<Mail>
    let list: HeldDataSource<Int, Mail>
    let recorder = ChangeRecorder<Int, Mail>()

    init(_ items: [Mail]) {
      mails = ArrayDataSource(name: "mails", items: items) {
        SourceSection(identity: .integer(Int64($0.folder)), title: "\($0.folder)")
      }
      list = mails.held()
      list.delegate = recorder
      list.load()
      recorder.reset()
    }

    func subjects() throws -> [String] { try subjects(list.snapshot.materialized()) }

    func latestSubjects() throws -> [String] { try subjects(mails.snapshot.materialized()) }

    private func subjects(_ contents: SectionedContents<Int, Mail>) -> [String] {
      contents.sections.map { section in
        ([section.header.title + ":"] + section.rows.map(\.item.subject)).joined(separator: " ")
      }
    }
  }

  private let three = [
    Mail(id: 1, subject: "a"), Mail(id: 2, subject: "b"), Mail(id: 3, subject: "c"),
  ]

  @Test func itKeepsThePromisesOfDataSource() async {
    let source = ArrayDataSource(name: "mails", items: three)
    #expect(await checkDataSource(source.held()) == [])
  }

  @Test func whatIsHeldStays() throws {
    let inbox = Inbox(three)
    inbox.list.hold()
    try inbox.mails.replace(with: [
      Mail(id: 4, subject: "d"), Mail(id: 1, subject: "a"), Mail(id: 3, subject: "C"),
    ])
    #expect(inbox.recorder.events.isEmpty)
    #expect(try inbox.subjects() == ["0: a b c"])
    #expect(try inbox.list.item(at: ItemPath(section: 0, item: 1)).subject == "b")
    #expect("\(inbox.list.pending)" == "1 new, 1 changed, 1 gone")
    #expect(inbox.list.isHeld)

    inbox.list.release()
    #expect(inbox.list.pending.isEmpty)
    #expect(!inbox.list.isHeld)
    try inbox.recorder.expect(["delete 0/1", "insert 0/0", "update 0/2"])
    #expect(try inbox.subjects() == ["0: d a C"])

    // What comes now is shown at once.
    inbox.recorder.reset()
    try inbox.mails.replace(with: [Mail(id: 1, subject: "a")])
    #expect(inbox.recorder.changesets.count == 1)
    try inbox.recorder.check(against: inbox.list)
  }

  @Test func aRowCountsOnceByWhatBecomesOfIt() throws {
    let inbox = Inbox(three)
    inbox.list.hold()
    // One comes, changes and goes; one goes and comes back; one moves, then changes.
    try inbox.mails.replace(with: three + [Mail(id: 9, subject: "x")])
    try inbox.mails.replace(with: three + [Mail(id: 9, subject: "y")])
    #expect(inbox.list.pending.insertedCount == 1)
    try inbox.mails.replace(with: Array(three.dropFirst()))
    try inbox.mails.replace(with: three)
    #expect(inbox.list.pending.insertedCount == 0)
    #expect(inbox.list.pending.deletedCount == 0)
    try inbox.mails.replace(with: [three[1], three[0], three[2]])
    #expect(inbox.list.pending.movedCount + inbox.list.pending.changedCount >= 1)
    let counted = inbox.list.pending
    // What means nothing is nothing.
    try inbox.mails.replace(with: [three[1], three[0], three[2]])
    #expect(inbox.list.pending == counted)
    inbox.list.release()
    #expect(inbox.recorder.changesets.count == 1)
    try inbox.recorder.check(against: inbox.list)
  }

  @Test func whatWaitsIsToldOf() throws {
    let inbox = Inbox(three)
    let told = Mutex<[String]>([])
    inbox.list.observePending { pending in told.withLock { $0.append("\(pending)") } }
    inbox.list.hold()
    try inbox.mails.replace(with: three + [Mail(id: 4, subject: "d")])
    try inbox.mails.replace(with: three + [Mail(id: 4, subject: "D")])
    try inbox.mails.replace(with: three + [Mail(id: 4, subject: "D"), Mail(id: 5, subject: "e")])
    inbox.list.release()
    #expect(told.withLock { $0 } == ["1 new", "2 new", "nothing new"])
    inbox.list.observePending(nil)
    inbox.list.hold()
    try inbox.mails.replace(with: three)
    #expect(told.withLock { $0.count } == 3)
  }

  @Test func anotherTitleOfASectionWaits() throws {
    let titles = Mutex("one")
    let mails = ArrayDataSource(name: "mails", items: three) { _ in
      SourceSection(identity: .integer(0), title: titles.withLock { $0 })
    }
    let list = mails.held()
    let recorder = ChangeRecorder<Int, Mail>()
    list.delegate = recorder
    list.load()
    recorder.reset()
    list.hold()
    titles.withLock { $0 = "two" }
    try mails.replace(with: three)
    #expect("\(list.pending)" == "other sections")
    #expect(list.snapshot.sections[0].title == "one")
    list.release()
    #expect(list.snapshot.sections[0].title == "two")
    try recorder.check(against: list)
  }

  @Test func releasingAndHoldingTwiceDoNothing() throws {
    let inbox = Inbox(three)
    inbox.list.release()
    inbox.list.hold()
    inbox.list.hold()
    inbox.list.release()
    inbox.list.release()
    #expect(inbox.recorder.events.isEmpty)
  }

  @Test func theFirstLoadIsShownAndTheNextWaits() throws {
    let mails = ArrayDataSource(name: "mails", items: three)
    let list = mails.held()
    let recorder = ChangeRecorder<Int, Mail>()
    list.delegate = recorder
    list.hold()
    list.load()
    #expect(!recorder.isLoading)
    #expect(list.numberOfItems == 3)
    // Nobody listened to what changed meanwhile.
    list.cancel()
    try mails.replace(with: [Mail(id: 7, subject: "z")])
    list.load()
    #expect(list.numberOfItems == 3)
    #expect(list.pending.deletedCount == 3)
    #expect(list.pending.insertedCount == 1)
    list.release()
    #expect(list.numberOfItems == 1)
    try recorder.check(against: list)
  }

  @Test func itemsOfTheHeldVersionAreEdited() throws {
    let inbox = Inbox(three)
    inbox.list.hold()
    try inbox.mails.replace(with: [three[1], three[2]])
    // What is gone is not there; what stands there now is another one.
    let first = ItemPath(section: 0, item: 0)
    #expect(throws: (any Error).self) { try inbox.list.removeItem(at: first) }
    #expect(try inbox.latestSubjects() == ["0: b c"])
    try inbox.list.removeItem(at: ItemPath(section: 0, item: 1))
    #expect(try inbox.latestSubjects() == ["0: c"])
    #expect(try inbox.subjects() == ["0: a b c"])
    try inbox.mails.replace(with: [Mail]())
    #expect(inbox.list.origin(at: first).path == first)
    #expect(inbox.list.canEdit(.removing, at: first) == false)
    inbox.list.release()
    #expect(inbox.list.numberOfItems == 0)
  }

  @Test func whatIsReleasedAndHeldAgainIsShown() throws {
    let inbox = Inbox(three)
    inbox.list.observePending { [weak list = inbox.list] pending in
      guard pending.insertedCount == 2 else { return }
      list?.release()
      list?.hold()
    }
    inbox.list.hold()
    for id in 4...9 {
      try inbox.mails.append(Mail(id: id, subject: "d"))
      #expect(inbox.list.numberOfItems == (id.isMultiple(of: 2) ? id - 1 : id))
    }
    #expect(inbox.recorder.changesets.count == 3)
    try inbox.recorder.check(against: inbox.list)
  }

  @Test func anEmptyListIsHeldOnceItHadContents() throws {
    let inbox = Inbox([])
    inbox.list.hold()
    try inbox.mails.replace(with: three)
    #expect(inbox.list.numberOfItems == 3)
    inbox.list.release()
    try inbox.mails.replace(with: [Mail]())
    inbox.list.hold()
    try inbox.mails.replace(with: three)
    #expect(inbox.list.numberOfItems == 0)
    #expect(inbox.list.pending.insertedCount == 3)
  }

  @Test func whatComesFirstIsShown() async throws {
    let fetched = FetchedDataSource(
      name: "mails", fetcher: ClosureFetcher<Mail> { [three] receive in try await receive(three) })
    let list = fetched.held()
    list.hold()
    try await list.loadAndWait()
    #expect(list.numberOfItems == 3)
  }

  @Test func aHandlerIsReleasedOutsideOfEveryLock() {
    final class Badge: Sendable {
      let list: HeldDataSource<Int, Mail>
      init(_ list: HeldDataSource<Int, Mail>) { self.list = list }
      deinit { list.observePending(nil) }
    }
    let inbox = Inbox(three)
    let handler: @Sendable (HeldChanges) -> Void = { [badge = Badge(inbox.list)] _ in _ = badge }
    inbox.list.observePending(handler)
    inbox.list.observePending(nil)
  }

  @Test func itIsReleasedWhileItIsCancelled() throws {
    let inbox = Inbox(three)
    inbox.list.hold()
    try inbox.mails.replace(with: [Mail(id: 7, subject: "z")])
    inbox.list.cancel()
    inbox.list.release()
    #expect(inbox.list.numberOfItems == 3)
    inbox.list.load()
    #expect(inbox.list.numberOfItems == 1)
    #expect(inbox.list.pending.isEmpty)
  }

  @Test func aHandlerMayRelease() throws {
    let inbox = Inbox(three)
    inbox.list.observePending { [weak list = inbox.list] pending in
      if pending.insertedCount == 2 { list?.release() }
    }
    inbox.list.hold()
    try inbox.mails.replace(with: three + [Mail(id: 4, subject: "d")])
    #expect(inbox.list.numberOfItems == 3)
    try inbox.mails.replace(
      with: three + [Mail(id: 4, subject: "d"), Mail(id: 5, subject: "e")])
    #expect(inbox.list.numberOfItems == 5)
    #expect(inbox.recorder.changesets.count == 1)
    try inbox.recorder.check(against: inbox.list)
  }

  @Test(arguments: SeededRandom.batches(debug: 60, release: 600))
  func releasingAtAnyMomentIsExact(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let inbox = Inbox(Self.mails(&random))
      // What stands above it flips with it.
      let filtered = inbox.list.filter { !$0.subject.hasSuffix("0") }
      let recorder = ChangeRecorder<Int, Mail>()
      filtered.delegate = recorder
      filtered.load()
      var held: [String]?
      for _ in 0..<24 {
        if random.chance(0.25) {
          if !inbox.list.isHeld {
            inbox.list.hold()
          } else {
            let former = inbox.recorder.changesets.count
            inbox.list.release()
            held = nil
            #expect(inbox.recorder.changesets.count <= former + 1, "seed \(seed)")
          }
        } else {
          try inbox.mails.replace(with: Self.mails(&random))
        }
        // Where there was nothing yet, what comes first is held.
        if inbox.list.isHeld, held == nil, inbox.mails.version > 0 {
          held = try inbox.latestSubjects()
        }
        let expected = try held ?? inbox.latestSubjects()
        #expect(try inbox.subjects() == expected, "seed \(seed)")
        #expect(throws: Never.self, "seed \(seed)") {
          try inbox.recorder.check(against: inbox.list)
          try recorder.check(against: filtered)
        }
        #expect(checkSnapshot(inbox.list.snapshot) == [], "seed \(seed)")
        if held == nil { #expect(inbox.list.pending.isEmpty, "seed \(seed)") }
      }
    }
  }

  private static func mails(_ random: inout SeededRandom) -> [Mail] {
    (0..<14).shuffled(using: &random).prefix(Int.random(in: 0...14, using: &random)).map {
      Mail(
        id: $0, subject: "\($0)\(Int.random(in: 0..<3, using: &random))",
        folder: Int.random(in: 0..<3, using: &random))
    }.sorted { ($0.folder, $0.subject) < ($1.folder, $1.subject) }
  }
}
