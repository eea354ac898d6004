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
}

extension MutationSink {
  /// Performs the first of the mutations.
  public func perform(_ mutations: [Mutation]) async throws -> [MutationResult] {
    guard let first = mutations.first else { return [] }
    return [try await perform(first)]
  }
}

/// A hub: what a replica reads from and writes to.
public typealias Hub = ReplicationFeed & MutationSink
