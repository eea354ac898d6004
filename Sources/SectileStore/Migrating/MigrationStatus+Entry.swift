extension MigrationStatus {
  /// A migration as the ledger and the files tell of it.
  public struct Entry: Sendable {
    /// The version.
    public let version: Int64
    /// The file's name; the ledger's where both have one.
    public let name: String
    /// When it was applied; nil where it was not.
    public let appliedAt: String?
    /// What stands in the way; nil where nothing does.
    public let problem: StoreError?
  }
}
