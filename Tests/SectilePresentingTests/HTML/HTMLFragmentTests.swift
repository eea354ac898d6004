import SectileDataSources
import SectilePresenting
import Testing

@Suite(.timeLimit(.minutes(10))) struct HTMLFragmentTests {
  @Test func appendingGivesWhatJoiningGives() {
    let pieces: [HTMLFragment] = [.text("a & b"), .element("b", [:], "c"), .empty, "<"]
    var appended = HTMLFragment.empty
    for piece in pieces { appended += piece }
    #expect(appended == pieces.reduce(.empty) { $0 + $1 })
    #expect(appended.markup == "a &amp; b<b>c</b>&lt;")
  }

  @Test(arguments: [
    ("plain 日本 é", "plain 日本 é"),
    ("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"),
    ("a & b &amp; \"c\"", "a &amp; b &amp;amp; &quot;c&quot;"),
    ("nul\u{0} esc\u{1B} c1\u{9B}", "nul\u{FFFD} esc\u{FFFD} c1\u{FFFD}"),
    ("line\nbreak\ttab", "line\nbreak\ttab"),
  ])
  func textMeansItself(text: String, markup: String) {
    #expect(HTMLFragment.text(text).markup == markup)
  }

  @Test func elementsAreBuilt() {
    let fragment = HTMLFragment.element(
      "a", ["href": "?q=\"><b>", "data-n": "1"], "x < y" + .element("br"))
    #expect(
      fragment.markup
        == "<a href=\"?q=&quot;&gt;&lt;b&gt;\" data-n=\"1\">x &lt; y<br></br></a>")
    #expect(HTMLFragment.cells(["a", .text("<")]).markup == "<td>a</td><td>&lt;</td>")
    #expect(HTMLFragment.unsafeMarkup("<hr>").description == "<hr>")
    let name = "<i>"
    #expect(("name \(name)" as HTMLFragment).markup == "name &lt;i&gt;")
  }

  @Test func namesThatCouldBreakOutEndTheProcess() async {
    await #expect(processExitsWith: .failure) { _ = HTMLFragment.element("b onclick=x") }
    await #expect(processExitsWith: .failure) { _ = HTMLFragment.element("b", ["a\"": ""]) }
  }
}
