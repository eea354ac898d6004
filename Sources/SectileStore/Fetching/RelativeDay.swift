/// How far back a day is, as people say it: the sections of
/// ``FetchRequest/sectioned(byDayOf:asOf:in:titled:)``, in their order.
public enum RelativeDay: String, Hashable, Sendable, CaseIterable {
  /// A day that is yet to come.
  case later
  /// The day itself.
  case today
  /// The day before.
  case yesterday
  /// A day of the same week, before yesterday.
  case thisWeek
  /// A day before all of these.
  case earlier
  /// No day: NULL, or a value that is no date.
  case undated

  /// The name in English, such as `This week`.
  public var title: String {
    switch self {
    case .later: "Later"
    case .today: "Today"
    case .yesterday: "Yesterday"
    case .thisWeek: "This week"
    case .earlier: "Earlier"
    case .undated: "No date"
    }
  }
}
