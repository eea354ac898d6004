extension StoreError {
  /// The error for a statement that was to write the one row of a key, and wrote several.
  static func severalRows(of table: String) -> StoreError {
    StoreError(
      .duplicateKey, message: "Several rows of \(table) have one key.",
      hint: "Choose key columns that are declared UNIQUE or PRIMARY KEY.")
  }
}
