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
}

/// A hub: what a replica reads from and writes to.
public typealias Hub = ReplicationFeed & MutationSink
