internal import Sectile

/// Rows that have just changed, for as long as the screen says so.
struct ScreenHighlights {
  /// What happened to a row.
  enum Kind: Hashable, Sendable {
    case inserted
    case updated
    case moved

    var mark: String {
      switch self {
      case .inserted: "+"
      case .updated: "~"
      case .moved: ">"
      }
    }

    var colour: ScreenStyle {
      switch self {
      case .inserted: .green
      case .updated: .yellow
      case .moved: .blue
      }
    }
  }

  /// How long a change stands out, in seconds.
  static let freshTime = 2.0
  /// After how many seconds it has faded away.
  static let fadedTime = 3.0
  /// Changesets of more rows than that highlight none.
  static let limit = 10_000

  private var rows: [UntypedRow.ID: (kind: Kind, time: Double)] = [:]
  private var deletes: [(count: Int, time: Double)] = []

  /// Whether something still stands out.
  var isEmpty: Bool { rows.isEmpty && deletes.isEmpty }

  /// How many rows went away a moment ago.
  var deleteCount: Int { deletes.reduce(0) { $0 + $1.count } }

  mutating func insert(_ changed: [(UntypedRow.ID, Kind)], at time: Double) {
    for (id, kind) in changed { rows[id] = (kind, time) }
  }

  mutating func insert(deletes count: Int, at time: Double) {
    if count > 0 { deletes.append((count, time)) }
  }

  /// Forgets what has faded away.
  mutating func expire(at time: Double) {
    if isEmpty { return }
    rows = rows.filter { time - $0.value.time < Self.fadedTime }
    deletes.removeAll { time - $0.time >= Self.fadedTime }
  }

  mutating func removeAll() {
    rows = [:]
    deletes = []
  }

  /// Returns how a row stands out; nil for one that does not.
  func look(of id: UntypedRow.ID, at time: Double) -> (mark: String, style: ScreenStyle)? {
    guard let (kind, since) = rows[id] else { return nil }
    return (kind.mark, kind.colour.union(time - since < Self.freshTime ? .bold : .dim))
  }
}
