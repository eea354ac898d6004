import Testing

@testable import SectileCore

@Suite struct BlockListTests {
  @Test func blocksAreFoundByNumber() {
    var list = BlockList<Int>()
    for number in 0..<200 { list.append([number]) }
    #expect(list.count == 200)
    for number in 0..<200 { #expect(list[number] == [number]) }
  }

  @Test func copiesDoNotSeeEachOthersChanges() {
    var list = BlockList<Int>()
    for number in 0..<100 { list.append([number]) }
    let copy = list
    list.pages[BlockList<Int>.page(of: 70)][BlockList<Int>.offset(of: 70)].append(1)
    list.append([])
    #expect(copy[70] == [70] && copy.count == 100)
    #expect(list[70] == [70, 1] && list.count == 101)
  }
}
