#if Macros
  /// How `@Entity` uses a property, given to `@Attribute`.
  public struct AttributeOption: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
      case primaryKey, json
      case uuidBlob, uuidLowercase
      case unixSeconds, unixSecondsReal, unixMilliseconds, iso8601, iso8601Milliseconds
      case referenceSecondsReal
      case decimal(scale: Int)
    }
    private let kind: Kind

    /// The property is the primary key, or one column of it.
    public static var primaryKey: Self { Self(kind: .primaryKey) }

    /// The column holds the property, which is `Codable`, as JSON text.
    public static var json: Self { Self(kind: .json) }

    /// The column holds the UUID in the form ``ColumnEncoding/uuidBlob``.
    public static var uuidBlob: Self { Self(kind: .uuidBlob) }

    /// The column holds the UUID in the form ``ColumnEncoding/uuidLowercase``.
    public static var uuidLowercase: Self { Self(kind: .uuidLowercase) }

    /// The column holds the date in the form ``ColumnEncoding/unixSeconds``.
    public static var unixSeconds: Self { Self(kind: .unixSeconds) }

    /// The column holds the date in the form ``ColumnEncoding/unixSecondsReal``.
    public static var unixSecondsReal: Self { Self(kind: .unixSecondsReal) }

    /// The column holds the date in the form ``ColumnEncoding/unixMilliseconds``.
    public static var unixMilliseconds: Self { Self(kind: .unixMilliseconds) }

    /// The column holds the date in the form ``ColumnEncoding/referenceSecondsReal``.
    public static var referenceSecondsReal: Self { Self(kind: .referenceSecondsReal) }

    /// The column holds the date in the form ``ColumnEncoding/iso8601``.
    public static var iso8601: Self { Self(kind: .iso8601) }

    /// The column holds the date in the form ``ColumnEncoding/iso8601Milliseconds``.
    public static var iso8601Milliseconds: Self { Self(kind: .iso8601Milliseconds) }

    /// The column holds the decimal number in the form ``ColumnEncoding/decimal(scale:)``.
    ///
    /// ```swift
    /// @Attribute(.decimal(scale: 2)) var total: Decimal  // 12.34 is 1234 in the column
    /// ```
    ///
    /// - Parameter scale: How many digits there are behind the point, 0 to 18.
    /// - Returns: The option.
    public static func decimal(scale: Int) -> Self { Self(kind: .decimal(scale: scale)) }
  }
#endif
