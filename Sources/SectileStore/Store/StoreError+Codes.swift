extension StoreError {
  /// A kind of failure, compared with `==`.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
      case statementFailed, decodingFailed, encodingFailed, rowNotFound, schemaMismatch
    }
    private let kind: Kind

    /// SQLite refused a statement.
    public static var statementFailed: Self { Self(kind: .statementFailed) }
    /// A stored value does not fit its Swift type.
    public static var decodingFailed: Self { Self(kind: .decodingFailed) }
    /// A Swift value cannot be stored.
    public static var encodingFailed: Self { Self(kind: .encodingFailed) }
    /// No row has the key.
    public static var rowNotFound: Self { Self(kind: .rowNotFound) }
    /// An entity and its table differ.
    public static var schemaMismatch: Self { Self(kind: .schemaMismatch) }
  }
}
