#if Postgres
  internal import FoundationEssentials
  internal import SectileHub
  internal import SectileStore

  /// Days and points in time, which the server counts from the year 2000.
  ///
  /// Their texts in a replica sort as time does. So the years are those from 1 to 9999; infinity
  /// keeps its name, which sorts after all digits, and its negative one before them.
  enum PostgresTime {
    private static let secondsOfDay: Int64 = 86_400
    private static let microsecondsOfDay: Int64 = 86_400_000_000
    /// Days from 1970 to 2000.
    private static let epochDay: Int64 = 10_957
    private static let (past, future) = ("-infinity", "infinity")

    // MARK: From the server's bytes

    /// The text of a day.
    static func text(day: Int32) throws(HubError) -> String {
      switch day {
      case .max: future
      case .min: past
      default: try dayText(Int64(day))
      }
    }

    /// The text of a point in time.
    static func text(microsecond: Int64) throws(HubError) -> String {
      if microsecond == .max { return future }
      if microsecond == .min { return past }
      var (day, rest) = microsecond.quotientAndRemainder(dividingBy: microsecondsOfDay)
      if rest < 0 {
        day -= 1
        rest += microsecondsOfDay
      }
      return try dayText(day) + " " + clockText(rest)
    }

    /// The text of a time of day, up to its end, 24:00; nil where it is none.
    static func text(microsecondOfDay: Int64) -> String? {
      (0...microsecondsOfDay).contains(microsecondOfDay) ? clockText(microsecondOfDay) : nil
    }

    private static func clockText(_ microseconds: Int64) -> String {
      let (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
      let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
      return time.joined(separator: ":") + "." + padded(fraction, 6)
    }

    // MARK: From the server's text

    /// The text of a day from the server's; nil where it is none.
    static func day(text: String) throws(HubError) -> String? {
      if text == past || text == future { return text }
      guard let (days, rest) = try day(of: text.utf8), rest.isEmpty else { return nil }
      return try dayText(days)
    }

    /// The text of a point in time from the server's; nil where it is none.
    ///
    /// - Parameters:
    ///   - text: What the server says.
    ///   - hasZone: Whether it has a zone, which is that of the session, UTC.
    /// - Returns: The text.
    /// - Throws: `HubError` `unsupportedValue`.
    static func timestamp(text: String, hasZone: Bool = true) throws(HubError) -> String? {
      if text == past || text == future { return text }
      guard let microsecond = try microsecond(text: text, hasZone: hasZone) else { return nil }
      return try self.text(microsecond: microsecond)
    }

    /// The text of a time of day from the server's; nil where it is none.
    static func time(text: String) -> String? { clock(text.utf8).map(clockText) }

    /// Microseconds since 2000 of the server's text; nil where it is none.
    private static func microsecond(text: String, hasZone: Bool) throws(HubError) -> Int64? {
      guard let (days, rest) = try day(of: text.utf8), rest.first == 0x20 else { return nil }
      var time = rest.dropFirst()
      if hasZone {
        guard time.suffix(3).elementsEqual("+00".utf8) else { return nil }
        time = time.dropLast(3)
      }
      guard let clock = clock(time), clock < microsecondsOfDay else { return nil }
      return days * microsecondsOfDay + clock
    }

    /// Microseconds of a day, up to its end; nil where a text is no time of day.
    private static func clock(_ time: some Collection<UInt8>) -> Int64? {
      let parts = time.split(separator: 0x2E, omittingEmptySubsequences: false)
      let fields = parts[0].split(separator: 0x3A, omittingEmptySubsequences: false)
      guard parts.count <= 2, fields.count == 3, fields.allSatisfy({ $0.count == 2 }),
        let hour = number(fields[0]), let minute = number(fields[1]),
        let second = number(fields[2]),
        hour <= 24, minute < 60, second < 60
      else { return nil }
      var fraction: Int64 = 0
      if parts.count == 2 {
        guard (1...6).contains(parts[1].count), let value = number(parts[1]) else { return nil }
        fraction = (parts[1].count..<6).reduce(value) { value, _ in value * 10 }
      }
      let sum = (hour * 3600 + minute * 60 + second) * 1_000_000 + fraction
      return sum <= microsecondsOfDay ? sum : nil
    }

    /// A point in time as ``text(microsecond:)`` writes it; nil for infinity, and for another text.
    static func date(_ text: String) -> Date? {
      guard let microsecond = try? microsecond(text: text, hasZone: false) else { return nil }
      return date(microsecond: microsecond)
    }

    /// A point in time.
    static func date(microsecond: Int64) -> Date {
      Date(
        timeIntervalSince1970: Double(epochDay * secondsOfDay) + Double(microsecond) / 1_000_000)
    }

    /// The present.
    static var now: Date { Date() }

    /// Microseconds since 2000 of a point in time.
    static func microsecond(_ date: Date) -> Int64 {
      Int64((date.timeIntervalSince1970 - Double(epochDay * secondsOfDay)) * 1_000_000)
    }

    // MARK: Calendar

    /// Days since 2000 of the day that a text begins with, and what follows it.
    private static func day(
      of text: String.UTF8View
    ) throws(HubError) -> (days: Int64, rest: Substring.UTF8View)? {
      let parts = text.prefix { $0 != 0x20 }.split(
        separator: 0x2D, omittingEmptySubsequences: false)
      guard parts.count == 3, (4...7).contains(parts[0].count), parts[1].count == 2,
        parts[2].count == 2, let year = number(parts[0]), let month = number(parts[1]),
        let dayOfMonth = number(parts[2])
      else { return nil }
      let day = CalendarDay(year: year, month: month, day: dayOfMonth)
      guard day.exists else { return nil }
      if parts[0].count > 4 || text.suffix(3).elementsEqual(" BC".utf8) { throw outside() }
      let rest = text.dropFirst(parts[0].count + 6)
      return (day.number - epochDay, rest)
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int64? {
      guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// The text of a day, from days since 2000.
    private static func dayText(_ days: Int64) throws(HubError) -> String {
      let day = CalendarDay(number: days + epochDay)
      guard (1...9999).contains(day.year) else { throw outside() }
      return padded(day.year, 4) + "-" + padded(day.month, 2) + "-" + padded(day.day, 2)
    }

    private static func outside() -> HubError {
      HubError(
        .unsupportedValue, message: "a date of the hub is outside the years 1 to 9999",
        hint: "Its text would not sort as time does. 'infinity' does, and '-infinity'.")
    }

    private static func padded(_ number: Int64, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
  }
#endif
