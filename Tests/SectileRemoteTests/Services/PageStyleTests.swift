import SectileRemote
import Testing

@Suite struct PageStyleTests {
  static func query(_ style: PageStyle, _ page: PageToken) -> String {
    style.request(for: page).parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  static func next(
    _ style: PageStyle, _ page: PageToken, _ items: Int, total: Int? = nil, link: String? = nil
  ) -> PageToken? {
    let headers: HeaderFields = link.map { ["Link": $0] } ?? [:]
    return style.next(
      after: page, itemCount: items, total: total, in: PageResponse(headers: headers))
  }

  /// Numbers come from the service, or from a user who means "no limit".
  @Test(
    arguments: [PageStyle.number(first: .min), .number(), .number(first: .max)], [nil, Int.max])
  func largestNumbersHaveNoNextPage(_ style: PageStyle, total: Int?) {
    #expect(Self.next(style, .number(.max), 5, total: total) == nil)
    _ = Self.next(style, .number(.max - 1), 5, total: total)
    _ = Self.next(style, .number(.min), 5, total: total)
    let offsets = PageStyle.offset(sizeParameter: "limit", size: .max)
    #expect(Self.next(offsets, .offset(.max), 5, total: total) == nil)
    #expect(Self.next(offsets, .offset(.max - 5), .max, total: total) == nil)
  }

  @Test(
    arguments: [
      (.whole, .start, ""),
      (.number(), .number(1), "page=1"),
      (.number(parameter: "p", first: 0, sizeParameter: "per", size: 50), .number(3), "p=3&per=50"),
      (.number(size: 50), .number(3), "page=3"),
      (.offset(sizeParameter: "limit", size: 20), .offset(40), "offset=40&limit=20"),
      (.cursor(), .start, ""),
      (.cursor(parameter: "after", sizeParameter: "n", size: 5), .cursor("x y"), "after=x y&n=5"),
      (.link(sizeParameter: "n", size: 5), .start, "n=5"),
      (.link(sizeParameter: "n", size: 5), .link("https://a/?page=2"), ""),
    ] as [(PageStyle, PageToken, String)])
  func pageIsNamedByItsParameters(_ style: PageStyle, _ page: PageToken, _ query: String) {
    #expect(Self.query(style, page) == query)
    #expect(style.request(for: page).link == page.link)
  }

  @Test func limitOfTheBodyIsPassedOn() {
    #expect(PageStyle.whole.request(for: .start, bodySizeLimit: 9).bodySizeLimit == 9)
  }

  @Test func listsBeginWithTheFirstPageOfTheirStyle() {
    #expect(PageStyle.number().firstPage == .number(1))
    #expect(PageStyle.number(first: 0).firstPage == .number(0))
    #expect(PageStyle.offset().firstPage == .offset(0))
    for style in [PageStyle.whole, .cursor(), .link()] { #expect(style.firstPage == .start) }
  }

  @Test func numberedPagesEndWithAnEmptyOneOrWhereTheTotalSays() {
    #expect(Self.next(.number(), .number(4), 3) == .number(5))
    #expect(Self.next(.number(), .number(4), 0) == nil)
    #expect(Self.next(.number(size: 3), .number(4), 2) == nil)
    #expect(Self.next(.number(size: 3), .number(4), 3, total: 12) == nil)
    #expect(Self.next(.number(size: 3), .number(4), 2, total: 13) == .number(5))
    #expect(Self.next(.number(first: 0, size: 3), .number(3), 3, total: 12) == nil)
    #expect(Self.next(.number(), .start, 3) == nil)
  }

  @Test func offsetsGoOnBehindWhatCame() {
    #expect(Self.next(.offset(), .offset(40), 7) == .offset(47))
    #expect(Self.next(.offset(), .offset(40), 0) == nil)
    #expect(Self.next(.offset(size: 20), .offset(40), 7) == nil)
    #expect(Self.next(.offset(size: 20), .offset(40), 7, total: 60) == .offset(47))
    #expect(Self.next(.offset(size: 20), .offset(40), 20, total: 60) == nil)
  }

  @Test func countsThatOverflowEndTheList() {
    // A token may come from a file, a total from anybody.
    #expect(Self.next(.offset(), .offset(.max), 1) == nil)
    #expect(Self.next(.offset(), .offset(.max), 1, total: .max) == nil)
    #expect(Self.next(.number(), .number(.max), 1) == nil)
    #expect(Self.next(.number(size: 50), .number(.max), 1, total: 1) == nil)
    #expect(Self.next(.number(first: -1, size: 50), .number(.max), 1, total: 1) == nil)
    #expect(Self.next(.number(size: 50), .number(.max / 2), 50, total: .max) == nil)
    #expect(Self.next(.number(size: 2), .number(.min), 2, total: 1) == nil)
  }

  @Test func linkedPagesEndWithoutALink() {
    #expect(Self.next(.link(), .start, 0, link: "</p?n=2>; rel=next") == .link("/p?n=2"))
    #expect(Self.next(.link(), .link("/p?n=2"), 5, link: "</p>; rel=prev") == nil)
  }

  @Test func wholeListsAndCursorsHaveNoNextPageOfTheirOwn() {
    #expect(Self.next(.whole, .start, 5) == nil)
    #expect(Self.next(.cursor(), .cursor("a"), 5) == nil)
  }
}
