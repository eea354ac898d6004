extension StoreError {
  /// A fetch request that has no meaning, or none that SQL can say.
  package static func invalidRequest(
    _ message: String, hint: String? = nil, cause: (any Error)? = nil
  ) -> StoreError {
    StoreError(.invalidRequest, message: message, hint: hint, cause: cause)
  }

  /// The error for two operands that hold the same type in two forms.
  package static func twoForms(_ left: ColumnEncoding, _ right: ColumnEncoding) -> StoreError {
    .invalidRequest(
      "A request compares a column of the form \(left) with one of the form \(right).",
      hint: "Convert one of them in SQL, by a FieldExpression of an SQLFragment.")
  }

  /// The error for a request that asks for the order or the sum of decimal numbers that are text.
  package static func decimalText(_ name: String) -> StoreError {
    .invalidRequest(
      "A request asks for the order or the sum of \(name), a Decimal that is stored as text.",
      hint: "Store it as an integer, by the column encoding .decimal(scale:), such as "
        + "@Attribute(.decimal(scale: 2)). Equality and sections work with text, too.")
  }
}
