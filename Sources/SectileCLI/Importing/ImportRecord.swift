internal import Sectile

/// What the reader of an input meets, in the order of the input.
enum ImportRecord {
  /// The names of the values of all rows to come, up to the next such record.
  case columns([String])
  /// A row: a value for each column; blobs at the positions of `invalidText` are text that is not
  /// UTF-8.
  case row(number: Int, values: [StoredValue], invalidText: [Int] = [])
  /// A row of separated values, a field for each column, and what its fields mean. Its bytes are
  /// gone when the closure that hears it returns.
  case fields(SeparatedRow, FieldRules)
  /// Something that is no row, and what can be done about its likeliest cause, without a full stop.
  case bad(number: Int, reason: String, hint: String? = nil)
}
