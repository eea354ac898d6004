import SectileCore
import Testing

@testable import SectileStore

@Suite struct ResultsStateMachineTests {
  private typealias Machine = ResultsStateMachine

  // MARK: Where a transaction finds the results

  struct Standing: Sendable {
    let phase: Phase
    let isTouched: Bool
    var reading = ResultsStateMachine.Reading.certain
    var isBehind = false
    var concernsOtherTables = false
    var isRuledOut = false
    let expected: Place
    var concernOtherTables = false
  }

  enum Phase: Sendable {
    case idle
    case loading
    case following
    case reloading
  }

  enum Place: Sendable {
    case elsewhere
    case unread
    case unchanged
    case derived
    case fetchedAgain
  }

  static let standings: [Standing] = [
    Standing(phase: .idle, isTouched: true, expected: .elsewhere),
    Standing(phase: .idle, isTouched: true, reading: .uncertain, expected: .elsewhere),
    Standing(phase: .idle, isTouched: false, isBehind: true, expected: .elsewhere),

    Standing(phase: .loading, isTouched: false, expected: .elsewhere),
    Standing(phase: .loading, isTouched: true, expected: .unread),
    Standing(phase: .loading, isTouched: true, isRuledOut: true, expected: .unread),
    Standing(
      phase: .loading, isTouched: true, concernsOtherTables: true, expected: .unread,
      concernOtherTables: true),
    Standing(
      phase: .loading, isTouched: false, reading: .uncertain, expected: .unread,
      concernOtherTables: true),

    Standing(phase: .following, isTouched: false, expected: .elsewhere),
    Standing(phase: .following, isTouched: true, expected: .derived),
    Standing(phase: .following, isTouched: true, reading: .withForeignRows, expected: .derived),
    Standing(phase: .following, isTouched: true, isRuledOut: true, expected: .unchanged),
    Standing(
      phase: .following, isTouched: true, isBehind: true, isRuledOut: true,
      expected: .fetchedAgain),
    Standing(phase: .following, isTouched: false, isBehind: true, expected: .fetchedAgain),
    Standing(phase: .following, isTouched: false, reading: .uncertain, expected: .fetchedAgain),

    Standing(phase: .reloading, isTouched: false, expected: .elsewhere),
    Standing(phase: .reloading, isTouched: true, expected: .unread),
    Standing(
      phase: .reloading, isTouched: true, concernsOtherTables: true, expected: .unread,
      concernOtherTables: true),
    Standing(
      phase: .reloading, isTouched: false, reading: .uncertain, expected: .unread,
      concernOtherTables: true),
  ]

  @Test(arguments: standings) func transactionFindsResultsByTheirPhase(row: Standing) {
    var machine = Self.machine(in: row.phase)
    if row.isBehind { machine.requireRefetch() }
    let node = VersionNode()
    let place = Self.place(
      machine.stand(
        isTouched: row.isTouched, row.reading, concernsOtherTables: row.concernsOtherTables,
        nodeOfSameContents: row.isRuledOut ? node : nil))
    #expect(place == row.expected)
    #expect((machine.phase.unread?.concernOtherTables ?? false) == row.concernOtherTables)
    #expect(machine.needsRefetch == (row.isBehind || row.reading == .uncertain))
    let isCounted = place == .unchanged || place == .derived || place == .fetchedAgain
    #expect(machine.statistics.commitCount == (isCounted ? 1 : 0))
    #expect(machine.statistics.loggedCount == (row.reading == .withForeignRows ? 1 : 0))
  }

  // MARK: Loads

  @Test(arguments: [Phase.idle, .loading, .following, .reloading])
  func cancelledLoadChangesNothing(phase: Phase) {
    var machine = Self.machine(in: phase)
    let epoch = machine.epoch
    _ = machine.stop()
    #expect(machine.phase == .idle)
    let reads = machine.leaveCommitsToLoad(in: epoch, after: nil)
    let follows = machine.follow(Self.plan, by: nil, .init(), in: epoch)
    let takesBack = machine.takeCommitsBack(in: epoch)
    let former = machine.noteFailedLoad(StandingFailure(Failure.first), in: epoch)
    #expect(!reads && !follows && !takesBack && former == nil)
    #expect(machine.phase == .idle && machine.failure == nil)
  }

