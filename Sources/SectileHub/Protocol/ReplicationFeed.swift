public import SectileCore

/// Where a replica gets the hub's commits from: whole, in order, and from where it stands.
///
/// One feed serves one replica at a time. Its calls throw ``HubError``: `unavailable` where the hub
/// cannot be reached, after which the caller comes again later.
public protocol ReplicationFeed: Sendable {
  /// Describes tables.
  ///
  /// - Parameter subscriptions: Which.
  /// - Returns: The tables, in the order of the subscriptions.
  /// - Throws: ``HubError``: `noSuchTable`, `noPrimaryKey`, `unsupportedType`,
  ///   `invalidSubscription`, `notPermitted`.
  func describe(_ subscriptions: [TableSubscription]) async throws -> [SyncedTable]

  /// Says whether a replica may go on at a token.
  ///
  /// It may not where the hub's log does not reach back to it, or where it is of another hub or
  /// history; a hub that would begin later without a word is asked for where it would begin.
  func validate(_ token: HubToken) async throws -> ResumeDecision

  /// Begins to read all rows of tables as they were at one position, from which a stream then leads
  /// on.
  ///
  /// What kept the hub's log for this replica until now is given up. Until the snapshot is closed,
  /// a hub lets nobody else follow or copy under the replica's name.
  ///
  /// - Throws: ``HubError``: `unavailable`; `nameInUse` where another session uses the name.
  func snapshot(of tables: [SyncedTable]) async throws -> any HubSnapshot

  /// Begins to follow the commits after a token.
  ///
  /// - Parameters:
  ///   - token: Where the replica stands; one that ``validate(_:)`` lets resume, or that of a
  ///     snapshot.
  ///   - tables: What the replica has.
  /// - Returns: The stream, to be closed.
  /// - Throws: ``HubError``: `unavailable`; `nameInUse` where another session uses the replica's
  ///   name; `invalidSubscription` where the tables are not those of the token.
  func stream(after token: HubToken, of tables: [SyncedTable]) async throws -> any HubStream

  /// Has the hub commit a sign of life, which comes to all replicas.
  func heartbeat() async throws

  /// Says how the hub stands at this moment, beside what its log tells.
  ///
  /// A replica asks when it connects and after each heartbeat, so the answer has to be cheap.
  ///
  /// - Parameter tables: What the replica has.
  /// - Returns: How it stands.
  /// - Throws: ``HubError``: `unavailable`.
  func state(of tables: [SyncedTable]) async throws -> HubState
}

/// How a hub stands at one moment.
public struct HubState: Hashable, Sendable {
  /// Where its log ends.
  public var position: HubPosition
  /// A text, without colons, that is another one where the tables are defined anew, rewritten, or
  /// emptied in a way that no commit tells, and where the replica is sent other changes than
  /// before; nil where the hub does not know.
  ///
  /// A snapshot's token has that of its rows (``HubToken/definition``).
  public var definition: String?
  /// Which versions of the schema it supports.
  public var schemaVersions: ClosedRange<Int>?

  /// Creates a state.
  public init(
    position: HubPosition, definition: String? = nil, schemaVersions: ClosedRange<Int>? = nil
  ) {
    (self.position, self.definition) = (position, definition)
    self.schemaVersions = schemaVersions
  }
}

/// All rows of tables, as they were at one position.
public protocol HubSnapshot: AnyObject, Sendable {
  /// Where the rows are from: a stream leads on from here.
  var token: HubToken { get }
  /// What the hub said beside rows until then: the last outcome for each client, the heartbeat,
  /// versions of the schema.
  var controlRecords: HubControlRecords { get }
  /// About how many rows there are, for progress; nil where the hub cannot tell.
  var rowCountEstimate: Int? { get }

  /// Returns some rows more; nil at the end.
  func next() async throws -> HubRowBatch?
  /// Lets go of what it holds at the hub, with the replica's name. It may be called at any time,
  /// and more than once.
  func close() async
}

/// Some rows of one table.
public struct HubRowBatch: Hashable, Sendable {
  /// The table's name.
  public var table: String
  /// Rows with a value for each of its columns.
  public var rows: [[StoredValue]]
  /// Which values are NULL in them because replicas cannot have what the hub has.
  public var withheld: [WithheldValue]

  /// Creates a batch.
  public init(table: String, rows: [[StoredValue]], withheld: [WithheldValue] = []) {
    (self.table, self.rows, self.withheld) = (table, rows, withheld)
  }
}

/// The hub's commits as they come.
public protocol HubStream: AnyObject, Sendable {
  /// Waits until something has come, and returns what is there, without waiting for more.
  ///
  /// - Parameter limit: How many messages at most, at least one.
  /// - Returns: One message or more; none where nothing came for as long as the hub lets a stream
  ///   be silent.
  /// - Throws: ``HubError``; `CancellationError` where the task is cancelled. The stream is of no
  ///   use then.
  func next(limit: Int) async throws -> [HubMessage]

  /// Tells the hub that it may forget what is before a position, because the replica has it on its
  /// disk.
  func confirm(_ position: HubPosition) async throws

  /// Ends the stream. It may be called at any time, and more than once.
  func close() async
}

/// What a stream tells.
public enum HubMessage: Sendable {
  /// A transaction that was committed.
  case transaction(HubTransaction)
  /// Nothing that concerns the replica happened up to a position.
  case keepAlive(HubPosition)
}
