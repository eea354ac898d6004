#if Server
  internal import Sectile

  /// Tells one schema of a file from the next.
  enum SchemaVersion {
    /// Returns the number that SQLite raises with each change of the schema.
    ///
    /// - Throws: `StoreError`.
    static func now(in store: Store) throws -> Int64 {
      let rows = try store.read { try $0.query("PRAGMA schema_version") }
      guard case .integer(let version) = rows.first?.values.first else { return 0 }
      return version
    }
  }
#endif
