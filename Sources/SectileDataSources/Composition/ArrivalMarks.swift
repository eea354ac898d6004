/// Which of the rows that came one after another were taken: one bit for each.
struct ArrivalMarks: Sendable {
  private var words: ContiguousArray<UInt64> = []
  private var count = 0

  /// Notes whether the next row is taken.
  mutating func append(_ isTaken: Bool) {
    if count & 63 == 0 { words.append(0) }
    if isTaken { words[words.count - 1] |= 1 << UInt64(count & 63) }
    count += 1
  }

  /// Whether the row that came after so many others was taken.
  subscript(arrival: Int) -> Bool {
    arrival < count && words[arrival >> 6] & (1 << UInt64(arrival & 63)) != 0
  }
}
