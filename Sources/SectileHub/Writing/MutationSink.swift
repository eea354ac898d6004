public import SectileCore

/// Where clients' changes go: the hub, which alone decides.
public protocol MutationSink: Sendable {
  /// Performs a mutation, or refuses it.
  ///
  /// A mutation that was decided before is not decided again: its outcome is returned. A refusal
  /// uses up the number, too.
  ///
  /// - Returns: What became of it, when that is on the hub's disk.
  /// - Throws: ``HubError``: `unavailable` where it is not known what became of it, so that it is
  ///   to be sent again under the same number; `mutationOutOfOrder` where the number is not the
  ///   client's next; `mutationReused` where the number was used for another mutation, after which
  ///   the client needs another name.
  func perform(_ mutation: Mutation) async throws -> MutationResult

  /// Performs mutations in their order, or refuses them, as far as one call comes.
  ///
  /// Each is a transaction of its own. The usual implementation performs the first one; a hub to
  /// which the way is long has them sent together.
  ///
  /// - Parameter mutations: One mutation or more, no two of the same client: the hub keeps the last
  ///   outcome of each client, so that whoever hears nothing can ask for every one of them.
  /// - Returns: What became of the first ones, in order, and of at least one. The later ones are
  ///   not performed before those, and are to be sent again.
  /// - Throws: What the call for one mutation throws, about the first; nothing is known of the
  ///   others then.
  func perform(_ mutations: [Mutation]) async throws -> [MutationResult]

  /// Makes keys for rows that are not there yet, as the hub would for a row without one.
  ///
  /// Nobody else gets them. Those that do not arrive are not made again: the hub's sequences have
  /// gaps then. The usual implementation makes none.
  ///
  /// - Parameters:
  ///   - table: The table's name, as in a subscription.
  ///   - count: How many, at least one.
  /// - Returns: The column of the table's key that has such values, and as many of them, no two the
  ///   same.
  /// - Throws: ``HubError``: `unavailable`; `noSuchTable`; `invalidSubscription` where the hub does
  ///   not make values for one column of the key; `notPermitted`.
  func reserveKeys(
    of table: String, count: Int
  ) async throws -> (column: String, values: [StoredValue])
}

extension MutationSink {
  /// Performs the first of the mutations.
  public func perform(_ mutations: [Mutation]) async throws -> [MutationResult] {
    guard let first = mutations.first else { return [] }
    return [try await perform(first)]
  }

  /// Makes no keys: throws ``HubError`` with the code `invalidSubscription`.
  public func reserveKeys(
    of table: String, count: Int
  ) async throws -> (column: String, values: [StoredValue]) {
    throw HubError(
      .invalidSubscription, message: "The hub makes no keys of \(table) beforehand",
      hint: "Choose keys where rows are made, such as UUIDs.")
  }
}

/// A hub: what a replica reads from and writes to.
public typealias Hub = ReplicationFeed & MutationSink
