/// Why what happened since a position cannot be told, so that the contents have to be read anew.
///
/// It is never an error: positions come from anywhere, and from any time.
///
/// ```swift
/// if reason == .pruned { log("keep more of the change log") }
/// print(reason.name, reason)  // pruned The change log does not reach back to the position.
/// ```
public struct ResetReason: Hashable, Sendable, CustomStringConvertible {
  /// The reason's name, which stays what it is: feeds tell it to their clients.
  public let name: String
  /// The reason in a sentence.
  public let description: String

  private init(_ name: String, _ description: String) {
    self.name = name
    self.description = description
  }

  /// Returns whether two reasons have one name, whatever more one of them says.
  public static func == (left: ResetReason, right: ResetReason) -> Bool { left.name == right.name }

  /// Feeds the name to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The store has no change log, or the source reads what is not in it.
  public static let noLog = ResetReason("noLog", "There is no change log of what is shown.")
  /// The position is one of another store.
  public static let otherStore = ResetReason("otherStore", "The position is one of another store.")
  /// The change log was made anew since.
  public static let otherEpoch = ResetReason(
    "otherEpoch", "The change log was made anew since the position.")
  /// The change log does not reach back to the position.
  public static let pruned = ResetReason(
    "pruned", "The change log does not reach back to the position.")
  /// The position is ahead of the change log: the store was restored from a backup.
  public static let ahead = ResetReason(
    "ahead", "The position is ahead of the change log, as after restoring a backup.")
  /// The change log has something else at the position: the store was restored from a backup, and
  /// written to since.
  public static let rewritten = ResetReason(
    "rewritten", "The change log has something else at the position, as after restoring a backup.")
  /// The position is one of another request: another filter, order, section or column.
  public static let otherRequest = ResetReason(
    "otherRequest", "The position is one of another request.")
  /// The request is one whose rows cannot be told by their keys: it has a limit or an offset, or
  /// looks into other tables, or is of a view.
  public static let notByKey = notByKey(
    "The request is one whose changes cannot be told by keys alone.")
  /// So much happened that the contents are shorter than what would have to be told.
  public static let tooMany = ResetReason(
    "tooMany", "More happened since the position than the contents are long.")

  /// Returns ``notByKey``, with a sentence that says what the request has.
  package static func notByKey(_ description: String) -> ResetReason {
    ResetReason("notByKey", description)
  }
}
