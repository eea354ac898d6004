import SectileDataSources
import SectilePresenting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct JSONLinesFoundationTests {
  struct Food: Identifiable, Hashable, Sendable {
    let id: Int
    let name: String
  }

  @Test func linesAreEncodedWithSortedKeys() {
    let lines = Mutex<[String]>([])
    let source = ArrayDataSource(name: "food", items: [Food(id: 1, name: "a/b\n")])
    source.load()
    let target = JSONLines<Int, String> { line in lines.withLock { $0.append(line) } }
    let adapter = Adapter(
      source: source, presenter: CellPresenter<Food, String> { food, _ in food.name },
      target: target)
    #expect(
      lines.withLock { $0 } == [
        #"{"reload":{"format":2,"version":1}}"#,
        #"{"header":{"identity":null,"title":""},"section":0,"sections":"insert"}"#,
        #"{"id":1,"item":"a/b\n","path":{"item":0,"section":0},"rows":"insert"}"#,
      ])
    withExtendedLifetime(adapter) {}
  }
}
