import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct FixedDataSourceTests {
  struct Word: Identifiable, Hashable, Sendable {
    let id: String
  }

  static func source(_ ids: [String]) -> FixedDataSource<Word> {
    FixedDataSource(name: "words", items: ids.map { Word(id: $0) }) {
      SourceSection(identity: .text(String($0.id.prefix(1))), title: String($0.id.prefix(1)))
    }
  }

  @Test(arguments: [[], ["apple", "bread", "almond"]])
  func sourceKeepsThePromisesOfDataSource(_ ids: [String]) async {
    #expect(await checkDataSource(Self.source(ids)) == [])
  }

  @Test func loadingAgainDeliversNoChange() {
    let source = Self.source(["apple"])
    let recorder = ChangeRecorder<String, Word>()
    source.delegate = recorder
    source.load()
    source.load()
    #expect(recorder.changesets.count == 1)
    #expect(recorder.events.count == 5)
  }

  @Test func duplicateIdentityIsAFailure() {
    let source = Self.source(["apple", "apple"])
    let recorder = ChangeRecorder<String, Word>()
    source.delegate = recorder
    source.load()
    #expect((recorder.errors.first as? DataSourceError)?.code == .duplicateIdentity)
    #expect(source.numberOfSections == 0)
  }

  @Test func sourceOffersNoEditing() {
    let source: any DataSource = Self.source(["apple"])
    #expect(!(source is any ItemInserting))
    #expect(!(source is any ItemRemoving))
    #expect(!(source is any ItemMoving))
    #expect(!(source is any ItemReplacing))
  }
}
