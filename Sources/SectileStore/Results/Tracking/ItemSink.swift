/// Makes items of the rows that are read while a change is worked out, and keeps them.
///
/// What works the change out does not know the type of the items: code that need not ask at run
/// time how large an item is runs several times faster.
protocol ItemSink: AnyObject, Sendable {
  /// Makes the item of the row a statement stands on; its first column has the given position.
  ///
  /// - Returns: The position of the item among those that were made.
  /// - Throws: What decoding throws.
  func readItem(_ statement: RawStatement, firstColumn: Int) throws -> Int

  /// Whether every integer is the key of some item.
  var acceptsIntegerKeys: Bool { get }

  /// Throws where a key does not fit the type of the items' identity.
  func checkID(_ key: RowKey) throws
}