  @Test func failedLoadGivesCommitsBack() {
    var first = Self.machine(in: .loading)
    let hasFollowed = first.takeCommitsBack(in: first.epoch)
    #expect(!hasFollowed && first.phase == .idle)
    var later = Self.machine(in: .reloading)
    let follows = later.takeCommitsBack(in: later.epoch)
    #expect(follows && later.phase == .following)
  }

  @Test func firstBatchLeavesCommitsToTheRest() {
    var machine = Machine(Self.plan)
    let all = Self.contents(1, 2)
    _ = machine.follow(
      Self.plan, by: nil, .init(change: nil, isComplete: false, allContents: all), in: 0)
    #expect(machine.phase == .loading(.init()))
    let taken = machine.takeAllContents()
    #expect(taken?.has(2) == true)
    let again = machine.takeAllContents()
    #expect(again == nil)
    _ = machine.follow(Self.plan, by: nil, .init(), in: 0)
    machine.endFirstBatch()
    #expect(machine.phase == .following)
  }

  @Test func firstBatchWithoutARestIsFollowedByNothing() {
    var machine = Machine(Self.plan)
    let all = Self.contents(1)
    _ = machine.follow(
      Self.plan, by: nil, .init(change: nil, isComplete: false, allContents: all), in: 0)
    machine.endFirstBatch()
    #expect(machine.phase == .idle && machine.allContents == nil)
  }

  @Test func loadMendsWhatIsMissing() {
    var machine = Self.machine(in: .reloading)
    machine.requireRefetch()
    #expect(!machine.isUpToDate)
    _ = machine.follow(Self.plan, by: nil, .init(), in: machine.epoch)
    #expect(machine.isUpToDate && machine.phase == .following)
  }

  @Test func resultsAreUnloadedUntilSomethingIsLoaded() {
    var machine = Machine(Self.plan)
    #expect(machine.isUnloaded)
    _ = machine.follow(Self.plan, by: nil, .init(), in: 0)
    #expect(!machine.isUnloaded)
    // Where nothing was shown, the next load is a first one again.
    _ = machine.stop()
    #expect(machine.isUnloaded)
  }

  // MARK: Failures

  @Test func failureStandsUntilACommitMendsIt() {
    var machine = Self.machine(in: .following)
    let first = machine.publish(.failure(StandingFailure(Failure.first)))
    guard case .submitFailure(let told, nil) = first else {
      Issue.record("\(first)")
      return
    }
    #expect(told.text == "first" && machine.needsRefetch)
    // The same is no news, another one is.
    #expect(machine.epoch(of: StandingFailure(Failure.first)) == nil)
    #expect(machine.epoch(of: StandingFailure(Failure.second)) == 0)
    let again = machine.publish(.failure(StandingFailure(Failure.first)))
    guard case .release(let former) = again else {
      Issue.record("\(again)")
      return
    }
    #expect(former === told)
    let other = machine.publish(.failure(StandingFailure(Failure.second)))
    guard case .submitFailure(let second, .some) = other else {
      Issue.record("\(other)")
      return
    }
    #expect(second.text == "second")
    let mended = machine.publish(.unchanged(VersionNode()))
    guard case .none = mended else {
      Issue.record("\(mended)")
      return
    }
    #expect(machine.failure == nil && machine.isUpToDate)
  }

  @Test func changeMendsAFailure() {
    var machine = Self.machine(in: .following)
    _ = machine.publish(.failure(StandingFailure(Failure.first)))
    let action = machine.publish(.change(machine.change(1)))
    guard case .submitNext = action else {
      Issue.record("\(action)")
      return
    }
    #expect(machine.isUpToDate)
  }

  @Test(arguments: [Phase.idle, .loading]) func failedLoadStandsUntilAnother(phase: Phase) {
    var machine = Self.machine(in: phase)
    _ = machine.noteFailedLoad(StandingFailure(Failure.first), in: machine.epoch)
    _ = machine.takeCommitsBack(in: machine.epoch)
    _ = machine.stop()
    #expect(machine.failure?.text == "first")
    #expect(!machine.needsRefetch)
    _ = machine.follow(Self.plan, by: nil, .init(), in: machine.epoch)
    #expect(machine.failure == nil)
  }

  @Test(arguments: [Phase.following, .reloading])
  func failedLoadOfResultsThatFollowIsNotKept(phase: Phase) {
    var machine = Self.machine(in: phase)
    let former = machine.noteFailedLoad(StandingFailure(Failure.first), in: machine.epoch)
    #expect(former == nil && machine.failure == nil)
  }

