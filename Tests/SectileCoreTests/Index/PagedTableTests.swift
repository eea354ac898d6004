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

  @Test func manyNumbersAtOnceAreFoundLikeSingleOnes() {
    for keyCount in [0, 1, 4_095, 4_096, 4_097, 9_000] {
      var table = PagedTable(keyCount: keyCount, limit: keyCount) { numbers in
        for key in stride(from: 0, to: keyCount, by: 2) { numbers[key] = Int32(key) }
      }
      for key in 0..<keyCount { #expect(table[Int32(key)] == (key % 2 == 0 ? Int32(key) : -1)) }
      table[Int32(keyCount)] = 5
      #expect(table[Int32(keyCount)] == 5 && table[Int32(keyCount) + 1] == -1)
    }
  }

  /// Numbers of two bytes become numbers of four where one of them does not fit.
  @Test(arguments: [65_533, 65_534, 65_535, 65_536, 1 << 20] as [Int32])
  func largeNumbersAreFoundLikeSmallOnes(_ number: Int32) {
    let built = PagedTable(keyCount: 5_000, limit: Int(number) + 1) { numbers in
      numbers[0] = 0
      numbers[4_999] = number
    }
    var grown = PagedTable()
    grown[0] = 0
    let before = grown
    grown[4_999] = number
    for table in [built, grown] {
      #expect(table[0] == 0 && table[4_999] == number && table[1] == -1 && table[9_000] == -1)
    }
    grown[4_999] = 65_534
    grown[0] = -1
    #expect(grown[0] == -1 && grown[4_999] == 65_534)
    #expect(before[0] == 0 && before[4_999] == -1)
  }
}
