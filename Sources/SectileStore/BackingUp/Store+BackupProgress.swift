extension Store {
  /// How far a backup has come.
  public struct BackupProgress: Hashable, Sendable {
    /// What a backup does, in order.
    public enum Phase: Hashable, Sendable {
      /// Pages are copied.
      case copying
      /// The copy is read again, to see whether it is sound.
      case checking
    }

    /// What is being done.
    public let phase: Phase
    /// How many pages the copy has.
    ///
    /// Fewer than before where another process wrote to a file without a write-ahead log: copying
    /// begins anew then.
    public let copiedPages: Int
    /// How many pages there are.
    public let totalPages: Int
    /// How many bytes a page has.
    public let pageSize: Int
  }
}
