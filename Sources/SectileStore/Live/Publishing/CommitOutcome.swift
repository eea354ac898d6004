/// What a transaction comes to for one results object.
enum CommitOutcome {
  case change(PendingChange)
  /// The contents are the same at a newer version of the base table.
  case unchanged(VersionNode)
  /// The contents are not there yet: the load that is under way reads them.
  case unread
  case failure(StandingFailure)
}
