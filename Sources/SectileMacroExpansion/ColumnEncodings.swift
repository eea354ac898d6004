#if Macros
  /// The options of `@Attribute` that say how a column holds a value.
  enum ColumnEncodings {
    static let ofUUID: Set<String> = ["uuidBlob", "uuidLowercase"]
    static let ofDate: Set<String> = [
      "unixSeconds", "unixSecondsReal", "unixMilliseconds", "iso8601", "iso8601Milliseconds",
      "referenceSecondsReal",
    ]

    static let ofDecimal: Set<String> = ["decimal"]

    /// The names of all forms.
    static let all = ofUUID.union(ofDate).union(ofDecimal)

    /// The type that a form is for.
    static func type(of form: String) -> String {
      if ofDecimal.contains(form) { return "Decimal" }
      return ofUUID.contains(form) ? "UUID" : "Date"
    }

    /// Whether a type, as it is written, cannot have a form: other names may be aliases.
    static func refuse(_ form: String, of type: String) -> Bool {
      let numbers = ["Int", "Int8", "Int16", "Int32", "Int64"]
      let unsigned = ["UInt", "UInt8", "UInt16", "UInt32", "UInt64"]
      let others = ["Double", "Float", "Bool", "String", "Data", "URL"]
      return (numbers + unsigned + others + ["UUID", "Date", "Decimal"]).contains(type)
        && type != Self.type(of: form)
    }
  }
#endif
