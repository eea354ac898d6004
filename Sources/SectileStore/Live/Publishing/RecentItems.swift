/// What is at hand of the items of live results: those of the last change, and whether any are
/// remembered that were read before.
///
/// The remembered items themselves are with whoever knows their type.
struct RecentItems {
  /// What becomes of remembered items where a change is carried out, in the same breath: under the
  /// lock that guards the contents.
  enum Step {
    case none
    /// They are brought to the version after the change; whether any is left is to be noted.
    case remember(PlanChange)
    case forgetAll
  }

  /// The most rows of a change whose items are looked through.
  static let latestRowLimit = 8
  /// How many rows may be overwritten before items that nobody asked for since are forgotten.
  static let overwrittenLimit = 256

  /// The change that was carried out last, if it is a small one: its items are at hand for those
  /// who ask for one when they hear of the change.
  private(set) var latest: PlanChange?
  /// Whether items are remembered that were read before.
  var isRemembering = false
  /// The rows of small changes since somebody asked for a remembered item.
  ///
  /// Theirs do not hold any more; nothing else is done about it until somebody asks again.
  private(set) var overwritten: [RowKey] = []

  /// Takes the change that was carried out last, to be released outside of the lock.
  @inline(__always)
  mutating func takeLatest() -> PlanChange? { latest.take() }

  /// Takes note of a change that was carried out.
  @inline(__always)
  mutating func note(_ change: PlanChange) -> Step {
    let isSmall = change.rowCount <= Self.latestRowLimit && !change.isWhole
    latest = isSmall ? change : nil
    guard isSmall else { return .remember(change) }
    guard isRemembering else { return .none }
    overwritten.append(contentsOf: change.rows.lazy.map(\.key))
    guard overwritten.count > Self.overwrittenLimit else { return .none }
    isRemembering = false
    overwritten = []
    return .forgetAll
  }

  /// Takes note that the overwritten rows are no longer among the remembered ones.
  mutating func didForgetOverwritten() { overwritten.removeAll(keepingCapacity: true) }
}
