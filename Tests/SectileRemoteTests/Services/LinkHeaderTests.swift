import SectileRemote
import Testing

@Suite struct LinkHeaderTests {
  static func next(_ value: String) -> String? {
    LinkHeader(["Link": value]).target(relation: "next")
  }

  @Test(arguments: [
    (#"<https://radio.example/?page=3>; rel="next""#, "https://radio.example/?page=3"),
    (#"<a>; rel="prev", <b>; rel="next", <c>; rel="last""#, "b"),
    (#"<b>;rel=next"#, "b"),
    (#"  <b>  ;  rel = "next"  "#, "b"),
    (#"<b>; REL="NEXT""#, "b"),
    (#"<b>; rel="last next""#, "b"),
    (#"<b?x=1,2;3>; rel="next""#, "b?x=1,2;3"),
    (#"<a>; title="one, two; rel=\"next\""; rel="prev", <b>; rel=next"#, "b"),
    (#"<b>; rel="next"; title="x"#, "b"),
    (#"<b>; rel="next"; rel="prev""#, "b"),
    (#"<b>; title*=UTF-8''n%c3%a4chste; rel=next"#, "b"),
    (#",, <b>; rel=next,,"#, "b"),
    (#"nonsense, <b>; rel=next"#, "b"),
    (#"<b>; flag; rel=next"#, "b"),
    (#"<>; rel=next, <b>; rel=next"#, "b"),
  ])
  func nextLinkIsFound(_ value: String, _ target: String) {
    #expect(Self.next(value) == target)
  }

  @Test(arguments: [
    "", "<a", "<a>", "a; rel=next", #"<a>; rel="prev"; rel="next""#, #"<a>; rel="nextish""#,
    #"<a>; rel="next"; anchor="/other""#, #"<a>; title="rel=next""#, ",,,", #"""#, "<a>;;;;", ";",
    "<a>; rel=\"next", #"<a>; title="\"#,
  ])
  func otherValuesHaveNoNextLink(_ value: String) {
    // A quoted text that is never closed ends with the field, and counts.
    #expect(Self.next(value) == (value == "<a>; rel=\"next" ? "a" : nil))
  }

  @Test func severalFieldsAreOneList() {
    var headers: HeaderFields = ["Link": "<a>; rel=prev"]
    headers.append("link", "<b>; rel=next")
    #expect(LinkHeader(headers).links.map(\.target) == ["a", "b"])
    #expect(LinkHeader(headers).links[1].relations == ["next"])
  }

  @Test func everyCutOfALinkEndsWithoutHarm() {
    let value = #"<a?x=,>; title="q\"uo,te"; rel="next", <b>; rel=last"#
    for length in 0...value.utf8.count {
      let cut = String(decoding: value.utf8.prefix(length), as: UTF8.self)
      #expect(LinkHeader(["Link": cut]).links.count <= 2)
    }
  }
}