  // MARK: Publishing

  @Test func commitOfAFormerEpochIsDropped() {
    var machine = Self.machine(in: .following)
    var outcome: CommitOutcome? = .change(machine.change(1))
    let epoch = machine.epoch
    machine.requireRefetch()
    _ = machine.stop()
    let action = machine.publish(&outcome, of: epoch, after: nil)
    guard case .none = action else {
      Issue.record("\(action)")
      return
    }
    // Released by who has it, outside of the lock.
    #expect(outcome != nil)
    #expect(machine.versions.pending.isEmpty && machine.needsRefetch)
  }

  @Test func changesAreFlippedInOrder() {
    var machine = Self.machine(in: .following)
    _ = machine.publish(.change(machine.change(1)))
    _ = machine.publish(.change(machine.change(2)))
    let latest = machine.versions.latest()
    #expect(latest.has(1) && latest.has(2))
    #expect(machine.versions.version == 0 && machine.versions.latestVersion == 2)
    _ = machine.publish(.change(machine.change(3)))
    let later = machine.versions.latest()
    #expect(later.has(2) && later.has(3))
    for version in 1...3 {
      var released = Machine.ReleasedChanges()
      let flipped = machine.flip(releasing: &released)
      #expect(flipped?.change.targetVersion == version)
      #expect(machine.versions.version == version)
      #expect(machine.versions.visible.has(Int64(version)))
      #expect(!machine.versions.visible.has(Int64(version) + 1))
      #expect((released.before == nil) == (version == 1))
    }
    var released = Machine.ReleasedChanges()
    let none = machine.flip(releasing: &released)
    #expect(none == nil && !released.mayForgetItems)
  }

  @Test func silentChangeIsCarriedOutAtOnce() {
    var machine = Self.machine(in: .following)
    let change = machine.change(1, isSilent: true)
    let action = machine.publish(.change(change))
    guard case .carriedOut(.none, let carriedOut, before: nil) = action else {
      Issue.record("\(action)")
      return
    }
    #expect(carriedOut === change.change)
    #expect(machine.versions.visible.has(1) && machine.versions.pending.isEmpty)
    // A change nobody hears of makes no version, yet other contents.
    #expect(machine.versions.version == 0)
    #expect(machine.versions.node === change.node)
    #expect(machine.versions.number == change.number)
  }

  @Test func silentChangeBehindAnotherIsFlippedWithIt() {
    var machine = Self.machine(in: .following)
    _ = machine.publish(.change(machine.change(1)))
    let silent = machine.change(2, isSilent: true)
    let action = machine.publish(.change(silent))
    guard case .none = action else {
      Issue.record("\(action)")
      return
    }
    #expect(machine.versions.latestVersion == 1)
    var released = Machine.ReleasedChanges()
    _ = machine.flip(releasing: &released)
    #expect(!machine.versions.visible.has(2))
    let step = machine.flipSilently(releasing: &released)
    #expect(step != nil && machine.versions.visible.has(2))
    #expect(machine.versions.version == 1 && machine.versions.node === silent.node)
    #expect(released.others.count == 2 && released.mayForgetItems)
    let none = machine.flipSilently(releasing: &released)
    #expect(none == nil)
  }

  @Test func unchangedContentsAreOfTheNewestVersionOfTheTable() {
    var machine = Self.machine(in: .following)
    let (first, second) = (VersionNode(), VersionNode())
    _ = machine.publish(.unchanged(first))
    #expect(machine.versions.node === first)
    _ = machine.publish(.change(machine.change(1)))
    _ = machine.publish(.unchanged(second))
    // What is visible is still of the former one.
    #expect(machine.versions.node === first && machine.versions.latestNode === second)
  }

  /// Commits that are left to a load may have changed rows that readers still see as they were.
  @Test(arguments: [Phase.idle, .loading, .following, .reloading])
  func contentsCatchUpUnlessALoadDoes(phase: Phase) {
    var machine = Self.machine(in: phase)
    let (former, newest) = (machine.versions.node, VersionNode())
    machine.catchUp(to: newest)
    #expect(machine.versions.node === (phase == .following ? newest : former))
    machine.requireRefetch()
    machine.catchUp(to: VersionNode())
    #expect(machine.versions.node === (phase == .following ? newest : former))
  }

