/// A fixed piece of work, done again and again.
///
/// Making the case does everything that must not count.
protocol GuardCase {
  static var name: String { get }
  /// What one operation is.
  static var summary: String { get }
  /// How many operations the two runs do whose difference counts.
  static var counts: Counts { get }
  /// What it may cost next to another case; nil for no such limit.
  static var most: MostTimes? { get }

  init() throws
  mutating func perform() throws
  /// Checks what the operations have done: a figure of wrong work counts for nothing.
  func verify(performed count: Int) throws
}

extension GuardCase {
  static var most: MostTimes? { nil }

  static func run(_ count: Int) throws {
    var work = try Self()
    for _ in 0..<count { try work.perform() }
    try work.verify(performed: count)
  }
}
