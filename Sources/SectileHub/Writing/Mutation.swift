internal import FoundationEssentials
public import SectileCore

/// A change that a client asks the hub for: rows of one or more tables, all or none.
public struct Mutation: Hashable, Sendable {
  /// By whom, and the how manieth of theirs.
  public var id: MutationID
  /// The changes, in order.
  public var changes: [RowMutation]

  /// Creates a mutation.
  public init(id: MutationID, changes: [RowMutation]) { (self.id, self.changes) = (id, changes) }
}

/// Which mutation it is.
///
/// The hub performs the mutations of a client in the order of their numbers, each once: who does
/// not know whether one arrived sends it again.
public struct MutationID: Hashable, Sendable {
  /// Whose it is: a text nobody else has.
  public var client: String
  /// Its number; a client counts from 1.
  public var number: Int64

  /// Creates an identity.
  public init(client: String, number: Int64) { (self.client, self.number) = (client, number) }

  /// A name for a client that nobody has.
  static func freshClient() -> String { UUID().uuidString.lowercased() }
}

/// A change of one row.
public enum RowMutation: Hashable, Sendable {
  /// A new row; columns that are not named get what the hub has for them.
  case insert(table: String, values: [String: StoredValue])
  /// New values for columns of a row.
  ///
  /// - `revision`: Which state of the row the client saw (``SyncedTable/revisionColumn``): another
  ///   one is a conflict. With nil the last writer wins, by the order of the hub's commits.
  case update(table: String, key: [StoredValue], revision: Int64?, values: [String: StoredValue])
  /// A row goes away; `revision` as for an update.
  case delete(table: String, key: [StoredValue], revision: Int64?)

  /// The table's name.
  public var table: String {
    switch self {
    case .insert(let table, _), .update(let table, _, _, _), .delete(let table, _, _): table
    }
  }
}

/// What became of a mutation.
public enum MutationResult: Hashable, Sendable {
  /// It is committed.
  case applied
  /// It was refused, and nothing of it is there.
  case rejected(MutationRejection)
}

/// Why the hub refused a mutation.
public struct MutationRejection: Hashable, Sendable {
  /// What kind of refusal it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A row was changed or deleted since the client saw it, or one is there already.
    case conflict
    /// A rule of the hub's tables: a unique column, a foreign key, a check, a value that does not
    /// fit.
    case constraint
    /// The client may not write there.
    case notPermitted
    /// It was made upon another change of the outbox, which was refused or discarded, or whose row
    /// came back in a way that does not tell which state it left. The hub was not asked.
    case dependsOn
  }

  /// What kind of refusal it is.
  public var kind: Kind
  /// Why, in the hub's words.
  public var message: String
  /// Which of the mutation's changes it was about, counted from 0; nil where it is not known.
  public var change: Int?
  /// The row as it is at the hub, where the refusal is a conflict with one that is there.
  public var current: [String: StoredValue]?

  /// Creates a rejection.
  public init(
    _ kind: Kind, message: String, change: Int? = nil, current: [String: StoredValue]? = nil
  ) {
    (self.kind, self.message, self.change, self.current) = (kind, message, change, current)
  }
}

/// That a mutation was performed or refused.
///
/// It comes with the commits of the hub, so that a replica knows which mutations its rows contain.
public struct MutationReceipt: Hashable, Sendable {
  /// Which mutation; all of the client with smaller numbers are decided as well.
  public var id: MutationID
  /// Whether it was performed.
  public var isApplied: Bool

  /// Creates a record.
  public init(_ id: MutationID, isApplied: Bool) { (self.id, self.isApplied) = (id, isApplied) }
}