  @Test func cancellingDropsWhatIsOnItsWay() {
    var machine = Self.machine(in: .following)
    _ = machine.publish(.change(machine.change(1)))
    _ = machine.versions.latest()
    let number = machine.versions.number
    let dropped = machine.stop()
    #expect(dropped.count == 1 && machine.versions.pending.isEmpty)
    #expect(machine.epoch == 1 && machine.versions.number > number)
    let latest = machine.versions.latest()
    #expect(!latest.has(1))
  }

  // MARK: Places in the change log

  @Test func placeIsThatOfWhatReadersSee() {
    var machine = Self.machine(in: .following)
    let places = (0...3).map { LogPlace(store: 1, epoch: 1, sequence: $0, salt: 0) }
    let before = machine.shownPlace(upTo: places[0])
    #expect(before == places[0])
    _ = machine.publish(.change(machine.change(1)), after: SharedPlace(places[1]))
    // The commit is in the log, and not yet in what readers see.
    let waiting = machine.shownPlace(upTo: places[2])
    #expect(waiting == places[1])
    var released = Machine.ReleasedChanges()
    _ = machine.flip(releasing: &released)
    let flipped = machine.shownPlace(upTo: places[2])
    #expect(flipped == places[2])
    // So are those that are left to a load.
    _ = machine.leaveCommitsToLoad(in: machine.epoch, after: places[2])
    let read = machine.shownPlace(upTo: places[3])
    #expect(read == places[2])
    machine.requireRefetch()
    let behind = machine.shownPlace(upTo: places[3])
    #expect(behind == nil)
  }

  @Test func placeIsUnknownBeforeWhatWasFetchedAgain() {
    var machine = Self.machine(in: .following)
    machine.requireRefetch()
    let place = LogPlace(store: 1, epoch: 1, sequence: 1, salt: 0)
    _ = machine.publish(.change(machine.change(1)), after: SharedPlace(place))
    #expect(machine.isUpToDate)
    let shown = machine.shownPlace(upTo: place)
    #expect(shown == nil)
  }

  @Test func otherRequestForgetsWhatWasKnownOfTheFormer() {
    var machine = Self.machine(in: .following)
    let place = LogPlace(store: 1, epoch: 1, sequence: 1, salt: 0)
    let shown = machine.shownPlace(upTo: place)
    #expect(shown == place)
    machine.request.note(number: 7, of: Self.plan)
    _ = machine.publish(.change(machine.change(1)))
    _ = machine.follow(Self.plan, by: nil, .init(), in: 0)
    #expect(machine.request.number == 7 && machine.request.place == place)
    var other = Self.plan
    other.batchSize = 9
    _ = machine.follow(other, by: nil, .init(), in: 0)
    #expect(machine.request.number == nil && machine.request.place == nil)
    #expect(machine.request.shownSince == 2 && machine.request.batchSize == 9)
    machine.request.note(number: 7, of: Self.plan)
    #expect(machine.request.number == nil)
  }

  @Test func cancellingForgetsThePlace() {
    var machine = Self.machine(in: .following)
    let place = LogPlace(store: 1, epoch: 1, sequence: 1, salt: 0)
    _ = machine.shownPlace(upTo: place)
    _ = machine.stop()
    #expect(machine.request.place == nil)
    let shown = machine.shownPlace(upTo: place)
    #expect(shown == nil)
  }

  // MARK: Items at hand

  @Test func itemsOfASmallChangeAreAtHand() {
    var items = RecentItems()
    let small = Self.planChange(1, isWhole: false)
    let first = items.note(small)
    #expect(first.isNone && items.latest === small)
    let large = Self.planChange(1, isWhole: true)
    let step = items.note(large)
    guard case .remember(let remembered) = step else {
      Issue.record("\(step)")
      return
    }
    #expect(remembered === large && items.latest == nil)
  }

  @Test func rememberedItemsAreForgottenWhereNobodyAsks() {
    var items = RecentItems()
    items.isRemembering = true
    for count in 1...RecentItems.overwrittenLimit {
      let step = items.note(Self.planChange(Int64(count), isWhole: false))
      #expect(step.isNone && items.overwritten.count == count)
    }
    let step = items.note(Self.planChange(0, isWhole: false))
    guard case .forgetAll = step else {
      Issue.record("\(step)")
      return
    }
    #expect(!items.isRemembering && items.overwritten.isEmpty)
    // There is nothing to keep up with any more.
    let next = items.note(Self.planChange(1, isWhole: false))
    #expect(next.isNone && items.overwritten.isEmpty)
  }

