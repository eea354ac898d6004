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
}
