extension Store {
  /// What a backup holds, and whether it was checked.
  public struct BackupReport: Hashable, Sendable {
    /// How many pages the copy has.
    public let pageCount: Int
    /// How many bytes a page has.
    public let pageSize: Int
    /// Why SQLite could not check the copy; nil where it did, and found it sound.
    ///
    /// A schema that needs a collation, a function or a module of its own program cannot be checked
    /// outside of it. The copy is exact all the same.
    public let uncheckedReason: String?
    /// The place in the change log up to which the copy has everything; nil where the file has
    /// none.
    ///
    /// The log is copied with the rest. What happened in the original since is `history(since:)` of
    /// this token there; on the copy it is the last thing that happened.
    public let token: ChangeToken?

    /// How many bytes the copy has.
    public var size: Int64 { Int64(pageCount) * Int64(pageSize) }
  }
}