  // MARK: Digests

  @Test func digestsGetIntoAllVersions() {
    var versions = VersionedContents()
    versions.queue(
      PendingChange(
        Self.planChange(1, isWhole: false), boxed: Box(), targetVersion: 1, node: VersionNode(),
        number: 1))
    let change = Self.planChange(2, isWhole: true)
    let begun = versions.beginDigestPass(queueing: change)
    defer { begun.pass?.end(with: nil) }
    #expect(begun.pass != nil && begun.pass === versions.digestPass)
    #expect(begun.change !== change)
    let latest = versions.latest()
    #expect(versions.visible.content?.pass === begun.pass)
    #expect(latest.content?.pass === begun.pass)
    versions.fill(DigestTable())
    #expect(versions.digestPass == nil)
    let again = versions.beginDigestPass(queueing: nil)
    #expect(again.pass == nil)
  }
}

// MARK: - Support

extension ResultsStateMachineTests {
  fileprivate enum Failure: Error {
    case first
    case second
  }

  fileprivate static let plan = FetchPlan(
    table: "item", keyColumns: ["id"], itemColumns: ["id"])

  /// A machine that was led to a phase by what leads there.
  fileprivate static func machine(in phase: Phase) -> ResultsStateMachine {
    var machine = ResultsStateMachine(plan)
    switch phase {
    case .idle: break
    case .loading: _ = machine.leaveCommitsToLoad(in: 0, after: nil)
    case .following: _ = machine.follow(plan, by: nil, .init(), in: 0)
    case .reloading:
      _ = machine.follow(plan, by: nil, .init(), in: 0)
      _ = machine.leaveCommitsToLoad(in: 0, after: nil)
    }
    return machine
  }

  fileprivate static func place(_ standing: consuming ResultsStateMachine.Standing) -> Place? {
    switch consume standing {
    case .elsewhere: return .elsewhere
    case .settled(let outcome, _):
      switch outcome {
      case .unread: return .unread
      case .unchanged: return .unchanged
      case .change, .failure: return nil
      }
    case .at(let baseline, _): return baseline.needsRefetch ? .fetchedAgain : .derived
    }
  }

  /// Contents that know rows with some keys.
  fileprivate static func contents(_ keys: Int64...) -> PlanContents {
    var contents = PlanContents()
    for key in keys { _ = contents.keys.insert(.integer(key)) }
    return contents
  }

  /// A change of one row, after which the contents know its key; whole, it has those contents.
  fileprivate static func planChange(_ key: Int64, isWhole: Bool) -> PlanChange {
    let path = ItemPath(section: 0, item: 0)
    let rows = PlanChange.Rows(
      PlanTransition(key: .integer(key), source: path, target: path, isContentChanged: true))
    if isWhole { return PlanChange(.replaced(contents(key), rows), items: NoItems()) }
    var edits = ContentsEdits()
    edits.rows = [ContentsEdits.Row(key: .integer(key), path: nil, content: 0, order: 0)]
    return PlanChange(.edited(edits, rows), items: NoItems())
  }
}

extension ResultsStateMachine {
  /// Returns a change that leads on from the latest contents.
  fileprivate mutating func change(_ key: Int64, isSilent: Bool = false) -> PendingChange {
    let start = baseline()
    return PendingChange(
      ResultsStateMachineTests.planChange(key, isWhole: false), boxed: isSilent ? nil : Box(),
      targetVersion: start.version + 1, node: VersionNode(), number: start.nextNumber)
  }

  /// Publishes what a transaction of the current epoch came to.
  fileprivate mutating func publish(
    _ outcome: CommitOutcome, after place: SharedPlace? = nil
  ) -> Action {
    var outcome: CommitOutcome? = outcome
    return publish(&outcome, of: epoch, after: place)
  }
}

extension PlanContents {
  fileprivate func has(_ key: Int64) -> Bool { keys.handle(of: .integer(key)) != nil }
}

extension RecentItems.Step {
  fileprivate var isNone: Bool { if case .none = self { true } else { false } }
}

/// Stands for a changeset.
private final class Box: Sendable {}

/// No item is read here.
private final class NoItems: ItemSink {
  var acceptedKeys: AcceptedKeys { .none }

  func readItem(_ statement: RawStatement, firstColumn: Int) throws -> Int { 0 }
  func checkID(_ key: RowKey) throws {}
}
