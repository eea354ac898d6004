import SectileCore
import SectileTestSupport
import Testing

/// What a test that fails says: each message is shown by one that fails on purpose.
@Suite(.timeLimit(.minutes(60))) struct ExpectingTests {
  typealias Recorder = ChangeRecorder<String, SectionDiagram.Item>
  struct Trouble: Error {}

  /// A source that shows diagrams.
  final class DiagramSource: DataSource {
    let name = "books"
    private let contents = LiveContents<String, SectionDiagram.Item>()

    init() { events.bind(self) }

    var events: DataSourceEvents<String, SectionDiagram.Item> { contents.events }
    var snapshot: ContentsSnapshot<String, SectionDiagram.Item> { contents.snapshot }
    func load() { contents.load() }

    func show(_ diagram: SectionDiagram) {
      contents.submit(diagram.contents().sections)
      events.flush()
    }
  }

  /// Returns what is said where something is not as expected.
  static func text(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "(nothing)"
    } catch {
      return "\(error)"
    }
  }

  @Test func contentsThatAreOthersAreShownBesideTheExpectedOnes() throws {
    let source = DiagramSource()
    source.load()
    source.show("A: Emma | B: Middlemarch")
    #expect(
      Self.text { try expect(source, shows: "A: Emma | B: \"War and Peace\"") } == """
        books does not show what is expected.
        expected: A: Emma | B: "War and Peace"
        found:    A: Emma | B: Middlemarch
          A: Emma
        - B: "War and Peace"
        + B: Middlemarch
        """)
    source.show("A: Emma | B: \"War and Peace\"")
    try expect(source, shows: "A: Emma | B: \"War and Peace\"")
  }

  @Test func itemsAreDrawnAsTheLabelSays() throws {
    let source = DiagramSource()
    source.load()
    source.show("A: x=old y")
    try expect(source, shows: "A: x=old y") {
      $0.contents.isEmpty ? $0.id : "\($0.id)=\($0.contents)"
    }
    let text = Self.text {
      try expect(source, shows: "A: x=new y") { "\($0.id)=\($0.contents)" }
    }
    #expect(text.contains("- A: x=new y\n+ A: x=old y"))
  }

  @Test func changesThatAreOthersAreShownBesideTheExpectedOnes() throws {
    let (source, recorder) = (DiagramSource(), Recorder())
    source.delegate = recorder
    source.load()
    source.show("A: x y | B: z")
    try recorder.expect([
      "insert section A", "insert section B", "insert A/0", "insert A/1", "insert B/0",
    ])
    source.show("A: x | B: z y")
    #expect(
      Self.text { try recorder.expect(["move A/1 → B/0", "update A/0"]) } == """
        The changes are not the expected ones.
        contents now: A:[#x]; B:[#z #y]
        - move A/1 → B/0
        - update A/0
        + move A/1 → B/1
        """)
    // What was expected in vain is not found again.
    try recorder.expect([])
  }

  @Test func failureIsAViolationUnlessItIsExpected() throws {
    let (source, recorder) = (DiagramSource(), Recorder())
    source.delegate = recorder
    source.events.submit(failure: Trouble())
    source.events.flush()
    let said =
      "a load failed: Trouble() (a test that expects that asks for the recorder's errors)"
    #expect(Self.text { try recorder.check() } == said)
    #expect(Self.text { try recorder.expect([]) } == said)
    #expect(recorder.errors.count == 1)
    try recorder.check()
  }

  @Test func recorderThatIsAttachedLateSaysSo() throws {
    let (source, recorder) = (DiagramSource(), Recorder())
    source.load()
    source.show("A: x")
    source.delegate = recorder
    source.show("A: x y")
    #expect(
      Self.text { try recorder.check() }
        == "the recorder was attached late: the source was at version 1 already; attach it before the "
        + "first load, or make it with the contents of that version")
    let early = Recorder(contents: source.snapshot.contents)
    source.delegate = early
    source.show("A: y")
    try early.expect(["delete A/0"])
  }

  @Test(arguments: [
    "A: \"War and Peace\" Emma", "\"a|b\": x", "A(\"x: y\"): \"=\"=z \"\\\"\\\\\"",
    "two words: x=\"y z\"",
    "A: \"\"",
  ])
  func namesInQuotesSurviveParsingAndPrinting(_ text: String) throws {
    let diagram = try SectionDiagram(parsing: text)
    #expect(diagram.description == text)
    #expect(try SectionDiagram(parsing: diagram.description) == diagram)
  }

  @Test func changesetsAreComparedByWhatTheySay() {
    func changes(_ before: SectionDiagram, _ after: SectionDiagram) -> Changeset<
      String, SectionDiagram.Item
    > {
      Changeset(from: before.contents(version: 1), to: after.contents(version: 2))
    }
    #expect(changes("A: x", "A: x y") == changes("A: x", "A: x y"))
    #expect(changes("A: x", "A: x y") != changes("A: x", "A: y x"))
    #expect(changes("A: x=1", "A: x=2") != changes("A: x=1", "A: x=3"))
    #expect(changes("A(a): x", "A(b): x") != changes("A(a): x", "A(c): x"))
    #expect(changes("A: x | B: y", "A: | B: y x") != changes("A: x | B: y", "B: y x"))
    #expect(changes("A: x", "A:") == changes("A: x", "A:"))
  }
}
