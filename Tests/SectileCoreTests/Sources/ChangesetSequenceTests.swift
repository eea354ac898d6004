import SectileCore
import Testing

@Suite(.timeLimit(.minutes(60))) struct ChangesetSequenceTests {
  @Test func slowConsumerGetsMissedChangesMergedIntoOne() async {
    let source = CountingSource()
    var changes = source.changesets.makeAsyncIterator()
    for _ in 0..<100 { source.commit() }
    let merged = await changes.next()
    #expect(merged?.sourceVersion == 0)
    #expect(merged?.targetVersion == 100)
    #expect(merged?.inserts.map(\.id) == Array(0..<100))
    source.commit()
    let next = await changes.next()
    #expect(next?.sourceVersion == 100)
    #expect(next?.targetVersion == 101)
  }

  @Test func changesThatCancelOutAreNotSeenAndLeaveNoGap() async {
    let source = CountingSource()
    var changes = source.changesets.makeAsyncIterator()
    let header = SourceSection(identity: .null, title: "")
    let insert = ItemInsert(path: ItemPath(section: 0, item: 0), id: 7, payload: .value(7))
    let appears = Changeset<Int, Int>(
      sourceVersion: 0, targetVersion: 1,
      sectionInserts: [SectionInsert(section: 0, header: header)], inserts: [insert])
    let disappears = Changeset<Int, Int>(
      sourceVersion: 1, targetVersion: 2,
      sectionDeletes: [SectionDelete(section: 0, header: header)],
      deletes: [ItemDelete(path: ItemPath(section: 0, item: 0), id: 7)])
    let appearsAgain = Changeset<Int, Int>(
      sourceVersion: 2, targetVersion: 3,
      sectionInserts: [SectionInsert(section: 0, header: header)], inserts: [insert])
    for change in [appears, disappears, appearsAgain] {
      source.hub.submit(LoadCycle(steps: [{ change }]))
    }
    source.hub.flush()
    let merged = await changes.next()
    #expect(merged?.sourceVersion == 0)
    #expect(merged?.targetVersion == 3)
    #expect(merged?.inserts.map(\.id) == [7])
    #expect(merged?.deletes.isEmpty == true)
  }

  @Test func waitingConsumerReceivesEachChange() async {
    let source = CountingSource()
    let received = Journal()
    let sequence = source.changesets
    let consumer = Task {
      for await changes in sequence {
        received.note("\(changes.sourceVersion)→\(changes.targetVersion)")
      }
    }
    for count in 1...5 {
      source.commit()
      await received.wait(for: count)
    }
    #expect(received.lines == ["0→1", "1→2", "2→3", "3→4", "4→5"])
    consumer.cancel()
    await consumer.value
  }

  @Test func cancelledTaskEndsTheSequence() async {
    let source = CountingSource()
    let sequence = source.changesets
    let consumer = Task {
      var count = 0
      for await _ in sequence { count += 1 }
      return count
    }
    consumer.cancel()
    #expect(await consumer.value == 0)
    source.commit()
  }

  @Test func releasedSourceEndsTheSequenceAfterWhatWaits() async {
    var source: CountingSource? = CountingSource()
    var versions: [Int] = []
    let sequence = source?.changesets
    source?.commit()
    source = nil
    if let sequence {
      for await changes in sequence { versions.append(changes.targetVersion) }
    }
    #expect(versions == [1])
  }

  @Test func sequenceDoesNotKeepTheSourceAlive() {
    weak var released: CountingSource?
    let sequence: ChangesetSequence<Int, Int>
    do {
      let source = CountingSource()
      sequence = source.changesets
      released = source
    }
    #expect(released == nil)
    withExtendedLifetime(sequence) {}
  }

  @Test func everyIteratorIsAConsumerOfItsOwn() async {
    let source = CountingSource()
    let sequence = source.changesets
    var first = sequence.makeAsyncIterator()
    source.commit()
    var second = sequence.makeAsyncIterator()
    source.commit()
    let (merged, last) = (await first.next(), await second.next())
    #expect(merged?.sourceVersion == 0)
    #expect(merged?.targetVersion == 2)
    #expect(last?.sourceVersion == 1)
    #expect(last?.targetVersion == 2)
  }
}
