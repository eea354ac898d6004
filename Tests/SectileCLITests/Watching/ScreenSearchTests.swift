import Sectile
import Testing

@testable import SectileCLI

/// Searching and choosing rows on the screen of a watch.
@Suite struct ScreenSearchTests {
  private typealias Contents = ScreenModelTests.Contents

  private static let whole = Contents(sections: [
    (nil, [1, 2, 3]), ("b", [4, 5, 6, 7, 8, 9]), ("c", [10, 11, 12, 13, 14, 15, 16]),
  ])

  private func model(_ contents: Contents = whole) -> ScreenModel {
    var model = ScreenModel()
    model.resize(columns: 60, lines: 9)
    model.begin(columns: ["id", "name"])
    model.show(contents)
    return model
  }

  private func type(_ text: String, into model: inout ScreenModel) {
    for scalar in text.unicodeScalars { model.take(.character(scalar)) }
  }

  /// Searches to the end.
  private func finish(_ model: inout ScreenModel) {
    while model.isSearching { model.searchOn(upTo: 2) }
  }

  private func lines(_ model: ScreenModel) -> [String] {
    var model = model
    return model.draw(at: 0).lines.map(\.text)
  }

  /// The chosen row as it is shown.
  private func chosen(_ model: ScreenModel) -> String? {
    lines(model).first { $0.hasPrefix(" ›") }
  }

  @Test func aSearchGoesToTheMatchesInOrderAndAround() {
    var model = model()
    type("/row 1\r", into: &model)
    #expect(model.isSearching)
    finish(&model)
    #expect(chosen(model) == " › 1  row 1")
    for number in 10...12 {
      type("n", into: &model)
      finish(&model)
      #expect(chosen(model) == " ›\(number)  row \(number)")
    }
    #expect(lines(model).last?.hasPrefix("/row 1 ") == true)
    type("NNNN", into: &model)
    finish(&model)
    #expect(chosen(model) == " ›11  row 11")
    for _ in 0..<2 {
      type("N", into: &model)
      finish(&model)
    }
    #expect(chosen(model) == " › 1  row 1")
    type("N", into: &model)
    finish(&model)
    #expect(chosen(model) == " ›16  row 16")
    #expect(lines(model).last?.hasPrefix("went on at the other end") == true)
  }

  @Test func aTextThatNoRowContainsIsSaid() {
    var model = model()
    type("/nothing\r", into: &model)
    finish(&model)
    #expect(chosen(model) == nil)
    #expect(lines(model).last?.hasPrefix("no row contains nothing") == true)
    type("j", into: &model)
    #expect(lines(model).last?.hasPrefix("/nothing") == true)
    // There is nothing to search in.
    model.show(Contents(version: 2, sections: []))
    type("n", into: &model)
    finish(&model)
    #expect(lines(model).last?.hasPrefix("no row contains nothing") == true)
  }

  @Test(arguments: [
    ("row", StoredValue.text("a Row"), true), ("Row", StoredValue.text("a row"), false),
    ("null", StoredValue.null, true), ("1.5", StoredValue.real(11.5), true),
    ("00ff", StoredValue.blob([0, 255]), true), ("12", StoredValue.integer(123), true),
    ("13", StoredValue.integer(123), false),
  ])
  func capitalLettersCountWhereTheTextHasThem(text: String, value: StoredValue, isMatch: Bool) {
    #expect(ScreenSearch(text).matches(value) == isMatch)
  }

  @Test func aMatchInAFoldedSectionUnfoldsIt() {
    var model = model()
    model.press(.nextSection)
    model.press(.fold)
    model.press(.home)
    type("/row 6\r", into: &model)
    finish(&model)
    #expect(chosen(model) == " › 6  row 6")
    #expect(lines(model).contains("▾ b (6)"))
  }

  @Test func theMatchingCellsAreUnderlined() {
    var model = model()
    type("/ROW 2\r", into: &model)
    finish(&model)
    #expect(model.isSearching == false)
    type("/row 2\r", into: &model)
    finish(&model)
    let styles = model.draw(at: 0).lines.first { $0.text.hasPrefix(" ›") }?.spans.map(\.style)
    #expect(styles == [.bold, .reverse, [.reverse, .underline]])
  }

