import SectileCore
import SectileTestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct ChangeRecorderTests {
  typealias Recorder = ChangeRecorder<String, SectionDiagram.Item>
  typealias Changes = Changeset<String, SectionDiagram.Item>
  struct Trouble: Error {}

  static func changes(
    _ before: SectionDiagram, _ after: SectionDiagram, from version: Int = 0
  ) -> Changes {
    Changes(from: before.contents(version: version), to: after.contents(version: version + 1))
  }

  @Test func wellBehavedSequenceHasNoViolations() throws {
    let recorder = Recorder()
    recorder.allowFailures()
    recorder.receive(.willLoad)
    #expect(recorder.isLoading)
    recorder.receive(.didPartiallyLoad(Self.changes("", "a: x")))
    recorder.receive(.didPartiallyLoad(Self.changes("a: x", "a: x y", from: 1)))
    recorder.receive(.didFinishLoading)
    recorder.receive(.willLoad)
    recorder.receive(.didFail(Trouble()))
    try recorder.check()
    #expect(!recorder.isLoading)
    #expect(recorder.contents == ("a: x y" as SectionDiagram).contents(version: 2))
    #expect(recorder.changesets.count == 2)
    #expect(recorder.errors.count == 1)
    #expect(recorder.events.count == 6)
  }

  /// It was there before the first load, whatever that came to.
  @Test func aRecorderThatHasHeardOfAFailureIsNotLate() {
    let recorder = Recorder()
    recorder.allowFailures()
    recorder.receive(.willLoad)
    recorder.receive(.didFail(Trouble()))
    recorder.reset()
    recorder.receive(.willLoad)
    recorder.receive(.didPartiallyLoad(Self.changes("a: x", "a: x y", from: 1)))
    #expect(recorder.violations.count == 1)
    #expect(recorder.violations.first?.contains("attached late") == false)
  }

  enum Misbehaviour: String, CaseIterable, Sendable {
    case secondWill, partialWithoutWill, finishWithoutWill, failWithoutWill, twoEnds
    case gap, empty, sameRowTwice, wrongOrder, unknownRow

    var events: [Recorder.Event] {
      let first = ChangeRecorderTests.changes("", "a: x")
      let path = ItemPath(section: 0, item: 0)
      let row = ItemInsert<String, SectionDiagram.Item>(
        path: path, id: "x", payload: .value(SectionDiagram.Item(id: "x")))
      switch self {
      case .secondWill: return [.willLoad, .willLoad]
      case .partialWithoutWill: return [.didPartiallyLoad(first)]
      case .finishWithoutWill: return [.didFinishLoading]
      case .failWithoutWill: return [.didFail(Trouble())]
      case .twoEnds: return [.willLoad, .didFinishLoading, .didFinishLoading]
      case .gap:
        let later = ChangeRecorderTests.changes("a: x", "a: x y", from: 2)
        return [.willLoad, .didPartiallyLoad(first), .didPartiallyLoad(later)]
      case .empty:
        return [.willLoad, .didPartiallyLoad(Changes(sourceVersion: 0, targetVersion: 1))]
      case .sameRowTwice:
        let twice = Changes(
          sourceVersion: 1, targetVersion: 2, deletes: [ItemDelete(path: path, id: "x")],
          inserts: [row])
        return [.willLoad, .didPartiallyLoad(first), .didPartiallyLoad(twice)]
      case .wrongOrder:
        let header = SourceSection(identity: "a", title: "a")
        let second = ItemInsert<String, SectionDiagram.Item>(
          path: ItemPath(section: 0, item: 1), id: "y",
          payload: .value(SectionDiagram.Item(id: "y")))
        let unordered = Changes(
          sourceVersion: 0, targetVersion: 1,
          sectionInserts: [SectionInsert(section: 0, header: header)], inserts: [second, row])
        return [.willLoad, .didPartiallyLoad(unordered)]
      case .unknownRow:
        let gone = Changes(
          sourceVersion: 0, targetVersion: 1, deletes: [ItemDelete(path: path, id: "x")])
        return [.willLoad, .didPartiallyLoad(gone)]
      }
    }

    var words: String {
      switch self {
      case .secondWill: "willLoad came after willLoad"
      case .partialWithoutWill: "didPartiallyLoad came before willLoad"
      case .finishWithoutWill, .twoEnds: "didFinishLoading came before willLoad"
      case .failWithoutWill: "didFail came before willLoad"
      case .gap, .unknownRow: "cannot be applied"
      case .empty: "is empty"
      case .sameRowTwice: "appears twice"
      case .wrongOrder: "do not ascend"
      }
    }
  }

  @Test(arguments: Misbehaviour.allCases)
  func misbehaviourIsReported(_ misbehaviour: Misbehaviour) {
    let recorder = Recorder()
    for event in misbehaviour.events { recorder.receive(event) }
    #expect(recorder.violations.contains { $0.contains(misbehaviour.words) })
    #expect(throws: ContractViolations.self) { try recorder.check() }
  }

  @Test func cancellationEndsALifecycleWithoutAViolation() throws {
    let recorder = Recorder()
    recorder.receive(.willLoad)
    recorder.sourceWasCancelled()
    recorder.receive(.willLoad)
    recorder.receive(.didFinishLoading)
    try recorder.check()
  }

  @Test func resetKeepsTheContents() {
    let recorder = Recorder()
    recorder.receive(.willLoad)
    recorder.receive(.didPartiallyLoad(Self.changes("", "a: x")))
    recorder.receive(.didFail(Trouble()))
    recorder.reset()
    #expect(recorder.events.isEmpty)
    #expect(recorder.violations.isEmpty)
    #expect(recorder.contents.version == 1)
  }

  /// A test that resets the recorder between its steps sees what was wrong in any of them.
  @Test(arguments: Misbehaviour.allCases)
  func resetKeepsWhatWasWrong(_ misbehaviour: Misbehaviour) {
    let recorder = Recorder()
    recorder.allowFailures()
    for event in misbehaviour.events { recorder.receive(event) }
    let violations = recorder.violations
    recorder.reset()
    #expect(recorder.events.isEmpty)
    #expect(!violations.isEmpty)
    #expect(recorder.violations == violations)
    #expect(throws: ContractViolations.self) { try recorder.check() }
  }

  @Test func waitingEndsWithTheLifecycleOrTheLimit() async {
    let recorder = Recorder()
    #expect(await recorder.waitForEnds(1, limit: .milliseconds(1)) == false)
    let waiter = Task { await recorder.waitForEnds(2) }
    for _ in 0..<2 {
      recorder.receive(.willLoad)
      recorder.receive(.didFinishLoading)
    }
    #expect(await waiter.value)
    #expect(await recorder.waitForEnds(2))
  }
}
