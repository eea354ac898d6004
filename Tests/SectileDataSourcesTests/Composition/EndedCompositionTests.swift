import SectileCore
import SectileDataSources
import Testing

/// Compositions of sources whose stores are closed.
@Suite(.timeLimit(.minutes(60))) struct EndedCompositionTests {
  private typealias Entry = CommonSourceTests.Entry

  private static func source(_ numbers: Range<Int>) -> ArrayDataSource<Entry> {
    ArrayDataSource(name: "array", items: numbers.map { Entry(id: $0, grade: $0) })
  }

  @Test(arguments: [false, true])
  func aCompositionEndsWithAllItsInputs(isLoaded: Bool) async {
    let (first, second) = (Self.source(0..<5), Self.source(5..<9))
    let composed = first.filter { $0.grade != 2 }.concatenated(with: second)
    if isLoaded { composed.load() }
    let changesets = composed.changesets
    let later = composed.map { $0.grade }
    first.events.endSequences()
    #expect(!composed.events.hasEnded)
    second.events.endSequences()
    for await _ in changesets { Issue.record("nothing was told") }
    for await _ in composed.events { Issue.record("nothing was told") }
    for await _ in later.changesets { Issue.record("nothing was told") }
    // One that is made of what has ended is at its end from the start.
    for await _ in composed.sorted(by: \.grade).changesets { Issue.record("nothing was told") }
  }

  @Test func aCompositionOfPartsEndsWithItsKeysAndItsParts() async {
    let (keys, parts) = (Self.source(0..<2), [Self.source(0..<3), Self.source(3..<5)])
    let composed = keys.flatMap { parts[$0.grade] }
    composed.load()
    let changesets = composed.changesets
    keys.events.endSequences()
    parts[0].events.endSequences()
    #expect(!composed.events.hasEnded)
    parts[1].events.endSequences()
    for await _ in changesets { Issue.record("nothing was told") }
    let unloaded = keys.flatMap { parts[$0.grade] }
    for await _ in unloaded.changesets { Issue.record("nothing was told") }
  }

  @Test func aListOfPartsLivesOn() throws {
    let list = DataSourceList<String, Entry>(name: "parts")
    let part = Self.source(0..<3)
    try list.append(part, as: "a")
    list.load()
    part.events.endSequences()
    #expect(!list.events.hasEnded)
    try list.append(Self.source(3..<5), as: "b")
    #expect(list.numberOfItems == 5)
  }
}
