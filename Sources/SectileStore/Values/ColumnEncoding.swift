/// How a column holds a `UUID`, a `Date` or a `Decimal`.
///
/// Without a form a UUID is text in upper case, and a date is text such as
/// `2026-01-31 23:59:59.123`, which is also how GRDB stores dates. Columns that somebody else fills
/// are declared as they are. A `Decimal` is text, which neither sorts nor adds up; with
/// ``decimal(scale:)`` it is an integer, which does both:
///
/// ```swift
/// static let schema = EntitySchema<Order>(
///   "order", primaryKey: "id",
///   attributes: .init("id", \.id, as: .uuidBlob),
///   .init("placed_at", \.placedAt, as: .unixSeconds),
///   .init("total", \.total, as: .decimal(scale: 2)))
/// ```
///
/// The form holds everywhere: in rows read and written, in keys, and in the values of filters and
/// fixed sections. Reading is strict: a value in another form is an error, whose hint names the
/// form it has.
///
/// Optionals, and raw-representable types of these three, have the forms of what they wrap.
/// For `@Entity` the forms are options of `@Attribute`.
public struct ColumnEncoding: Hashable, Sendable {
  @usableFromInline
  internal enum Kind: UInt8, Sendable, CaseIterable {
    case standard
    case uuidBlob, uuidLowercase
    case unixSeconds, unixSecondsReal, unixMilliseconds, iso8601, iso8601Milliseconds
    case referenceSecondsReal
    case decimal, decimalReal
  }

  @usableFromInline internal let kind: Kind
  /// How many digits of a decimal number stand behind the point; zero for other forms.
  @usableFromInline internal let scale: UInt8

  @inlinable
  internal init(_ kind: Kind, scale: UInt8 = 0) {
    self.kind = kind
    self.scale = scale
  }

  /// Sectile's own form, which every column has that is declared without one.
  @inlinable public static var standard: Self { Self(.standard) }

  /// A UUID as a blob of its 16 bytes: what GRDB stores by default.
  @inlinable public static var uuidBlob: Self { Self(.uuidBlob) }

  /// A UUID as text of 36 characters in lower case: what most programs outside of Swift store.
  @inlinable public static var uuidLowercase: Self { Self(.uuidLowercase) }

  /// A date as an integer, the seconds since 1970; fractions of a second are cut off in writing,
  /// also in the values of filters.
  @inlinable public static var unixSeconds: Self { Self(.unixSeconds) }

  /// A date as a real number, the seconds since 1970, with what a `Double` keeps of their
  /// fractions.
  ///
  /// An integer is read as well: columns without REAL affinity turn whole numbers into integers.
  @inlinable public static var unixSecondsReal: Self { Self(.unixSecondsReal) }

  /// A date as a real number, the seconds since 1 January 2001, Foundation's reference date: what
  /// Core Data stores.
  ///
  /// An integer is read as well, as for ``unixSecondsReal``.
  @inlinable public static var referenceSecondsReal: Self { Self(.referenceSecondsReal) }

  /// A date as an integer, the milliseconds since 1970, rounded to the nearest in writing.
  @inlinable public static var unixMilliseconds: Self { Self(.unixMilliseconds) }

  /// A date as text in UTC such as `2026-01-31T23:59:59Z`; fractions of a second are cut off in
  /// writing, also in the values of filters.
  @inlinable public static var iso8601: Self { Self(.iso8601) }

  /// A date as text in UTC such as `2026-01-31T23:59:59.123Z`, rounded to milliseconds in writing.
  @inlinable public static var iso8601Milliseconds: Self { Self(.iso8601Milliseconds) }

  /// A `Decimal` as an integer, the number times ten to the power of its scale: 12.34 is 1234 with
  /// the scale 2.
  ///
  /// Such a column sorts and adds up as numbers do, and exactly so. The column is INTEGER, and
  /// holds up to 64 bits: with the scale 2, numbers up to 92,233,720,368,547,758.07. A number with
  /// more digits behind the point, or a larger one, is an error where it is written and where a
  /// filter names it; nothing is rounded.
  ///
  /// - Parameter scale: How many digits there are behind the point.
  /// - Returns: The form.
  /// - Precondition: `scale` is in `0...18`.
  public static func decimal(scale: Int) -> Self {
    precondition((0...18).contains(scale), "the scale \(scale) is outside of 0...18")
    return Self(.decimal, scale: UInt8(scale))
  }
}

extension ColumnEncoding: CustomStringConvertible {
  /// The form as it is written in a declaration, such as `.uuidBlob`.
  public var description: String {
    switch kind {
    case .decimal: ".decimal(scale: \(scale))"
    case .decimalReal: ".decimal(scale: \(scale)) as a real number"
    default: ".\(kind)"
    }
  }
}

extension ColumnEncoding {
  /// What a value in this form is, with an article.
  internal var noun: String {
    switch kind {
    case .standard: "a value in the standard form"
    case .uuidBlob: "a UUID as a blob of 16 bytes"
    case .uuidLowercase: "a UUID in lower case"
    case .unixSeconds: "seconds since 1970 as an integer, in the years 0000…9999"
    case .unixSecondsReal: "seconds since 1970 as a real number, in the years 0000…9999"
    case .referenceSecondsReal: "seconds since 2001 as a real number, in the years 0000…9999"
    case .unixMilliseconds: "milliseconds since 1970 as an integer, in the years 0000…9999"
    case .iso8601: "a date as 'yyyy-MM-ddTHH:mm:ssZ'"
    case .iso8601Milliseconds: "a date as 'yyyy-MM-ddTHH:mm:ss.SSSZ'"
    case .decimal: "a decimal number of the scale \(scale) as an integer"
    case .decimalReal: "a decimal number of the scale \(scale) as a real number"
    }
  }

  /// The error for a type that has no such form.
  internal func refusal(of type: Any.Type) -> ColumnValueError {
    ColumnValueError(
      "the column is declared with \(self), and \(type) has no such form",
      hint:
        "Declare the column without a form, or let the property be a UUID, a Date or a Decimal.")
  }

  /// The hint to declare a column with the form that its values have.
  internal static func hint(toUse form: ColumnEncoding?) -> String? {
    guard let form else { return nil }
    guard form != .standard else {
      return "The stored value is in Sectile's own form: declare the column without one."
    }
    return "The stored value is \(form.noun): declare the column with \(form)."
  }
}
