import SectileCore

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

  /// Keys that need no check.
  var acceptedKeys: AcceptedKeys { get }

  /// Throws where a key does not fit the type of the items' identity.
  func checkID(_ key: RowKey) throws
}

/// Keys of which every one fits the type of the items' identity.
enum AcceptedKeys {
  case integers
  case texts
  case none

  func contains(_ key: RowKey) -> Bool {
    switch (self, key) {
    case (.integers, .integer), (.texts, .value(.text)): true
    case (.integers, _), (.texts, _), (.none, _): false
    }
  }
}
