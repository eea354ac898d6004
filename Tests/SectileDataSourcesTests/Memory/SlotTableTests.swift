import SectileTestSupport
import Testing

@testable import SectileDataSources

@Suite struct SlotTableTests {
  @Test func numbersAreGivenOutAgainOnceTheyAreTakenBack() {
    var table = SlotTable<String>()
    #expect(table.insert("a") == 0)
    #expect(table.insert("b") == 1)
    table.remove(0)
    #expect(table.insert("c") == 0)
    #expect(table.insert("d") == 2)
    #expect([table[0], table[1], table[2]] == ["c", "b", "d"])
  }

  @Test func tableDoesWhatADictionaryDoes() {
    var random = SeededRandom(seed: 3)
    var table = SlotTable<Int>()
    var model: [Int32: Int] = [:]
    for step in 0..<20_000 {
      if random.chance(0.7) {
        let number = table.insert(step)
        #expect(model.updateValue(step, forKey: number) == nil)
      } else if let number = model.keys.randomElement(using: &random) {
        table.remove(number)
        model[number] = nil
      }
    }
    for (number, element) in model { #expect(table[number] == element) }
  }

  @Test func copyKeepsWhatTheOriginalReplaces() {
    var table = SlotTable<Int>()
    let numbers = (0..<10_000).map { table.insert($0) }
    let copy = table
    for number in numbers { table[number] += 1 }
    #expect(numbers.allSatisfy { copy[$0] == Int($0) && table[$0] == Int($0) + 1 })
  }

  @Test(arguments: [0, 1, 63, 64, 65, 4_096, 4_100, 9_000])
  func tableOfManyGoesOnLikeOneThatGrew(count: Int) {
    var table = SlotTable(ContiguousArray(0..<count))
    var grown = SlotTable<Int>()
    for number in 0..<count { #expect(grown.insert(number) == Int32(number)) }
    for number in stride(from: 0, to: Int32(count), by: 7) {
      table.remove(number)
      grown.remove(number)
    }
    for number in 0..<count { #expect(table.insert(-number) == grown.insert(-number)) }
    var found: [Int32: Int] = [:]
    table.forEach { found[$0] = $1 }
    var expected: [Int32: Int] = [:]
    grown.forEach { expected[$0] = $1 }
    #expect(found == expected)
    #expect(found.allSatisfy { table.element($0) == $1 && table[$0] == $1 })
    #expect(table.element(-1) == nil)
    #expect(table.element(Int32(3 * count + 1)) == nil)
    if count > 0 {
      table.remove(0)
      #expect(table.element(0) == nil)
    }
  }
}
