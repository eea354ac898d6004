import SectileStore
import Testing

@Suite struct CalendarDayTests {
  private func day(_ year: Int, _ month: Int, _ day: Int) -> CalendarDay {
    CalendarDay(year: Int64(year), month: Int64(month), day: Int64(day))
  }

  @Test func daysFollowEachOtherThroughErasAndBeforeTheFirst() {
    var last = CalendarDay(number: -1_000_000)
    var faults: [CalendarDay] = []
    for number in Int64(-999_999)...(-700_000) {
      let next = CalendarDay(number: number)
      let follows =
        (next.year, next.month, next.day) == (last.year, last.month, last.day + 1)
        || (next.year, next.month, next.day) == (last.year, last.month + 1, 1)
        || (next.year, next.month, next.day) == (last.year + 1, 1, 1)
      if !follows || !next.exists || next.number != number { faults.append(next) }
      last = next
    }
    #expect(faults.isEmpty)
  }

  @Test(arguments: [
    (1970, 1, 1, 0), (2000, 1, 1, 10_957), (1, 1, 1, -719_162), (0, 2, 29, -719_469),
    (9999, 12, 31, 2_932_896),
  ])
  func daysHaveTheirNumbers(year: Int, month: Int, day: Int, number: Int) {
    #expect(self.day(year, month, day).number == Int64(number))
    #expect(CalendarDay(number: Int64(number)) == self.day(year, month, day))
  }

  @Test(arguments: [
    (2026, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 1, 0), (2026, 1, 32), (2026, 0, 1),
    (2026, 13, 1),
  ])
  func otherDaysDoNotExist(year: Int, month: Int, day: Int) {
    #expect(!self.day(year, month, day).exists)
  }
}
