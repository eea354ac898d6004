extension StoreConfiguration {
  /// When SQLite waits for the disk: `PRAGMA synchronous`.
  public struct SynchronousMode: Hashable, Sendable {
    /// The pragma's value.
    package let keyword: String

    /// Waits at every commit: what `write` acknowledged survives a power cut.
    public static let full = SynchronousMode(keyword: "FULL")
    /// Waits at checkpoints only: faster commits; a power cut may lose the last acknowledged ones,
    /// but never breaks the file.
    public static let normal = SynchronousMode(keyword: "NORMAL")
    /// Never waits: a power cut may break the file.
    ///
    /// For stores that can be made again.
    public static let off = SynchronousMode(keyword: "OFF")
  }
}
