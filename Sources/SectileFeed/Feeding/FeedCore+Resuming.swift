internal import SectileCore

extension FeedCore {
  /// What a client gets that comes back with a point.
  enum Resumed {
    /// What became of rows; the contents are held where it was found just now.
    case changes(Answer, held: Source.Snapshot?)
    /// All contents.
    case reset(FeedJSON.Reason)
  }

  /// Returns what happened since a point, for a client that comes back with it; nil where the
  /// source is gone.
  ///
  /// Clients that come back with one point, as all do that were connected when a process ended,
  /// share what is found for the first of them.
  ///
  /// - Parameters:
  ///   - point: Where the client stands.
  ///   - shape: What is shown of the items.
  /// - Returns: The answer.
  /// - Throws: What reading the log and the items throws.
  func resume(from point: ResumePoint, in shape: Shape) async throws -> Resumed? {
    if let known = knownAnswer(from: point, in: shape) { return .changes(known, held: nil) }
    let outcome = await turns.take { () -> Result<Resumed?, any Error> in
      if let known = knownAnswer(from: point, in: shape) {
        return .success(.changes(known, held: nil))
      }
      do {
        return .success(try await newAnswer(from: point, in: shape))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  private func newAnswer(from point: ResumePoint, in shape: Shape) async throws -> Resumed? {
    guard let source = source() else { return nil }
    guard let resumable = source as? any ResumableSource else { return .reset(.init(.noLog)) }
    points.note()
    return try await newAnswer(of: resumable, from: point, in: shape)
  }

  private func newAnswer<Resumable: ResumableSource>(
    of source: Resumable, from point: ResumePoint, in shape: Shape
  ) async throws -> Resumed? {
    let duration = shape.isStructural ? .zero : Self.holdingTime
    switch try await source.resume(from: point, holdingFor: duration) {
    case .reset(let reason): return .reset(.init(reason))
    case .changes(let identities, let snapshot):
      // It is the same type, which the compiler has lost sight of.
      guard let identities = identities as? [Source.ItemID],
        let snapshot = snapshot as? Source.Snapshot
      else { return .reset(.init(.noLog)) }
      guard identities.count + snapshot.numberOfSections <= answerLimit else {
        return .reset(.init(.tooMany))
      }
      let answer = try Answer(to: snapshot, touching: identities, from: point, in: shape)
      remember(answer)
      return .changes(answer, held: shape.isStructural ? nil : snapshot)
    }
  }
}
