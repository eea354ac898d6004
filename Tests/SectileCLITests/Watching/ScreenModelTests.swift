import Sectile
import Testing

@testable import SectileCLI

@Suite struct ScreenModelTests {
  /// Contents in memory: sections and the numbers of their rows.
  struct Contents: ScreenContents {
    var version = 1
    var sections: [(identity: StoredValue, rows: [Int64])]
    var name: @Sendable (Int64) -> StoredValue = { .text("row \($0)") }
    var unreadable: Set<Int64> = []
    /// Whether the sum of the numbers is worked out.
    var hasSums = false

    var aggregates: AggregateValues { sum(of: sections.flatMap(\.rows)) }
    func aggregates(ofSection section: Int) -> AggregateValues { sum(of: sections[section].rows) }
    private func sum(of rows: [Int64]) -> AggregateValues {
      hasSums ? ["sum(id)": .integer(rows.reduce(0, +))] : .empty
    }
    var sectionCount: Int { sections.count }
    var rowCount: Int { sections.reduce(0) { $0 + $1.rows.count } }
    func identity(ofSection section: Int) -> StoredValue { sections[section].identity }
    func section(of identity: StoredValue) -> Int? {
      sections.firstIndex { $0.identity == identity }
    }
    func rowCount(inSection section: Int) -> Int { sections[section].rows.count }
    func firstRank(ofSection section: Int) -> Int {
      sections.prefix(section).reduce(0) { $0 + $1.rows.count }
    }
    func id(at path: ItemPath) -> UntypedRow.ID { Self.id(sections[path.section].rows[path.item]) }
    func path(of id: UntypedRow.ID) -> ItemPath? {
      for (section, value) in sections.enumerated() {
        if let item = value.rows.firstIndex(where: { Self.id($0) == id }) {
          return ItemPath(section: section, item: item)
        }
      }
      return nil
    }
    func values(at path: ItemPath) -> [StoredValue]? {
      let row = sections[path.section].rows[path.item]
      return unreadable.contains(row) ? nil : [.integer(row), name(row)]
    }

    static func id(_ number: Int64) -> UntypedRow.ID {
      UntypedRow.ID(keyValues: [.integer(number)])
    }
  }

  private static let small = Contents(sections: [
    (nil, [1, 2, 3]), ("b", [4, 5, 6, 7, 8, 9]), ("c", [10]),
  ])

  private func model(
    _ contents: Contents = small, columns: Int = 30, lines: Int = 9
  ) -> ScreenModel {
    var model = ScreenModel()
    model.resize(columns: columns, lines: lines)
    model.begin(columns: ["id", "name"])
    model.status = ScreenModel.Status(file: "a.db", table: "tool", state: "live")
    model.show(contents)
    return model
  }

  /// The lines between the names and the footer.
  private func body(_ model: ScreenModel, at time: Double = 0) -> [String] {
    var model = model
    return model.draw(at: time).lines.dropFirst(2).dropLast().map(\.text)
  }

  private func press(_ model: inout ScreenModel, _ keys: ScreenKey...) {
    for key in keys { model.press(key) }
  }