  @Test func arrowsChooseAnotherRowWhereOneIsChosen() {
    var model = model()
    type("/row 3\r", into: &model)
    finish(&model)
    type("j", into: &model)
    #expect(chosen(model) == " › 4  row 4")
    type("kkkkkk", into: &model)
    #expect(chosen(model) == " › 1  row 1")
    model.press(.end)
    #expect(chosen(model) == " ›16  row 16")
    type("j", into: &model)
    #expect(chosen(model) == " ›16  row 16")
    type("p", into: &model)
    #expect(chosen(model) == " ›10  row 10")
    type("p", into: &model)
    #expect(chosen(model) == " › 4  row 4")
    type("]", into: &model)
    #expect(chosen(model) == " ›10  row 10")
    model.press(.home)
    #expect(chosen(model) == " › 1  row 1")
    model.press(.pageDown)
    #expect(chosen(model) != nil)
    model.press(.escape)
    #expect(chosen(model) == nil)
    #expect(model.search == nil)
    // Without a search it is the next section.
    model.press(.home)
    type("n", into: &model)
    #expect(lines(model)[2] == "▾ b (6)")
  }

  @Test func theNextRowIsChosenWhereTheChosenOneGoes() {
    var model = model()
    type("/row 5\r", into: &model)
    finish(&model)
    var next = Self.whole
    next.sections[1].rows.removeAll { $0 == 5 }
    model.show(next)
    #expect(chosen(model) == " › 6  row 6")
    model.show(Contents(version: 3, sections: []))
    #expect(model.cursor == nil)
  }

  @Test func aSearchThatIsOutOfTimeGoesOnLater() {
    var model = model()
    type("/row 3\r", into: &model)
    model.searchOn(upTo: 100) { false }
    #expect(model.search?.walk?.count == 1)
    finish(&model)
    #expect(chosen(model) == " › 3  row 3")
  }

  @Test func ofALongTextTheBeginningIsLookedAt() {
    let search = ScreenSearch("é")
    let text = StoredValue.text("aaé")
    #expect(search.matches(text, upTo: 4))
    #expect(!search.matches(text, upTo: 3))
    #expect(!search.matches(text, upTo: 2))
  }

  @Test func escapeStopsASearchThatRuns() {
    var model = model()
    type("/row 9\r", into: &model)
    model.searchOn(upTo: 3)
    #expect(model.isSearching)
    #expect(lines(model).last?.hasPrefix("/row 9  … 18 %") == true)
    type("\u{1B}", into: &model)
    #expect(!model.isSearching)
    #expect(model.search?.text == "row 9")
  }

  @Test func aLineOfTextIsCorrectedCancelledAndLimited() {
    var entry = ScreenEntry(.search)
    for scalar in "ab日\u{7F}c\u{1B}".unicodeScalars.dropLast() {
      #expect(entry.take(.character(scalar)) == .typing)
    }
    #expect(entry.text == "abc")
    #expect(entry.take(.key(.up)) == .typing)
    #expect(entry.take(.character("\u{15}")) == .typing)
    #expect(entry.text.isEmpty)
    #expect(entry.take(.character("\u{7F}")) == .cancelled)
    #expect(entry.take(.character("\u{1B}")) == .cancelled)
    #expect(entry.take(.character("\r")) == .entered)
    // What a terminal could act upon is not taken.
    #expect(entry.take(.character("\u{9B}")) == .typing)
    for _ in 0..<2000 { _ = entry.take(.character("x")) }
    #expect(entry.text.count == ScreenEntry.lengthLimit)
    #expect(entry.shown(in: 5) == "xxxx█")
    #expect(entry.shown(in: 1).count <= 2)
  }

  @Test func whileTextIsTypedKeysAreCharacters() {
    var model = model()
    type("/q?n", into: &model)
    #expect(model.entry?.text == "q?n")
    #expect(!model.isQuitting && !model.showsHelp)
    #expect(lines(model).last == "/q?n█")
    type("\u{1B}", into: &model)
    #expect(model.entry == nil)
    #expect(model.search == nil)
    type("/\u{3}", into: &model)
    #expect(model.isQuitting)
  }
}
