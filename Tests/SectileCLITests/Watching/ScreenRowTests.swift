import Sectile
import Testing

@testable import SectileCLI

/// A row that is shown whole, and conditions, on the screen of a watch.
@Suite struct ScreenRowTests {
  private typealias Contents = ScreenModelTests.Contents

  private static let whole = Contents(sections: [(nil, [1, 2, 3]), ("b", [4, 5])])

  private func model(
    _ contents: Contents = whole, columns: Int = 40, lines: Int = 8
  ) -> ScreenModel {
    var model = ScreenModel()
    model.resize(columns: columns, lines: lines)
    model.begin(columns: ["id", "name"])
    model.show(contents)
    return model
  }

  private func lines(_ model: inout ScreenModel, at time: Double = 0) -> [String] {
    model.draw(at: time).lines.map(\.text)
  }

  @Test func enterShowsARowWhole() {
    @Sendable func xs(_ count: Int) -> String { String(repeating: "x", count: count) }
    var contents = Self.whole
    contents.name = { _ in .text("one two\nthree\u{1B}" + xs(40)) }
    var model = model(contents, columns: 30)
    model.take(.character("\r"))
    let first = lines(&model)
    let crosses = ["three\\u{1B}" + xs(11), xs(22), xs(7)].map { "        " + $0 }
    #expect(first[1...3] == [" row 1 of 5", "  id    1", "  name  one two"])
    #expect(Array(first[4...6]) == crosses)
    #expect(first[7].contains("Esc back"))
    model.press(.right)
    var shown = lines(&model)
    #expect(shown[1] == " row 2 of 5")
    model.press(.left)
    model.press(.left)
    shown = lines(&model)
    #expect(shown[1] == " row 1 of 5")
    model.press(.escape)
    shown = lines(&model)
    #expect(shown[3].hasPrefix(" › 1  one two"))
  }

  @Test func aLongRowIsScrolled() {
    var contents = Self.whole
    contents.name = { _ in .text((1...50).map { "line \($0)" }.joined(separator: "\n")) }
    var model = model(contents)
    model.press(.enter)
    var shown = lines(&model)
    #expect(shown[6] == "        line 4")
    model.press(.down)
    shown = lines(&model)
    #expect(shown[6] == "        line 5")
    model.press(.pageDown)
    shown = lines(&model)
    #expect(shown[6] == "        line 9")
    model.press(.end)
    model.press(.down)
    shown = lines(&model)
    #expect(shown[6] == "        line 50")
    model.press(.up)
    shown = lines(&model)
    #expect(shown[6] == "        line 49")
    model.press(.home)
    shown = lines(&model)
    #expect(shown[2] == "  id    1")
  }

  @Test func ofALargeValueTheBeginningIsShown() {
    let limit = ScreenRow.byteLimit
    let text = ScreenRow.text(of: .text(String(repeating: "é", count: limit + 2)))
    #expect(text.hasSuffix("é\n… 4 bytes more"))
    let whole = String(repeating: "é", count: limit)
    #expect(ScreenRow.text(of: .text(whole)) == whole)
    let blob = ScreenRow.text(of: .blob([UInt8](repeating: 255, count: limit / 2 + 1)))
    #expect(blob.hasSuffix("ff'\n… 1 byte more") || blob.hasSuffix("FF'\n… 1 byte more"))
    #expect(ScreenRow.text(of: .integer(7)) == "7")
  }

  @Test func changesStandOutAndFade() {
    var model = model()
    model.press(.enter)
    var shown = lines(&model)
    #expect(shown[3] == "  name  row 1")
    var next = Self.whole
    next.version = 2
    next.sections[0].rows.insert(9, at: 0)
    next.name = { .text("other \($0)") }
    model.show(next)
    shown = lines(&model, at: 5)
    #expect(shown[1...3] == [" row 2 of 6", "  id    1", "~ name  other 1"])
    #expect(model.hasHighlights)
    model.expireHighlights(at: 7.9)
    shown = lines(&model, at: 7.9)
    #expect(shown[3] == "~ name  other 1")
    model.expireHighlights(at: 8.1)
    #expect(!model.hasHighlights)
    shown = lines(&model, at: 8.1)
    #expect(shown[3] == "  name  other 1")
  }

