import SectileRemote
import Testing

@Suite struct HeaderFieldsTests {
  @Test func namesAreComparedWithoutRegardToCase() {
    var headers: HeaderFields = ["Link": "<a>", "Accept": "text/plain"]
    headers.append("LINK", "<b>")
    #expect(headers["link"] == "<a>")
    #expect(headers.values(of: "Link") == ["<a>", "<b>"])
    #expect(headers["Host"] == nil)
  }

  @Test func settingReplacesAllValuesOfAName() {
    var headers: HeaderFields = ["A": "1", "a": "2", "B": "3"]
    headers["a"] = "4"
    #expect(headers.fields == [.init(name: "B", value: "3"), .init(name: "a", value: "4")])
    headers["A"] = nil
    #expect(headers.fields.map(\.name) == ["B"])
  }
}
