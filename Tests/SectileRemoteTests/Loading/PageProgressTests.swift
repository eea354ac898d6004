import Testing

@testable import SectileRemote

@Suite struct PageProgressTests {
  static func limits(empty: Int = 2, pages: Int = 100) -> RemoteConfiguration {
    RemoteConfiguration(emptyPageLimit: empty, pageCountLimit: pages)
  }

  @Test func pagesAreCountedAndFollowEachOther() {
    var progress = PageProgress(firstPage: 1)
    #expect(progress.next == 1)
    #expect(!progress.hasStarted)
    #expect(
      progress.advance(past: 1, nextPage: 2, isEmpty: false, total: 9, Self.limits()) == nil)
    #expect(
      progress.advance(past: 2, nextPage: nil, isEmpty: true, total: nil, Self.limits()) == nil)
    #expect(progress.next == nil)
    #expect(progress.pageCount == 1)
    #expect(progress.total == 9)
    #expect(progress.hasStarted)
  }

  @Test func pageThatLeadsBackIsALoopAndIsNotPassed() {
    for loop in [1, 2] {
      var progress = PageProgress(firstPage: 1)
      _ = progress.advance(past: 1, nextPage: 2, isEmpty: false, total: nil, Self.limits())
      let error = progress.advance(
        past: 2, nextPage: loop, isEmpty: false, total: nil, Self.limits())
      #expect(error?.code == .tokenLoop)
      #expect(progress.next == 2)
    }
  }

  @Test func loopIsToldByNumbersSinceTokensMayBeSecret() throws {
    let start = PageToken.cursor("SECRET-1")
    var progress = PageProgress(firstPage: start)
    let second = PageToken.cursor("SECRET-2")
    _ = progress.advance(past: start, nextPage: second, isEmpty: false, total: nil, Self.limits())
    let loop = progress.advance(
      past: second, nextPage: start, isEmpty: false, total: nil, Self.limits())
    let error = try #require(loop)
    #expect(!"\(error) \(error.message)".contains("SECRET"))
    #expect(error.message == "Page 2 of the list names page 1 as its next, loaded before.")
  }

  @Test func emptyPagesInARowHaveALimit() {
    var progress = PageProgress(firstPage: 0)
    for page in 0..<2 {
      #expect(
        progress.advance(past: page, nextPage: page + 1, isEmpty: true, total: nil, Self.limits())
          == nil)
    }
    var full = progress
    let error = progress.advance(past: 2, nextPage: 3, isEmpty: true, total: nil, Self.limits())
    #expect(error?.code == .tooManyEmptyPages)
    #expect(
      full.advance(past: 2, nextPage: 3, isEmpty: false, total: nil, Self.limits()) == nil)
    #expect(full.emptyPages == 0)
  }

  @Test func listHasALimitOfPages() {
    var progress = PageProgress(firstPage: 0)
    let limits = Self.limits(pages: 2)
    #expect(progress.advance(past: 0, nextPage: 1, isEmpty: false, total: nil, limits) == nil)
    var ending = progress
    #expect(ending.advance(past: 1, nextPage: nil, isEmpty: false, total: nil, limits) == nil)
    let error = progress.advance(past: 1, nextPage: 2, isEmpty: false, total: nil, limits)
    #expect(error?.code == .tooManyPages)
  }
}
