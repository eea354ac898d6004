public import SectileCore

/// Says what went wrong between a replica and its hub.
public struct HubError: SectileError {
  /// What kind of error it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String, Sendable {
      case hubOwned
      case invalidSubscription
      case keysUsedUp
      case malformedMessage
      case mutationOutOfOrder
      case mutationReused
      case nameInUse
      case noPrimaryKey
      case noSuchTable
      case notOffline
      case notPermitted
      case notReplica
      case notReplicator
      case outboxNotEmpty
      case rejected
      case replicaClosed
      case schemaAhead
      case unavailable
      case unsupportedServer
      case unsupportedType
      case unsupportedValue
    }

    private let kind: Kind

    /// The code's name.
    public var description: String { kind.rawValue }

    /// The table of the replica is something else in the file.
    public static let hubOwned = Code(kind: .hubOwned)
    /// What is asked for of a table is not possible: a column that it does not have, a key that is
    /// left out, a bad condition, a name that SQLite does not tell apart.
    public static let invalidSubscription = Code(kind: .invalidSubscription)
    /// A new row has no key, and none is left of those that the hub has made beforehand.
    public static let keysUsedUp = Code(kind: .keysUsedUp)
    /// The hub sent what this version does not understand.
    public static let malformedMessage = Code(kind: .malformedMessage)
    /// A mutation's number is not the next one of its client.
    public static let mutationOutOfOrder = Code(kind: .mutationOutOfOrder)
    /// A mutation's number was used for another mutation.
    public static let mutationReused = Code(kind: .mutationReused)
    /// Another session uses the replica's name at the hub: another machine's, or one that this
    /// machine left behind and that has not ended yet.
    public static let nameInUse = Code(kind: .nameInUse)
    /// A table has no primary key.
    public static let noPrimaryKey = Code(kind: .noPrimaryKey)
    /// The hub has no table of the name.
    public static let noSuchTable = Code(kind: .noSuchTable)
    /// The table is not one that may be written to without waiting for the hub.
    public static let notOffline = Code(kind: .notOffline)
    /// The user at the hub may not do what is needed; the hint has the SQL for one who may.
    public static let notPermitted = Code(kind: .notPermitted)
    /// The file is no replica of a hub.
    public static let notReplica = Code(kind: .notReplica)
    /// Another process follows the hub for the file, and what is asked for is its to do.
    public static let notReplicator = Code(kind: .notReplicator)
    /// Changes of the outbox have not reached the hub.
    public static let outboxNotEmpty = Code(kind: .outboxNotEmpty)
    /// The hub refused a mutation: see ``HubError/rejection``.
    public static let rejected = Code(kind: .rejected)
    /// The replica was closed.
    public static let replicaClosed = Code(kind: .replicaClosed)
    /// The hub's tables are of a version that this program does not know: what is there is served
    /// on, and nothing applied.
    public static let schemaAhead = Code(kind: .schemaAhead)
    /// The hub cannot be reached, or the connection was lost.
    public static let unavailable = Code(kind: .unavailable)
    /// The hub is too old, or is not set up for what is asked of it.
    public static let unsupportedServer = Code(kind: .unsupportedServer)
    /// A column is of a type that replicas do not have.
    public static let unsupportedType = Code(kind: .unsupportedType)
    /// A value that SQLite cannot hold, such as NaN.
    public static let unsupportedValue = Code(kind: .unsupportedValue)
  }

  /// What kind of error it is.
  public let code: Code
  /// What happened.
  public let message: String
  /// What to do next.
  public let hint: String?
  /// The error beneath this one.
  public let cause: (any Error)?
  /// Why the hub refused a mutation, where it did.
  public let rejection: MutationRejection?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: What kind of error it is.
  ///   - message: What happened.
  ///   - hint: What to do next.
  ///   - cause: The error beneath this one.
  ///   - rejection: Why the hub refused a mutation, where it did.
  public init(
    _ code: Code, message: String, hint: String? = nil, cause: (any Error)? = nil,
    rejection: MutationRejection? = nil
  ) {
    (self.code, self.message, self.hint) = (code, message, hint)
    (self.cause, self.rejection) = (cause, rejection)
  }

  /// The message, with the hint below it.
  public var description: String { hint.map { "\(message)\nHint: \($0)" } ?? message }
}
