#if Macros
  /// How `@Entity` uses a property, given to `@Attribute`.
  public struct AttributeOption: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
      case primaryKey, json
    }
    private let kind: Kind

    /// The property is the primary key, or one column of it.
    public static var primaryKey: Self { Self(kind: .primaryKey) }

    /// The column holds the property, which is `Codable`, as JSON text.
    public static var json: Self { Self(kind: .json) }
  }
#endif