  @Test func aRowThatIsGoneIsSaidAndKeptInSight() {
    var model = model()
    model.press(.enter)
    model.press(.right)
    var shown = lines(&model)
    #expect(shown[2] == "  id    2")
    var next = Self.whole
    next.sections[0].rows = [1, 3]
    model.show(next)
    shown = lines(&model)
    #expect(
      shown[1...3] == [
        " This row is gone: it was deleted, or i…", "  id    2", "  name  row 2",
      ])
    // The row that follows it.
    model.press(.right)
    shown = lines(&model)
    #expect(shown[1...2] == [" row 2 of 4", "  id    3"])
    // It comes back.
    model.press(.left)
    model.show(Contents(version: 3, sections: []))
    shown = lines(&model)
    #expect(shown[1].hasPrefix(" This row is gone"))
    model.show(Self.whole)
    shown = lines(&model)
    #expect(shown[1] == " row 1 of 5")
    model.show(Contents(version: 4, sections: []))
    for key: ScreenKey in [.left, .right, .escape, .enter] { model.press(key) }
    #expect(model.openRow == nil)
  }

  @Test func aRowThatCannotBeReadIsAskedForAgain() {
    var contents = Self.whole
    contents.unreadable = [1]
    var model = model(contents)
    model.press(.enter)
    #expect(!model.draw(at: 0).isComplete)
    model.show(Self.whole)
    #expect(model.draw(at: 0).isComplete)
    let shown = lines(&model)
    #expect(shown[3] == "  name  row 1")
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 3), (20, 4), (5, 30), (300, 100)])
  func everySizeIsFilledAndNeverExceeded(columns: Int, lines: Int) {
    var contents = Self.whole
    contents.name = { _ in .text(String(repeating: "日本", count: 30)) }
    var model = model(contents, columns: columns, lines: lines)
    model.filtered(.met("size > 9"))
    for key: ScreenKey in [.other, .enter, .end, .help, .other, .escape] {
      model.press(key)
      let drawn = model.draw(at: 0).lines
      #expect(drawn.count == lines)
      let ends = drawn.map(\.end)
      #expect(ends.max() ?? 0 <= columns)
    }
  }

  // MARK: - Conditions

  private func type(_ text: String, into model: inout ScreenModel) {
    for scalar in text.unicodeScalars { model.take(.character(scalar)) }
  }

  @Test func aConditionIsAskedForShownAndCleared() {
    var model = model(columns: 70)
    type("wid > 2\r", into: &model)
    #expect(model.takeWantedFilter() == WatchFilter.Wish(condition: "id > 2"))
    #expect(model.takeWantedFilter() == nil)
    var shown = lines(&model)
    #expect(!shown[1].contains("where"))
    model.filtered(.met("id > 2"))
    shown = lines(&model)
    #expect(shown[1].hasPrefix(" where id > 2 ") && shown[1].hasSuffix("Esc shows all rows"))
    #expect(shown[2].hasPrefix("  id  name"))
    #expect(shown.count == 8)
    type("\u{1B}", into: &model)
    #expect(model.takeWantedFilter() == WatchFilter.Wish(condition: nil))
    model.filtered(.met(nil))
    shown = lines(&model)
    #expect(shown[1].hasPrefix("  id  name"))
    type("\u{1B}", into: &model)
    #expect(model.takeWantedFilter() == nil)
  }

  @Test func aConditionThatIsRefusedIsSaidAndCanBeCorrected() {
    var model = model(columns: 70)
    type("wsiz > 2\r", into: &model)
    model.filtered(.refused("no such column: siz"))
    var shown = lines(&model)
    #expect(shown[7].hasPrefix("no such column: siz"))
    #expect(model.filter == nil)
    type("w", into: &model)
    shown = lines(&model)
    #expect(shown[7] == "where siz > 2█")
    type("\u{15} \r", into: &model)
    #expect(model.takeWantedFilter() == WatchFilter.Wish(condition: nil))
  }

  @Test func conditionsAreJoinedWithoutMixingThem() {
    #expect(WatchFilter.joined(nil, nil) == nil)
    #expect(WatchFilter.joined("a", nil) == "a")
    #expect(WatchFilter.joined(nil, "b") == "b")
    #expect(WatchFilter.joined("a OR b", "c -- d") == "(a OR b\n) AND (c -- d\n)")
  }

  @Test func aWishIsAnsweredAndTheLastOneCounts() {
    let filter = WatchFilter(wakesWatch: {}, wakesScreen: {})
    #expect(filter.takeWish() == nil)
    filter.ask(for: WatchFilter.Wish(condition: "a"))
    filter.ask(for: WatchFilter.Wish(condition: "b"))
    #expect(filter.takeWish()?.condition == "b")
    filter.ask(for: WatchFilter.Wish(condition: "c"))
    filter.putBack(WatchFilter.Wish(condition: "b"))
    #expect(filter.takeWish()?.condition == "c")
    #expect(filter.takeWish() == nil)
    filter.putBack(WatchFilter.Wish(condition: "b"))
    #expect(filter.takeWish()?.condition == "b")
    filter.answer(.met("b"))
    #expect(filter.takeAnswer() == .met("b"))
    #expect(filter.takeAnswer() == nil)
  }
}
