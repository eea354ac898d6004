/// What a replica knows of where it stands: which hub, which of its histories, and how far.
///
/// A replica writes its token in the same transaction as the rows that it stands for, so that it is
/// never ahead of them or behind. A hub is asked whether it leads on
/// (``ReplicationFeed/validate(_:)``); where it does not, the replica is compared with the hub row
/// by row.
///
/// Its text is for keeping and comparing, not for taking apart.
public struct HubToken: Hashable, Sendable, LosslessStringConvertible {
  /// Which hub: a name that it got when it was made, and that its copies share.
  public var system: String
  /// Which history of the hub: another one begins where a copy takes its place.
  public var timeline: UInt32
  /// What keeps the hub's log for this replica; another name for another generation of it.
  public var slot: String
  /// Which tables and columns the replica has: the same for the same ones.
  public var tables: String
  /// Up to where the replica has applied the hub's commits.
  public var position: HubPosition
  /// The mark of the last heartbeat among them; nil for none.
  ///
  /// It tells a hub that was put back to an older state, and has gone on from there, from the hub
  /// that it was.
  public var heartbeat: String?
  /// What told the definition of its tables when its rows were read from the hub
  /// (``HubState/definition``); nil where nothing did.
  ///
  /// A hub tells no commit when a table is defined anew, or a part of it is taken away: it tells
  /// another definition then.
  public var definition: String?

  /// Creates a token.
  ///
  /// - Parameters:
  ///   - system: Which hub.
  ///   - timeline: Which of its histories.
  ///   - slot: What keeps its log for the replica.
  ///   - tables: Which tables and columns the replica has.
  ///   - position: Up to where it has applied the hub's commits.
  ///   - heartbeat: The mark of the last heartbeat among them.
  ///   - definition: What told the definition of its tables, without colons.
  public init(
    system: String, timeline: UInt32, slot: String, tables: String, position: HubPosition,
    heartbeat: String? = nil, definition: String? = nil
  ) {
    (self.system, self.timeline, self.slot) = (system, timeline, slot)
    (self.tables, self.position, self.heartbeat) = (tables, position, heartbeat)
    self.definition = definition
  }

  private static let version = "hub1"

  /// Reads a token; nil for a text that is none, or one of a later version.
  public init?(_ description: String) {
    let parts = description.split(separator: ":", omittingEmptySubsequences: false)
    // Tokens of earlier versions have no definition.
    guard (7...8).contains(parts.count), parts[0] == Self.version, let timeline = UInt32(parts[2]),
      let position = HubPosition(String(parts[5]))
    else { return nil }
    self.init(
      system: String(parts[1]), timeline: timeline, slot: String(parts[3]),
      tables: String(parts[4]), position: position,
      heartbeat: parts[6].isEmpty ? nil : String(parts[6]),
      definition: parts.count == 8 ? String(parts[7]) : nil)
  }

  /// The token as text.
  public var description: String {
    let parts = [Self.version, system, "\(timeline)", slot, tables, "\(position)", heartbeat ?? ""]
    return (parts + (definition.map { [$0] } ?? [])).joined(separator: ":")
  }
}

/// Whether a replica may go on where it stands.
public enum ResumeDecision: Hashable, Sendable {
  /// What comes after the token leads on.
  case resume
  /// It does not: the replica is to be compared with the hub.
  case resync(ResyncReason)
}

/// Why a replica is compared with the hub instead of going on where it stands.
public enum ResyncReason: Hashable, Sendable, CustomStringConvertible {
  /// The replica is new.
  case firstTime
  /// The hub keeps no log for the replica, or keeps it under another name.
  case slotMissing
  /// The hub has given up keeping its log for the replica; why, in the hub's words.
  case slotLost(String)
  /// The hub has let go of commits that the replica does not have: the replica's file was put back
  /// to an older state.
  case behindSlot(confirmed: HubPosition)
  /// The replica has commits that the hub does not have: the hub was put back to an older state, or
  /// lost its last commits.
  case aheadOfHub(HubPosition)
  /// The hub does not know a heartbeat that the replica has: it was put back to an older state, and
  /// has gone on from there, or the replica was away for longer than heartbeats are kept.
  case heartbeatUnknown
  /// It is another hub.
  case otherSystem
  /// A copy has taken the hub's place, and the replica may have what the copy never got.
  case otherTimeline
  /// Tables, columns or filters are others than they were, or the hub's tables were defined anew,
  /// rewritten, or emptied in part.
  case tablesChanged
  /// A commit of the hub did not fit the replica's rows; what did not fit, in words.
  case diverged(String)
  /// Somebody asked for it.
  case requested

  /// The reason in words, for logs.
  public var description: String {
    switch self {
    case .firstTime: "the replica is new"
    case .slotMissing: "the hub keeps no log for this replica"
    case .slotLost(let reason): "the hub has given up its log for this replica (\(reason))"
    case .behindSlot(let confirmed):
      "the replica is behind \(confirmed), and the hub has let go of what came before"
    case .aheadOfHub(let position): "the replica is ahead of the hub, which stands at \(position)"
    case .heartbeatUnknown:
      "the hub does not know the replica's last heartbeat: it may have lost commits"
    case .otherSystem: "it is another hub"
    case .otherTimeline: "a copy has taken the hub's place"
    case .tablesChanged: "tables, columns or filters have changed"
    case .diverged(let problem): "a commit did not fit the replica's rows: \(problem)"
    case .requested: "it was asked for"
    }
  }
}

extension ResyncReason {
  /// Whether the hub, or this file, may stand before keys that were made, so that one may be given
  /// out twice.
  var mayRepeatKeys: Bool {
    switch self {
    case .slotMissing, .behindSlot, .aheadOfHub, .heartbeatUnknown, .otherSystem, .otherTimeline:
      true
    case .firstTime, .slotLost, .tablesChanged, .diverged, .requested: false
    }
  }
}
