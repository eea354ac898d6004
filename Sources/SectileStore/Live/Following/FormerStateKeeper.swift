import GRDB

/// Has the state that results of queries show step with the transactions of a store: see
/// ``FormerState``.
final class FormerStateKeeper: CommitParticipant {
  private let recorder: CommitRecorder
  private let results: FollowedResults

  init(_ recorder: CommitRecorder, for results: FollowedResults) {
    (self.recorder, self.results) = (recorder, results)
  }

  func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database) -> Bool {
    guard recorder.wantsFormerRows || recorder.former.isThere else { return false }
    recorder.former.transactionDidEnd(
      outcome, isWanted: recorder.wantsFormerRows && results.followsQueries,
      at: recorder.mark, in: db)
    return false
  }

  func detach(from db: Database) { recorder.former.letGo() }
}
