import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct SectionDiagramTests {
  @Test(arguments: [
    "", "fruit: apple pear | veg: leek", "veg(Vegetables): leek=2 kale", "empty: | full: a",
    #"veg[count=2 avg(size)=3.5 max(name)="a b" min(x)=NULL]: leek kale"#,
    #"b(B)[sum(size)=3.0 "count(where a = 'x')"=-1 blob=x'00ff']: x"#,
    #""a[1]": x | "["[sum=1]: y"#,
  ])
  func textSurvivesParsingAndPrinting(_ text: String) throws {
    #expect(try SectionDiagram(parsing: text).description == text)
  }

  @Test func spacesDoNotMatter() throws {
    #expect(try SectionDiagram(parsing: "  a :x   y|b (B b):z") == "a: x y | b(B b): z")
    #expect(try SectionDiagram(parsing: "   ") == "")
  }

  @Test func partsAreWhatTheTextSays() {
    let diagram: SectionDiagram = "fruit(Fresh fruit): apple=red=ripe pear"
    #expect(diagram.sections[0].identity == "fruit")
    #expect(diagram.sections[0].title == "Fresh fruit")
    #expect(
      diagram.sections[0].items == [
        SectionDiagram.Item(id: "apple", contents: "red=ripe"), SectionDiagram.Item(id: "pear"),
      ])
  }

  @Test(arguments: [
    ("fruit apple", "has no colon"), ("a: x | b", "has no colon"), ("a: x | a: y", "two sections"),
    ("a: x x", "two items"), ("a: x | b: x=2", "two items"), ("a[count]: x", "is no aggregate"),
    ("a[count=many]: x", "is no aggregate"), ("a[n=1 n=2]: x", "two aggregates"),
  ])
  func whatIsNoDiagramIsRefused(_ text: String, _ reason: String) {
    #expect {
      try SectionDiagram(parsing: text)
    } throws: { error in
      (error as? SectionDiagramError)?.message.contains(reason) == true
    }
  }

  struct Change: Sendable {
    let before: SectionDiagram
    let after: SectionDiagram
    let lines: [String]
  }

  @Test(arguments: [
    Change(before: "a: x", after: "a: x", lines: []),
    Change(
      before: "fruit: apple pear | veg: leek", after: "fruit: apple | veg: leek pear",
      lines: ["move fruit/1 → veg/1"]),
    Change(before: "a: x y z", after: "a: y z", lines: ["delete a/0"]),
    Change(
      before: "a[count=1 max=NULL]: x", after: "a[count=2 max=NULL]: x y",
      lines: ["update section a count 1→2", "insert a/1"]),
    Change(
      before: "a(A)[count=1]: x", after: "a(B)[count=1.0]: x",
      lines: ["update section a “A” → “B” count 1→1.0"]),
    Change(before: "a: x", after: "a: w x", lines: ["insert a/0"]),
    Change(before: "a: x y", after: "a: x y=2", lines: ["update a/1"]),
    Change(before: "a: x y", after: "a: w x y=2", lines: ["insert a/0", "update a/1 → a/2"]),
    Change(
      before: "a: x | b: y", after: "b: y", lines: ["delete section a", "delete a/0"]),
    Change(
      before: "b: y", after: "a: x | b: y", lines: ["insert section a", "insert a/0"]),
    Change(
      before: "a(A): x", after: "a(B): x", lines: ["update section a “A” → “B”"]),
    Change(
      before: "a: x | b: y", after: "b: y x=2",
      lines: ["delete section a", "move a/0 → b/1 *"]),
  ])
  func changesAreLinesInWords(_ change: Change) {
    #expect(change.before.changes(to: change.after) == change.lines)
  }

  @Test func movedSectionIsOneLine() {
    let before: SectionDiagram = "a: x | b: y | c: z"
    let lines = before.changes(to: "b: y | c: z | a: x")
    #expect(lines == ["move section a 0 → 2"])
  }

  @Test func sourceIsDrawn() throws {
    struct Fruit: Identifiable, Equatable, Sendable {
      let id: String
      let colour: String
    }
    let source = ArrayDataSource(
      name: "fruit",
      items: [Fruit(id: "apple", colour: "red"), Fruit(id: "pear", colour: "green")]
    ) { SourceSection(identity: .text($0.colour), title: $0.colour) }
    #expect(try SectionDiagram(of: source) == "")
    source.load()
    #expect(try SectionDiagram(of: source) == "red: apple | green: pear")
    #expect(
      try SectionDiagram(of: source) { "\($0.id)=\($0.colour)" }
        == "red: apple=red | green: pear=green")
  }
}
