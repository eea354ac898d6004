internal import Sectile

/// The type of a property, and how its column holds it.
struct ColumnForm: Hashable {
  /// The type, without the sign of an optional.
  let type: String
  /// The option of `@Attribute`, without its point; nil where none is needed.
  let option: String?

  init(_ type: String, _ option: String? = nil) {
    self.type = type
    self.option = option
  }

  static let int = ColumnForm("Int")
  static let int64 = ColumnForm("Int64")
  static let double = ColumnForm("Double")
  static let bool = ColumnForm("Bool")
  static let string = ColumnForm("String")
  static let data = ColumnForm("Data")
  static let uuid = ColumnForm("UUID")
  static let uuidLowercase = ColumnForm("UUID", "uuidLowercase")
  static let uuidBlob = ColumnForm("UUID", "uuidBlob")
  static let date = ColumnForm("Date")
  static let decimal = ColumnForm("Decimal")
  static let referenceDate = ColumnForm("Date", "referenceSecondsReal")
  /// A value of any type, by a type that is written along.
  static let mixed = ColumnForm("MixedValue")

  /// Whether the column holds the property as JSON.
  var isJSON: Bool { option == "json" }

  /// Whether the type is one of Foundation's.
  var needsFoundation: Bool { ["Data", "Date", "Decimal", "UUID"].contains(type) }

  /// Whether a primary key may be of this form.
  var isOfKeys: Bool { !isJSON && ["Int", "Int64", "String", "UUID"].contains(type) }

  /// Returns whether all values that were looked at are of this form.
  func holds(_ sample: ColumnSample) -> Bool {
    fittingValues(of: sample) == sample.values
  }

  /// Returns whether a column without values may be of this form, by its declared type.
  func suits(_ affinity: ColumnAffinity) -> Bool {
    switch (affinity, kind) {
    case (_, nil): false
    case (_, .any): true
    case (.text, let kind): kind == .text
    case (.integer, let kind), (.real, let kind): kind == .number
    case (.numeric, let kind): kind != .blob
    case (.blob, _), (.none, _): true
    }
  }

  private enum Kind {
    case number
    case text
    case blob
    case any
  }

  /// What the column holds; nil for a form that is not known.
  private var kind: Kind? {
    switch option ?? type {
    case "Int", "Int64", "Double", "Bool", "unixSeconds", "unixMilliseconds", "unixSecondsReal",
      "referenceSecondsReal":
      .number
    case "String", "UUID", "uuidLowercase", "Date", "iso8601", "iso8601Milliseconds", "Decimal",
      "json":
      .text
    case "Data", "uuidBlob": .blob
    case "MixedValue": .any
    case let other: other.hasPrefix("decimal(") ? .number : nil
    }
  }

  private func fittingValues(of sample: ColumnSample) -> Int {
    switch option ?? type {
    case "Int", "Int64", "unixSeconds", "unixMilliseconds": sample.integers
    case "Double", "unixSecondsReal", "referenceSecondsReal": sample.integers + sample.reals
    case "Bool": sample.truthValues
    case "String": sample.texts
    case "Data": sample.blobs
    case "UUID": sample.upperUUIDs
    case "uuidLowercase": sample.lowerUUIDs
    case "uuidBlob": sample.shortBlobs
    case "Date": sample.dates
    case "iso8601": sample.internetDates
    case "iso8601Milliseconds": sample.internetMilliseconds
    case "Decimal": sample.decimals
    case "MixedValue": sample.values - sample.invalidTexts
    case "json": jsonValues(of: sample)
    case let other: other.hasPrefix("decimal(") ? sample.integers : -1
    }
  }

  private func jsonValues(of sample: ColumnSample) -> Int {
    switch type {
    case "[String]": sample.stringArrays
    case "[Int64]": sample.integerArrays
    case "[String: String]": sample.stringObjects
    default: sample.jsonTexts
    }
  }
}
