import Testing

@testable import SectileCore

@Suite struct PagedTableTests {
  @Test func keysThatWereNeverSetAreAbsent() {
    let table = PagedTable()
    #expect(table[0] == -1 && table[-1] == -1 && table[100_000] == -1)
  }

  @Test func copiesDoNotSeeEachOthersChanges() {
    var table = PagedTable()
    table[3] = 1
    table[9_000] = 2
    let copy = table
    table[3] = 7
    #expect(copy[3] == 1 && copy[9_000] == 2)
    #expect(table[3] == 7 && table[9_000] == 2 && table[4_096] == -1)
  }
}
