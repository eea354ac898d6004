extension StoreConfiguration {
  /// Where SQLite keeps temporary tables and sorts: `PRAGMA temp_store`.
  public struct TemporaryStorage: Hashable, Sendable {
    /// The pragma's value.
    package let keyword: String

    /// Where the SQLite library was built to keep them: files, on most systems.
    public static let automatic = TemporaryStorage(keyword: "DEFAULT")
    /// In files that are unlinked at once.
    public static let file = TemporaryStorage(keyword: "FILE")
    /// In memory.
    public static let memory = TemporaryStorage(keyword: "MEMORY")
  }
}