  @Test func theScreenShowsTitleNamesHeadsAndRows() {
    var model = model(columns: 70)
    let lines = model.draw(at: 0).lines.map(\.text)
    #expect(lines.count == 9)
    #expect(lines[0].hasPrefix(" tool  10 rows in 3 sections  live  v1  a.db"))
    #expect(
      lines[1...7] == [
        "  id  name", "▾ (NULL) (3)", "   1  row 1", "   2  row 2", "   3  row 3", "▾ b (6)",
        "   4  row 4",
      ])
    #expect(lines[8].hasSuffix("arrows scroll"))
  }

  @Test func theHeadOfTheSectionStaysInSight() {
    var model = model()
    press(&model, .nextSection)
    #expect(body(model)[...1] == ["▾ b (6)", "   4  row 4"])
    press(&model, .down)
    #expect(body(model)[...1] == ["▾ b (6)", "   5  row 5"])
    press(&model, .up)
    #expect(body(model)[...1] == ["▾ b (6)", "   4  row 4"])
    press(&model, .up)
    #expect(body(model)[...1] == ["▾ (NULL) (3)", "   3  row 3"])
    press(&model, .previousSection)
    #expect(model.top == 0)
    press(&model, .previousSection)
    #expect(model.top == 0)
  }

  @Test func theEndIsTheLastLine() {
    var model = model()
    press(&model, .end)
    #expect(body(model).last == "  10  row 10")
    #expect(body(model).first == "▾ b (6)")
    let top = model.top
    press(&model, .down, .pageDown)
    #expect(model.top == top)
    press(&model, .home)
    #expect(model.top == 0)
    for _ in 0..<10 { press(&model, .pageDown) }
    #expect(model.top == top)
  }

  @Test func sectionsFoldAndUnfold() {
    var model = model()
    press(&model, .nextSection, .fold)
    #expect(body(model)[...2] == ["▸ b (6)", "▾ c (1)", "  10  row 10"])
    press(&model, .home)
    #expect(
      body(model) == [
        "▾ (NULL) (3)", "   1  row 1", "   2  row 2", "   3  row 3", "▸ b (6)", "▾ c (1)",
      ])
    press(&model, .nextSection, .nextSection)
    #expect(body(model)[0] == "▾ c (1)")
    press(&model, .previousSection, .fold)
    #expect(body(model)[...1] == ["▾ b (6)", "   4  row 4"])
  }

  @Test func theRowAtTheTopStaysWhenRowsComeAndGoAbove() {
    var model = model()
    press(&model, .nextSection, .down, .down)
    #expect(body(model)[1] == "   6  row 6")
    var next = Self.small
    next.sections.insert(("a", [20, 21]), at: 1)
    next.sections[2].rows = [30, 31, 4, 6, 7, 8, 9]
    next.version = 2
    model.show(next)
    #expect(body(model)[1] == "   6  row 6")
    // The row itself goes: the one below it stays where it is.
    let second = body(model)[2]
    next.sections[2].rows.removeAll { $0 == 6 }
    model.show(next)
    #expect(body(model)[2] == second)
    // At the very beginning new rows are shown.
    press(&model, .home)
    next.sections[0].rows.insert(99, at: 0)
    model.show(next)
    #expect(body(model)[1] == "  99  row 99")
  }

  @Test func contentsThatAreGoneShowNothing() {
    var model = model()
    press(&model, .end)
    model.show(Contents(version: 2, sections: []))
    #expect(body(model).joined().isEmpty)
    press(&model, .down, .up, .pageUp, .pageDown, .nextSection, .previousSection, .fold, .end)
    #expect(model.top == 0)
  }

  @Test func changesStandOutAndFade() {
    var model = model()
    model.highlight(
      [(Contents.id(1), .inserted), (Contents.id(2), .updated), (Contents.id(3), .moved)],
      deletes: 2, at: 10)
    #expect(body(model, at: 10)[1...3] == ["+  1  row 1", "~  2  row 2", ">  3  row 3"])
    func styles(_ time: Double) -> [ScreenStyle?] {
      model.draw(at: time).lines[3...5].map { $0.spans.first?.style }
    }
    #expect(styles(11.9) == [[.green, .bold], [.yellow, .bold], [.blue, .bold]])
    #expect(styles(12.5) == [[.green, .dim], [.yellow, .dim], [.blue, .dim]])
    #expect(model.draw(at: 12).lines.last?.text.hasPrefix("-2 gone") == true)
    model.expireHighlights(at: 13.1)
    #expect(model.highlights.isEmpty)
    #expect(styles(13.1) == [[], [], []])
  }

  @Test func changesAreFollowedWhenAskedFor() {
    var model = model()
    model.highlight([(Contents.id(10), .inserted)], deletes: 0, at: 0)
    #expect(model.top == 0)
    press(&model, .follow)
    model.highlight([(Contents.id(10), .inserted)], deletes: 0, at: 0)
    #expect(body(model).contains("+ 10  row 10"))
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 3), (20, 4), (20, 5), (5, 30), (300, 100)])
  func everySizeIsFilledAndNeverExceeded(columns: Int, lines: Int) {
    var model = model(columns: columns, lines: lines)
    for key: ScreenKey in [.home, .down, .end, .fold, .help, .right] {
      press(&model, key)
      let drawn = model.draw(at: 0).lines
      #expect(drawn.count == lines)
      let ends = drawn.map(\.end)
      #expect(ends.max() ?? 0 <= columns)
    }
  }

  @Test func hostileAndWideValuesLineUp() {
    var contents = Self.small
    contents.name = { number in
      switch number {
      case 1: .text("\u{1B}[2J")
      case 2: .text("日本語")
      case 3: .text("e\u{301}\u{202E}x")
      default: .text("plain")
      }
    }
    contents.sections[1].identity = "b\u{1B}]0;title\u{7}"
    let model = model(contents, columns: 60)
    let lines = body(model)
    #expect(lines[1...3] == ["   1  \\u{1B}[2J", "   2  日本語", "   3  e\u{301}\\u{202E}x"])
    #expect(lines[4] == "▾ b\\u{1B}]0;title\\u{7} (6)")
  }

  @Test func rowsThatCannotBeReadAreAskedForAgain() {
    var contents = Self.small
    contents.unreadable = [2]
    var model = model(contents)
    #expect(!model.draw(at: 0).isComplete)
    #expect(body(model)[2] == "  …")
    model.show(Self.small)
    #expect(model.draw(at: 0).isComplete)
  }

  @Test func rowsThatNothingGroupsHaveNoHead() {
    var model = ScreenModel()
    model.resize(columns: 70, lines: 8)
    model.begin(columns: ["id", "name"], hasHeads: false)
    model.status = ScreenModel.Status(file: "a.db", table: "tool", state: "live")
    model.show(Contents(sections: [(nil, Array(1...20))]))
    #expect(model.draw(at: 0).lines[0].text.hasPrefix(" tool  20 rows  live"))
    #expect(body(model) == (1...5).map { "   \($0)  row \($0)" })
    press(&model, .down)
    #expect(body(model)[0] == "   2  row 2")
    press(&model, .fold, .previousSection)
    #expect(body(model)[0] == "   1  row 1")
    press(&model, .end)
    #expect(body(model).last == "  20  row 20")
    #expect(body(model).first == "  16  row 16")
    model.show(Contents(version: 2, sections: []))
    #expect(body(model).joined().isEmpty)
  }

  @Test func theKeyStaysInSight() {
    var model = ScreenModel()
    model.resize(columns: 24, lines: 5)
    model.begin(columns: ["name", "id", "size"], key: ["id"])
    model.show(Wide(Self.small))
    func line() -> String { model.draw(at: 0).lines[3].text }
    #expect(line() == "  row 1   1  size 1")
    press(&model, .right)
    #expect(line() == "   1  size 1")
    press(&model, .right, .right)
    #expect(line() == "   1  size 1")
    press(&model, .left)
    #expect(line() == "  row 1   1  size 1")
    // A key wider than half of the line would leave no room for the rest.
    model.resize(columns: 6, lines: 5)
    press(&model, .right)
    #expect(line() == "  siz…")
  }

  @Test func aggregatesStandBesideTheCounts() {
    var contents = Self.small
    contents.hasSums = true
    var model = model(contents, columns: 60)
    #expect(body(model)[0] == "▾ (NULL) (3)  sum(id) 6")
    #expect(model.draw(at: 0).lines[0].text.contains("10 rows in 3 sections  live  sum(id) 55"))
    #expect(body(self.model(contents, columns: 20))[0] == "▾ (NULL) (3)  sum(i…")
  }

  /// The same with three columns, the key in the middle.
  struct Wide: ScreenContents {
    let contents: Contents

    init(_ contents: Contents) { self.contents = contents }

    var version: Int { contents.version }
    var sectionCount: Int { contents.sectionCount }
    var rowCount: Int { contents.rowCount }
    func identity(ofSection section: Int) -> StoredValue { contents.identity(ofSection: section) }
    func section(of identity: StoredValue) -> Int? { contents.section(of: identity) }
    func rowCount(inSection section: Int) -> Int { contents.rowCount(inSection: section) }
    func firstRank(ofSection section: Int) -> Int { contents.firstRank(ofSection: section) }
    func id(at path: ItemPath) -> UntypedRow.ID { contents.id(at: path) }
    func path(of id: UntypedRow.ID) -> ItemPath? { contents.path(of: id) }
    func values(at path: ItemPath) -> [StoredValue]? {
      contents.values(at: path).map { values in
        [values[1], values[0], .text("size \(values[0].description)")]
      }
    }
  }

  @Test func columnsKeepTheirWidthAndShift() {
    var contents = Self.small
    contents.name = { .text($0 == 1 ? String(repeating: "w", count: 100) : "x") }
    var model = model(contents, columns: 20)
    #expect(body(model)[1] == "   1  wwwwwwwwwwwww…")
    press(&model, .right)
    #expect(body(model)[1] == "  wwwwwwwwwwwwwwwww…")
    press(&model, .right, .left)
    #expect(body(model)[2] == "   2  x")
  }
}
